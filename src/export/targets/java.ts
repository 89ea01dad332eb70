/** Java: one class without dependencies. */
import { hex, type Language, languageTarget, quoted } from "../source-file.js";

/** Octal below the space: a \u there would be read before the literal is. Two units above U+FFFF. */
function escaped(code: number): string {
  if (code < 0x20) return `\\${code.toString(8).padStart(3, "0")}`;
  const units = String.fromCodePoint(code).split("");
  return units.map((unit) => `\\u${hex(unit.charCodeAt(0), 4)}`).join("");
}

const text = (value: string | null) => (value === null ? "null" : quoted(value, escaped));

export const javaLanguage: Language = {
  name: "java",
  title: "a Java class (17 or newer) without dependencies",
  file: "Canonical.java",
  comment: "//",
  emptyList: "RULES = List.of();",
  list: (rows) => `RULES =\n      List.of(\n${rows.map((row) => `          ${row}`).join(",\n")});`,
  row: ({ rule, operation, first, second, start, end, repeat, host, path, script, parameter }) =>
    `new Rule(${[text(rule), text(operation), ...[first, second].map(text), start, end, repeat, ...[host, path, script, parameter].map(text)].join(", ")})`,
};

export const java = languageTarget(javaLanguage);
