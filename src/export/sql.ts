/**
 * Rules about single query parameters as one SQL expression, so that a table can be grouped by canonical URL in place. The
 * query is divided into its parameters, each with the separator before it; a parameter stays, gets a value, or goes.
 */
import { editOf } from "../canon/kinds.js";
import type { Rule, Scope } from "../model.js";
import { commented, type Target } from "./target.js";

/** What differs from database to database. Texts are SQL expressions. */
export interface SqlDialect {
  readonly name: string;
  readonly title: string;
  readonly literal: (text: string) => string;
  readonly matches: (text: string, pattern: string) => string;
  /** What the pattern's group matches, or "". */
  readonly extract: (text: string, pattern: string) => string;
  /** The first character, and the rest, of a text. */
  readonly firstOf: (text: string) => string;
  /** The statement that defines the function, from the condition for a parameter `x` to stay, and what it becomes. */
  readonly define: (stays: string, becomes: string) => string;
}

/** A parameter named "amp" before a ";" is the beginning of a name to canonization, and would be a parameter here. */
const coveredUrls = {
  words: 'queries in which no parameter is, or begins with, a bare "amp"',
  test: (url: string): boolean => !/[?&;]amp(?:[&;#]|$)/.test(url),
};

export function sqlTarget(dialect: SqlDialect): Target {
  return {
    name: dialect.name,
    title: dialect.title,
    expresses:
      "query parameters that are removed, set, or dropped where empty, on a host, a path, a script or everywhere",
    uses: ["key"],
    file: "canonical.sql",
    covers: coveredUrls,
    noTable: "in a database it is a table to join, on canonical(url)",
    refuse: refuseInSql,
    write: (rules, notes) => {
      const all = [...notes, "canonical(url) takes URLs after safe normalization, as dustpan stores them."];
      return `${commented("--", all)}\n${dialect.define(staysIf(rules, dialect), becomes(rules, dialect))}\n`;
    },
  };
}

function refuseInSql(rule: Rule, taken: readonly Rule[]): string | undefined {
  const edit = editOf(rule);
  if (edit?.operation !== "remove" && edit?.operation !== "set" && edit?.operation !== "drop-empty") {
    return "this looks at one query parameter at a time";
  }
  if (rule.scope.parameters !== undefined)
    return "this looks at one parameter at a time, and its scope asks for others";
  if (edit.first?.startsWith("amp")) return "a name that begins with amp is read otherwise here";
  if (edit.operation === "set" && edit.second === "") return "an empty value may be dropped by others, or not";
  if (edit.operation !== "drop-empty") return undefined;
  const setter = taken.find((other) => {
    const before = editOf(other)!;
    return before.operation === "set" && (edit.first === undefined || edit.first === before.first);
  });
  return setter === undefined ? undefined : `${setter.id} sets values before it looks for empty ones`;
}

const NAME = "^.([^=]*)";
const IS_EMPTY = "^.[^=]*=?$";

function staysIf(rules: readonly Rule[], dialect: SqlDialect): string {
  const reasons = rules.flatMap((rule) => {
    const { operation, first } = editOf(rule)!;
    if (operation === "set") return [];
    const isNamed = first === undefined ? [] : [`${dialect.extract("x", NAME)} = ${dialect.literal(first)}`];
    const isEmpty = operation === "drop-empty" ? [dialect.matches("x", IS_EMPTY)] : [];
    return [`(${[...isNamed, ...isEmpty, ...scopeTests(rule.scope, dialect)].join(" AND ")})`];
  });
  return reasons.length === 0 ? "true" : `NOT (\n      ${reasons.join("\n      OR ")})`;
}

function becomes(rules: readonly Rule[], dialect: SqlDialect): string {
  const cases = rules.flatMap((rule) => {
    const { operation, first, second } = editOf(rule)!;
    if (operation !== "set") return [];
    const tests = [`${dialect.extract("x", NAME)} = ${dialect.literal(first!)}`, ...scopeTests(rule.scope, dialect)];
    return [`WHEN ${tests.join(" AND ")} THEN ${dialect.firstOf("x")} || ${dialect.literal(`${first}=${second}`)}`];
  });
  return cases.length === 0 ? "x" : `CASE ${cases.join(" ")} ELSE x END`;
}

/** Tests of the URL; none of these rules changes what they look at. */
function scopeTests({ host, path, script }: Scope, dialect: SqlDialect): string[] {
  const tests: string[] = [];
  if (host !== undefined) {
    const lower = host.toLowerCase();
    const own = lower.startsWith("*.") ? `([^/?#@]*[.])?${inPattern(lower.slice(2))}` : inPattern(lower);
    tests.push(dialect.matches("url", `^https?://([^/?#]*@)?${own}(:[0-9]*)?([/?#]|$)`));
  }
  if (path !== undefined) tests.push(dialect.matches("url", `^https?://[^/?#]*${inPattern(path)}`));
  if (script !== undefined)
    tests.push(dialect.matches("url", `^https?://[^?#]*/${inPattern(script)}(;[^/?#]*)?([?#]|$)`));
  return tests;
}

/** Escapes a character by brackets, or a bracket by a backslash: all three databases read these alike. */
function inPattern(text: string): string {
  return text.replace(/[$.*+?(){}|]|[[\]\\^]/g, (found) => (/[[\]\\^]/.test(found) ? `\\${found}` : `[${found}]`));
}

/** The URL up to the query, the query, and what is after it. */
export const HEAD = "^([^?#]*)";
export const QUERY = "^[^?#]*([?][^#]*)";
export const TAIL = "^[^#]*(#.*)$";
export const PIECE = "[?&;][^&;]*";
export const HAS_QUERY = "^https?://[^?#]*[?]";
