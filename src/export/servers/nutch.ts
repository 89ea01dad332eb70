/** Apache Nutch: substitutions for its normalizer, by which URLs are rewritten before they are stored or fetched. */
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
    const { begin, step, end } = javaSequence(rules);
    const order = [begin, ...Array.from({ length: JAVA_STEPS }, () => step).flat(), end];
    return `<?xml version="1.0" encoding="UTF-8"?>
${xmlComment([
  ...notes.map(oneLine),
  "For conf/regex-normalize.xml; put urlnormalizer-basic before urlnormalizer-regex in urlnormalizer.order.",
])}
<regex-normalize>
${order.map(regexOf).join("\n")}
</regex-normalize>
`;
  },
};

function regexOf({ pattern, replacement }: Step): string {
  return `<regex><pattern>${xmlText(pattern)}</pattern><substitution>${xmlText(javaReplacement(replacement))}</substitution></regex>`;
}
