/** Parameters as regular expressions: one is removed, set, or kept once, whatever separates it from the others. */
import { anythingBut, type Draft, END, literal, ORIGIN, plain } from "./rewrite.js";

/** One parameter with the separator after it. A ";" after "amp" alone belongs to the next name. */
const NOT_AMP = "(?:a?|am|[^a&; ][^&; ]*|a[^m&; ][^&; ]*|am[^p&; ][^&; ]*|amp[^&; ]+)";
const PARAMETER = `(?:amp;)*(?:[^&; ]*&|${NOT_AMP};)`;
/** After the "?", at the beginning of any parameter; the nearest first. */
export const TO_PARAMETER = `[^? ]*[?](?:${PARAMETER})*?`;
/** The same, up to the separator before a parameter, which follows and is "&" or ";". */
const beforeSeparator: readonly (readonly [pattern: string, separator: string])[] = [
  [`${TO_PARAMETER}(?:amp;)*[^&; ]*`, "&"],
  [`${TO_PARAMETER}(?:amp;)*${NOT_AMP}`, ";"],
];
const REST = "((?:[&;][^ ]*)?)";
/** After a parameter "amp": if what follows the next one is ";c", that would become "amp;c". Canonization writes "&". */
const BARE_AMP = "[^? ]*[?](?:[^ ]*[&;])?amp&";

/** Removes runs of parameters that match `own`, which is a name with its value. */
export function remove(own: string): Draft[] {
  const run = `${own}(?:[&;]${own})*`;
  return [
    plain(`(${BARE_AMP})${run};([^ ]*)${END}`, [1, 2]),
    ...beforeSeparator.map(([before, separator]) => plain(`(${before})${separator}${run}${REST}${END}`, [1, 2])),
    plain(`([^? ]*[?])${run}[&;]([^ ]*)${END}`, [1, 2]),
    plain(`([^? ]*)[?]${run}${END}`, [1]),
  ];
}

/** Also the empty parameter in "&&" and after a bare "?". */
export function removeAllEmpty(): Draft[] {
  const notAmp = NOT_AMP.replaceAll("&; ]", "&;= ]");
  const withEqualsOrNotAmp = `(?:[^&;= ]*=|${notAmp})`;
  const beforeAmpersand = "(?:amp;)*[^&;= ]*=?";
  const beforeSemicolon = `(?:amp;)*${withEqualsOrNotAmp}`;
  const leading = `(?:${beforeAmpersand}&|${beforeSemicolon};)`;
  return [
    plain(`([^? ]*)[?]${leading}*${beforeAmpersand}${END}`, [1]),
    plain(`([^? ]*[?])${leading}+([^ ]*)${END}`, [1, 2]),
    ...beforeSeparator.map(([before, separator]) =>
      plain(`(${before})${separator}${beforeAmpersand}((?:&[^ ]*)?)${END}`, [1, 2]),
    ),
    ...beforeSeparator.map(([before, separator]) =>
      plain(`(${before})${separator}${beforeSemicolon}(;[^ ]*)${END}`, [1, 2]),
    ),
  ];
}

export function setInQuery({ name, value }: { readonly name: string; readonly value: string }): Draft[] {
  const other = anythingBut(value, "&; ");
  return [plain(`(${TO_PARAMETER}${literal(name)})(?:=${other})?${REST}${END}`, [1, `=${value}`, 2])];
}

export function keepFirst(name: string): Draft[] {
  const own = `${literal(name)}(?:=[^&; ]*)?`;
  const run = `${own}(?:[&;]${own})*`;
  const first = `${TO_PARAMETER}${own}`;
  const between = (text: string) => text.replace("[^? ]*[?]", `${first}[&;]`);
  return [
    plain(`(${first})[&;]${run}${REST}${END}`, [1, 2]),
    plain(`(${first}[&;](?:[^ ]*[&;])?amp&)${run};([^ ]*)${END}`, [1, 2]),
    ...beforeSeparator.map(([before, separator]) =>
      plain(`(${between(before)})${separator}${run}${REST}${END}`, [1, 2]),
    ),
  ];
}

export function keepLast(name: string): Draft[] {
  const own = `${literal(name)}(?:=[^&; ]*)?`;
  const later = `(?:${PARAMETER})*?${own}(?:[&;][^ ]*)?`;
  return [
    plain(`(${BARE_AMP})${own};(${later})${END}`, [1, 2]),
    plain(`([^? ]*[?])${own}[&;](${later})${END}`, [1, 2]),
    ...beforeSeparator.map(([before, separator]) => plain(`(${before})${separator}${own}([&;]${later})${END}`, [1, 2])),
  ];
}

const IN_PATH = `${ORIGIN}/[^? ]*?`;
const REST_OF_PATH = "((?:[;/?][^ ]*)?)";

export function removeFromPath(name: string): Draft[] {
  return [plain(`(${IN_PATH})(?:;${literal(name)}=[^;/? ]*)+${REST_OF_PATH}${END}`, [1, 2])];
}

export function setInPath({ name, value }: { readonly name: string; readonly value: string }): Draft[] {
  const other = anythingBut(value, ";/? ");
  return [plain(`(${IN_PATH};${literal(name)}=)${other}${REST_OF_PATH}${END}`, [1, value, 2])];
}
