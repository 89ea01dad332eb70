/** Java: one class without dependencies. */
import { hex, type Language, languageTarget, quoted } from "../source-file.js";
import type { SingleAlias } from "../target.js";

/** Octal below the space: a \u there would be read before the literal is. Two units above U+FFFF. */
function escaped(code: number): string {
  if (code < 0x20) return `\\${code.toString(8).padStart(3, "0")}`;
  const units = String.fromCodePoint(code).split("");
  return units.map((unit) => `\\u${hex(unit.charCodeAt(0), 4)}`).join("");
}

const text = (value: string | null) => (value === null ? "null" : quoted(value, escaped));

/** A method holds 64 kB of code at most: a long list of rules is divided. */
const ROWS_IN_A_METHOD = 200;
/** And a class 65,535 constants: a long list of aliases is divided among classes. */
const ALIASES_IN_A_CLASS = 2000;

function listOf(rows: readonly string[]): string {
  const parts: string[] = [];
  for (let from = 0; from < rows.length; from += ROWS_IN_A_METHOD) {
    const own = rows.slice(from, from + ROWS_IN_A_METHOD).map((row) => `        ${row}`);
    parts.push(
      `  private static List<Rule> rules${parts.length}() {\n    return List.of(\n${own.join(",\n")});\n  }\n`,
    );
  }
  const all = parts.map((_, i) => `rules${i}()`).join(", ");
  return `RULES = Stream.<List<Rule>>of(${all}).flatMap(List::stream).toList();\n\n${parts.join("\n")}`;
}

function tableOf(aliases: readonly SingleAlias[]): string {
  const classes: string[] = [];
  for (let from = 0; from < aliases.length; from += ALIASES_IN_A_CLASS) {
    const own = aliases.slice(from, from + ALIASES_IN_A_CLASS);
    const lines = own.map((alias) => `      all.put(${text(alias.from)}, ${text(alias.to)});\n`);
    classes.push(`  private static final class Aliases${classes.length} {
    static void addTo(Map<String, String> all) {
${lines.join("")}    }
  }
`);
  }
  const calls = classes.map((_, i) => `    Aliases${i}.addTo(all);\n`);
  return `ALIASES = aliases();

  private static Map<String, String> aliases() {
    Map<String, String> all = new HashMap<>();
${calls.join("")}    return all;
  }

${classes.join("\n")}`;
}

export const javaLanguage: Language = {
  name: "java",
  title: "a Java class (17 or newer) without dependencies",
  file: "Canonical.java",
  comment: "//",
  emptyList: "RULES = Stream.<Rule>of().toList();",
  list: listOf,
  row: ({ rule, operation, first, second, start, end, repeat, host, path, script, conditions }) => {
    const tests = conditions.map(
      ({ name, isThere, value }) => `new Condition(${[text(name), isThere, text(value)].join(", ")})`,
    );
    const texts = [rule, operation, first, second].map(text);
    const fields = [...texts, start, end, repeat, ...[host, path, script].map(text), `List.of(${tests.join(", ")})`];
    return `new Rule(${fields.join(", ")})`;
  },
  emptyTable: "ALIASES = Map.of();",
  table: tableOf,
};

export const java = languageTarget(javaLanguage);
