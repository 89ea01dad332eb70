/** Where a rule applies, as expressions that have to match, or must not. */
import type { Scope } from "../../model.js";
import { TO_PARAMETER } from "./parameters.js";
import { anythingBut, END, literal, ORIGIN, USER } from "./rewrite.js";

export function scopeConditions({ host, path, script, parameters = {} }: Scope): string[] {
  const conditions: string[] = [];
  if (host !== undefined) {
    const lower = host.toLowerCase();
    const own = lower.startsWith("*.") ? `(?:[^/:? ]*[.])?${literal(lower.slice(2))}` : literal(lower);
    conditions.push(`https?://${USER}${own}(?::[0-9]*)?(?:[/?]|${END})`);
  }
  if (path !== undefined && path !== "/") conditions.push(`${ORIGIN}${literal(path)}`);
  if (script !== undefined) conditions.push(`${ORIGIN}/(?:[^? ]*/)?${literal(script)}(?:;[^/? ]*)?(?:[?]|${END})`);
  for (const [name, condition] of Object.entries(parameters)) {
    if (condition !== false) conditions.push(`${TO_PARAMETER}${literal(name)}(?:[=&;]|${END})`);
  }
  return conditions;
}

/** A parameter that must not be there, or an occurrence whose value is not the one that every occurrence must have. */
export function scopeExceptions({ parameters = {} }: Scope): string[] {
  return Object.entries(parameters).flatMap(([name, condition]) => {
    if (condition === true) return [];
    const own = `${TO_PARAMETER}${literal(name)}`;
    if (condition === false) return [`${own}(?:[=&;]|${END})`];
    const other = `=${anythingBut(condition, "&; ")}`;
    return [`${own}(?:${condition === "" ? other : `(?:${other})?`})(?:[&;]|${END})`];
  });
}
