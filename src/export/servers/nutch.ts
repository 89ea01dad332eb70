/** Apache Nutch: substitutions for its normalizer, by which URLs are rewritten before they are stored or fetched. */
import { parseRulesFile, RULES_FORMAT, RULES_VERSION } from "../../canon/file/rules-file.js";
import { plainAction } from "../../canon/kinds.js";
import { DataError } from "../../errors.js";
import type { Rule } from "../../model.js";
import {
  JAVA_EXPRESSES,
  JAVA_NO_TABLE,
  JAVA_STEPS,
  javaReplacement,
  javaSequence,
  refuseInJava,
  xmlComment,
  xmlText,
} from "../java-regex.js";
import type { Step } from "../rewrite-steps.js";
import { oneLine, type Target } from "../target.js";

export const nutch: Target = {
  name: "nutch",
  title: "Apache Nutch: regex-normalize.xml (urlnormalizer-regex)",
  expresses: JAVA_EXPRESSES,
  uses: ["key"],
  noTable: JAVA_NO_TABLE,
  file: "regex-normalize.xml",
  refuse: refuseInJava,
  write: (rules, notes) => {
    return `<?xml version="1.0" encoding="UTF-8"?>
${xmlComment([
  ...notes.map(oneLine),
  "For conf/regex-normalize.xml; put urlnormalizer-basic before urlnormalizer-regex in urlnormalizer.order.",
  "To check: bin/nutch normalizerchecker -normalizer urlnormalizer-regex -stdin",
  `${SAME_RULES}${documentOf(rules)}`,
])}
${substitutionsOf(rules)}`;
  },
};

/** Canonization in small steps is not a list of rules that could be read back, so the file names its rules as well. */
const SAME_RULES = "The same rules, for dustpan import: ";

/** One line of a comment, in which no two hyphens may follow each other. */
function documentOf(rules: readonly Rule[]): string {
  const own = rules.map((rule) => ({ ...plainAction(rule), scope: rule.scope }));
  const text = JSON.stringify({ format: RULES_FORMAT, version: RULES_VERSION, rules: own });
  return text.replace(/-(?=-)/g, "\\u002d");
}

function substitutionsOf(rules: readonly Rule[]): string {
  const { begin, step, end } = javaSequence(rules);
  const order = [begin, ...Array.from({ length: JAVA_STEPS }, () => step).flat(), end];
  return `<regex-normalize>\n${order.map(regexOf).join("\n")}\n</regex-normalize>\n`;
}

/** The rules that such a file names, if its substitutions are still those of these rules; otherwise undefined. */
export function rulesOfNutchFile(text: string): readonly Rule[] | undefined {
  const lines = text.split(/\r?\n/);
  const named = lines.find((line) => line.trimStart().startsWith(SAME_RULES));
  if (named === undefined) return undefined;
  try {
    const { rules } = parseRulesFile(named.trim().slice(SAME_RULES.length));
    const substitutions = lines.slice(lines.indexOf("<regex-normalize>")).join("\n").trimEnd();
    const isSame =
      rules.every((rule) => refuseInJava(rule) === undefined) && substitutions === substitutionsOf(rules).trimEnd();
    return isSame ? rules : undefined;
  } catch (error) {
    if (error instanceof DataError) return undefined;
    throw error;
  }
}

function regexOf({ pattern, replacement }: Step): string {
  return `<regex><pattern>${xmlText(pattern)}</pattern><substitution>${xmlText(javaReplacement(replacement))}</substitution></regex>`;
}
