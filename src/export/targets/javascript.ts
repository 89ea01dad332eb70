/** JavaScript: a module of one file without dependencies, for Node, Deno, Bun, browsers and workers. */
import { canonicalAsJavaScript } from "../javascript-module.js";
import type { Target } from "../target.js";

export const javascript: Target = {
  name: "javascript",
  title: "a JavaScript module (ESM) without dependencies",
  expresses: "every rule: it carries dustpan's own canonization",
  uses: ["key"],
  file: "canonical.mjs",
  refuse: () => undefined,
  write: (rules, notes, _use, aliases) => `${canonicalAsJavaScript(rules, notes, aliases)}\nexport { canonical };\n`,
};
