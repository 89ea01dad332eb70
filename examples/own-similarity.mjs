// Rules proven on pages from anywhere, with a similarity of one's own: here a shop's pages are the same if they sell the same product.
//
//     node examples/own-similarity.mjs
import { validateDefaults, validateRules } from "dustpan";
import { compile, describeRule, parseRulesFile } from "dustpan/canon";

// What the shop shows: colours are only a view, sizes are products of their own.
const urls = [];
for (let product = 1; product <= 30; product++) {
  for (const view of ["", "&colour=red", "&colour=blue", "&size=xl"])
    urls.push(`http://shop.test/item?id=${product}${view}`);
}
const productAt = (url) => {
  const { searchParams } = new URL(url);
  return { product: `${searchParams.get("id")} ${searchParams.get("size") ?? ""}` };
};

// One look at a page, and what two pages are to each other. `certain` says that one difference is enough to refute.
const pages = {
  leftAlone: () => undefined,
  view: async (url) => ({ seen: "page", page: productAt(url) }),
  compare: ([a], [b]) => ({
    sameness: a.product === b.product ? "same" : "different",
    lookAgain: false,
    certain: true,
  }),
  declared: () => undefined,
};

const likely = ["colour", "size"].map((name) => ({ kind: "parameter", name, action: "remove", status: "likely" }));
const { rules } = parseRulesFile(JSON.stringify({ format: "dustpan-rules", version: 1, rules: likely }));
const options = { ...validateDefaults, similarity: "same product", now: () => new Date() };
const events = { onDraw: () => {}, onVerdict: () => {} };
const context = { onProgress: () => {}, signal: new AbortController().signal };
const { rules: decided } = await validateRules(rules, urls, pages, options, events, context);

for (const rule of decided) console.log(`${describeRule(rule)}: ${rule.status}`);
console.log(compile(decided)("http://shop.test/item?id=7&colour=red&size=xl"));
