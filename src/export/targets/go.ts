/** Go: one file without dependencies. */
import { hex, type Language, languageTarget, quoted } from "../source-file.js";

const literal = (value: string) => quoted(value, (code) => `\\U${hex(code, 8)}`);
const text = (value: string | null) => (value === null ? "nil" : `text(${literal(value)})`);

export const goLanguage: Language = {
  name: "go",
  title: "a Go file without dependencies",
  file: "canonical.go",
  comment: "//",
  emptyList: "var Rules = []Rule{}",
  list: (rows) => `var Rules = []Rule{\n${rows.map((row) => `\t${row},\n`).join("")}}`,
  row: ({ rule, operation, first, second, start, end, repeat, host, path, script, conditions }) => {
    const texts = [host, path, script].map(text);
    const tests = conditions.map(({ name, isThere, value }) => `{${literal(name)}, ${isThere}, ${text(value)}}`);
    const fields = [literal(rule), literal(operation), ...[first, second].map(text), start, end, repeat, ...texts];
    return `{${[...fields, tests.length === 0 ? "nil" : `[]Condition{${tests.join(", ")}}`].join(", ")}}`;
  },
  emptyTable: "var Aliases = map[string]string{}",
  table: (aliases) =>
    `var Aliases = map[string]string{\n${aliases.map(({ from, to }) => `\t${literal(from)}: ${literal(to)},\n`).join("")}}`,
};

export const go = languageTarget(goLanguage);
