/** Canonization in Lua, for the servers that have it inside: its runtime with the rules as tables. */
import type { Rule } from "../model.js";
import { quoted, type RuntimeLanguage, sourceOf } from "./source-file.js";
import type { SingleAlias } from "./target.js";

/** Lua knows bytes: beyond ASCII each byte of UTF-8 is written by its number. */
const text = (value: string): string =>
  quoted(value, (codePoint) =>
    [...new TextEncoder().encode(String.fromCodePoint(codePoint))]
      .map((byte) => `\\${String(byte).padStart(3, "0")}`)
      .join(""),
  );

const luaLanguage: RuntimeLanguage = {
  file: "canonical.lua",
  emptyList: "local RULES = {}",
  list: (rows) => `local RULES = {\n${rows.map((row) => `  ${row},\n`).join("")}}`,
  row: ({ operation, first, second, start, end, repeat, host, path, script, conditions }) => {
    const texts = Object.entries({ operation, first, second, host, path, script }).flatMap(([key, value]) =>
      value === null ? [] : [`${key} = ${text(value)}`],
    );
    const flags = Object.entries({ at_start: start, at_end: end, is_repeated: repeat }).flatMap(([key, value]) =>
      value ? [`${key} = true`] : [],
    );
    const tests = conditions.map(
      ({ name, isThere, value }) => `[${text(name)}] = ${value === null ? isThere : text(value)}`,
    );
    return `{ ${[...texts, ...flags, ...(tests.length > 0 ? [`parameters = { ${tests.join(", ")} }`] : [])].join(", ")} }`;
  },
  emptyTable: "local ALIASES = {}",
  table: (aliases) =>
    `local ALIASES = {\n${aliases.map(({ from, to }) => `  [${text(from)}] = ${text(to)},\n`).join("")}}`,
};

/** A script that defines the local function `canonical`. */
export function canonicalInLua(rules: readonly Rule[], aliases: readonly SingleAlias[]): string {
  return sourceOf(luaLanguage, rules, aliases);
}
