/** Canonization by regular expressions of Java, for crawlers that do a list of substitutions in turn. */
import type { Rule } from "../model.js";
import { type SequenceParts, stepsInTurn } from "./rewrite-steps.js";
import type { Piece } from "./rewrites/rewrite.js";
import { rewritesOf } from "./rewrites/rules.js";
import { textsOf } from "./steps.js";

/** Java's expressions recurse: a query with thousands of parameters would overflow a thread's stack. */
export const JAVA_LENGTH = 2000;
export const JAVA_STEPS = 12;

export const JAVA_EXPRESSES =
  "all but the order of parameters, letter case and repeated parameters of any name; " +
  `a URL of more than ${JAVA_LENGTH} characters, or that needs more than ${JAVA_STEPS} steps, stays as it is`;

export const JAVA_NO_TABLE = "it has a list of expressions, all of which are tried on every URL";

export function refuseInJava(rule: Rule): string | undefined {
  const rewrites = rewritesOf(rule);
  if (typeof rewrites === "string") return rewrites;
  return textsOf(rule).some((text) => /[\ufffe\uffff]/.test(text))
    ? "it has a character that XML has no place for"
    : undefined;
}

export function javaSequence(rules: readonly Rule[]): SequenceParts {
  return stepsInTurn(
    rules.map(rewritesOf).filter((rewrites) => typeof rewrites !== "string"),
    JAVA_LENGTH,
  );
}

/** As Matcher.replaceAll and appendReplacement read it. */
export function javaReplacement(pieces: readonly Piece[]): string {
  return pieces.map((piece) => (typeof piece === "number" ? `$${piece}` : piece.replace(/[\\$]/g, "\\$&"))).join("");
}

export function xmlText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** Notes as a comment, which must not have two hyphens in a row. */
export function xmlComment(notes: readonly string[]): string {
  return `<!--\n${notes.map((note) => `  ${note.replace(/-(?=-)|-$/g, "- ")}\n`).join("")}-->`;
}
