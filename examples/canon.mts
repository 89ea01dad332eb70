import { readFileSync } from "node:fs";
import { compile, parseRulesFile } from "dustpan/canon"; // no dependency, no I/O: browsers and edge workers too

const { rules } = parseRulesFile(readFileSync("dustpan.rules.json", "utf8"));
const canon = compile(rules); // those that are proven or accepted
console.log(canon("http://www.forum.test/story.php?id=7&sid=8d3f")); // http://forum.test/story_7
for (const { rule, after } of canon.explain("http://www.forum.test/story_7").steps) console.log(rule.id, after);
