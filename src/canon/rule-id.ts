import type { RuleAction, Scope } from "../model.js";
import { contentOf } from "./kinds.js";
import { conditionsOf } from "./scope.js";

/**
 * A rule's name, made of what it does and where: the same rule has the same id in every run and on every machine, so
 * that decisions and evidence survive re-mining. Verdicts, support and the like are not part of it.
 *
 * 40 bits: ten thousand rules have a chance of 1 in 20,000 that two share an id, which the rules file then refuses.
 */
export function ruleId(action: RuleAction, scope: Scope): string {
  const { host = null, path = null, script = null } = scope;
  const content = [...contentOf(action), host, path, script, ...conditionContent(scope)];
  return `r-${hash40(JSON.stringify(content))}`;
}

/** One parameter that has to be there is its name alone, as it was when scopes could say nothing else. */
function conditionContent(scope: Scope): unknown[] {
  return conditionsOf(scope).map(([name, condition]) => (condition === true ? name : [name, condition]));
}

/**
 * Ten hex digits of a hash of the text's UTF-16 units: two multiplicative lanes, mixed at the end (the construction
 * known as cyrb53). Not against attackers, but without node:crypto: this runs in browsers too.
 */
export function hash40(text: string): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x9e3779b1);
    b = Math.imul(b ^ code, 0x5f356495);
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return (a >>> 0).toString(16).padStart(8, "0") + (b & 0xff).toString(16).padStart(2, "0");
}
