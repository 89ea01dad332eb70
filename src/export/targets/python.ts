/** Python: one file without dependencies. */
import { hex, type Language, languageTarget, quoted } from "../source-file.js";

const text = (value: string | null) => (value === null ? "None" : quoted(value, (code) => `\\U${hex(code, 8)}`));
const flag = (value: boolean) => (value ? "True" : "False");

export const pythonLanguage: Language = {
  name: "python",
  title: "a Python module without dependencies",
  file: "canonical.py",
  comment: "#",
  emptyList: "RULES = []",
  list: (rows) => `RULES = [\n${rows.map((row) => `    ${row},\n`).join("")}]`,
  row: ({ rule, operation, first, second, start, end, repeat, host, path, script, conditions }) => {
    const flags = [start, end, repeat].map(flag);
    const tests = conditions.map(
      ({ name, isThere, value }) => `(${[text(name), flag(isThere), text(value)].join(", ")})`,
    );
    const fields = [...[rule, operation, first, second].map(text), ...flags, ...[host, path, script].map(text)];
    return `(${[...fields, `[${tests.join(", ")}]`].join(", ")})`;
  },
  emptyTable: "ALIASES = {}",
  table: (aliases) => `ALIASES = {\n${aliases.map(({ from, to }) => `    ${text(from)}: ${text(to)},\n`).join("")}}`,
};

export const python = languageTarget(pythonLanguage);
