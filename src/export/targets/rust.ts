/** Rust: one file without dependencies. */
import { hex, type Language, languageTarget, quoted } from "../source-file.js";

const literal = (value: string) => quoted(value, (code) => `\\u{${hex(code, 1)}}`);
const text = (value: string | null) => (value === null ? "None" : `Some(${literal(value)})`);

export const rustLanguage: Language = {
  name: "rust",
  title: "a Rust file without dependencies",
  file: "canonical.rs",
  comment: "//",
  emptyList: "pub static RULES: &[Rule] = &[];",
  list: (rows) => `pub static RULES: &[Rule] = &[\n${rows.map((row) => `    ${row},\n`).join("")}];`,
  row: ({ rule, operation, first, second, start, end, repeat, host, path, script, conditions }) => {
    const texts = Object.entries({ first, second, host, path, script });
    const fields = texts.map(([name, value]) => `${name}: ${text(value)}`);
    const flags = `at_start: ${start}, at_end: ${end}, repeated: ${repeat}`;
    const tests = conditions.map(
      ({ name, isThere, value }) => `Condition { name: ${literal(name)}, is_there: ${isThere}, value: ${text(value)} }`,
    );
    const rest = `${flags}, ${fields.join(", ")}, conditions: &[${tests.join(", ")}]`;
    return `Rule { id: ${literal(rule)}, operation: ${literal(operation)}, ${rest} }`;
  },
  emptyTable: "pub static ALIASES: &[(&str, &str)] = &[];",
  // In the order of bytes, in which it is searched.
  table: (aliases) => {
    const sorted = [...aliases].sort((a, b) => Buffer.compare(Buffer.from(a.from), Buffer.from(b.from)));
    const rows = sorted.map(({ from, to }) => `    (${literal(from)}, ${literal(to)}),\n`);
    return `pub static ALIASES: &[(&str, &str)] = &[\n${rows.join("")}];`;
  },
};

export const rust = languageTarget(rustLanguage);
