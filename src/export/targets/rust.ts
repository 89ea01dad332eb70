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
  row: ({ rule, operation, first, second, start, end, repeat, host, path, script, parameter }) => {
    const texts = { first, second, host, path, script, parameter };
    const fields = Object.entries(texts).map(([name, value]) => `${name}: ${text(value)}`);
    const flags = `at_start: ${start}, at_end: ${end}, repeated: ${repeat}`;
    return `Rule { id: ${literal(rule)}, operation: ${literal(operation)}, ${flags}, ${fields.join(", ")} }`;
  },
};

export const rust = languageTarget(rustLanguage);
