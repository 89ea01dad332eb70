/** Rules in a programming language: a runtime from runtimes/ with the rules as literals in it. */
import { readFileSync } from "node:fs";
import type { Rule } from "../model.js";
import { refuseStep, type Step, stepOf } from "./steps.js";
import { commented, type SingleAlias, type Target } from "./target.js";

/** How a language writes what a row holds. */
export interface Language {
  readonly name: string;
  readonly title: string;
  /** In runtimes/, and what the exported file is called. */
  readonly file: string;
  readonly comment: string;
  /** The empty list of rules in the runtime, and the same with rules. */
  readonly emptyList: string;
  readonly list: (rows: readonly string[]) => string;
  /** One row, from the rule's texts in this order; an absent text is undefined. */
  readonly row: (step: Step) => string;
  /** The same for single URLs. */
  readonly emptyTable: string;
  readonly table: (aliases: readonly SingleAlias[]) => string;
}

export function languageTarget(language: Language): Target {
  const { name, title, file, comment } = language;
  return {
    ...{ name, title, file },
    expresses: "every rule, with its scope and order, until nothing changes",
    uses: ["key"],
    refuse: refuseStep,
    write: (rules, notes, _use, aliases) => `${commented(comment, notes)}\n${sourceOf(language, rules, aliases)}`,
  };
}

/** What a runtime without a program of its own needs to say; one without a table gets no aliases. */
export type RuntimeLanguage = Pick<Language, "file" | "emptyList" | "list" | "row"> &
  Partial<Pick<Language, "emptyTable" | "table">>;

/** The runtime with these rules, and these aliases after them. */
export function sourceOf(
  language: RuntimeLanguage,
  rules: readonly Rule[],
  aliases: readonly SingleAlias[] = [],
): string {
  const runtime = readFileSync(new URL(`./runtimes/${language.file}`, import.meta.url), "utf8");
  const rows = rules.map((rule) => language.row(stepOf(rule)!));
  // A function: in a string "$" would have a meaning.
  const source = runtime.replace(language.emptyList, () => language.list(rows));
  return aliases.length === 0 ? source : source.replace(language.emptyTable!, () => language.table!(aliases));
}

/** A text in double quotes, all but plain ASCII escaped. */
export function quoted(text: string, escaped: (codePoint: number) => string): string {
  const characters = [...text].map((character) => {
    const codePoint = character.codePointAt(0)!;
    if (character === '"' || character === "\\") return `\\${character}`;
    return codePoint >= 0x20 && codePoint < 0x7f ? character : escaped(codePoint);
  });
  return `"${characters.join("")}"`;
}

export const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, "0");
