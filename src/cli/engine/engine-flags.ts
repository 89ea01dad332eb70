/** The flags about engines, for the commands that have them. */
import type { StepReport } from "../../engine/engine.js";
import { UserError } from "../../errors.js";
import { DEFAULT_MEMORY_BYTES, type EngineChoice } from "../../jobs/engine/open-engine.js";
import type { Arguments } from "../parse.js";
import { count, table } from "../terminal.js";

const only = ["spark", "input", "print-sql", "keep-steps"] as const;

/** The engine that was asked for; undefined for local, which takes none of the flags for the others. */
export function engineChoice(args: Arguments): EngineChoice | undefined {
  const engine = args.choice("engine", ["local", "duckdb", "spark"])!;
  if (engine === "local") {
    const wrong = only.find((name) => args.has(name));
    if (wrong !== undefined) throw new UserError(`--${wrong} needs --engine duckdb or --engine spark`);
    return undefined;
  }
  const spark = args.text("spark");
  const output = args.text("output");
  return {
    engine,
    ...(spark !== undefined && { spark }),
    ...(output !== undefined && { output }),
    keepSteps: args.has("keep-steps"),
    memoryBytes: memoryBytes(args),
    limitResult: args.integer("limit-result", 1)!,
  };
}

const units: Readonly<Record<string, number>> = { "": 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 };

export function memoryBytes(args: Arguments): number {
  const text = args.text("memory");
  if (text === undefined) return DEFAULT_MEMORY_BYTES;
  const found = /^(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?$/i.exec(text.trim());
  if (found === null) throw new UserError(`--memory ${text}: expected a size, such as 8GB or 512MB`);
  return Math.floor(Number(found[1]) * units[found[2]!.toLowerCase()]!);
}

/** Tables of a command by name: NAME=PATH, or a PATH alone for the first of them. */
export function inputTables<Name extends string>(
  args: Arguments,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const tables: Partial<Record<Name, string>> = {};
  for (const text of args.texts("input")) {
    const equals = text.indexOf("=");
    const given = equals < 0 ? undefined : text.slice(0, equals);
    const name = given === undefined || /[/\\:]/.test(given) ? names[0]! : names.find((known) => known === given);
    if (name === undefined) {
      throw new UserError(`--input ${text}: expected one of ${names.map((known) => `${known}=PATH`).join(", ")}`);
    }
    if (tables[name] !== undefined) throw new UserError(`--input: ${name} was given twice`);
    tables[name] = name === given ? text.slice(equals + 1) : text;
  }
  return tables;
}

/** What each step made, and how much of it per URL or document: the amount that a larger run would move. */
export function renderSteps(reports: readonly StepReport[]): string {
  const right = (title: string) => ({ title, right: true });
  const countsItems = ({ step }: StepReport) => step === "urls" || step === "documents";
  let items = reports.find(countsItems);
  const unit = items?.step === "urls" ? "URL" : "document";
  const perItem = (amount: number | undefined) =>
    amount === undefined || !items?.rows ? "" : (amount / items.rows).toFixed(2);
  const rows = reports.map((report) => {
    // Each site has a list of its own.
    if (countsItems(report)) items = report;
    const { step, ms, rows, bytes, resumed } = report;
    return [
      step,
      resumed ? "kept" : (ms / 1000).toFixed(1),
      rows === undefined ? "" : count(rows),
      perItem(rows),
      bytes === undefined ? "" : count(bytes),
      perItem(bytes),
    ];
  });
  const heads = ["seconds", "rows", `a ${unit}`, "bytes", `a ${unit}`].map(right);
  return table([{ title: "step" }, ...heads], rows);
}
