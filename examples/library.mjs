// A log in, canonical URLs out: likely rules from the log, proven on the live site.
//
//     node examples/library.mjs access.log https://www.example.com [HOST:ADDRESS...] < urls.txt
import { text } from "node:stream/consumers";
import { add, detectDefaults, eliminateDefaults, mine, validate, validateDefaults, Workspace } from "dustpan";
import { compile, describeRule } from "dustpan/canon";

const [log, site, ...resolve] = process.argv.slice(2);
// One DuckDB file. An interrupted validation goes on from it.
const workspace = Workspace.at("library-example.duckdb");
const context = { onProgress: () => {}, signal: AbortSignal.timeout(600_000) };

await add(workspace, [log], { snapshot: "default", text: false }, () => {}, context);
const mined = await mine(workspace, { ...detectDefaults, ...eliminateDefaults }, context);
const likely = mined.sites.flatMap(({ rules }) => rules);

// Only this site is asked, once a second unless it is your own.
const fetch = { sites: [site], resolve, delayMs: Number(process.env.DELAY_MS ?? 1000) };
const { rules } = await validate(workspace, likely, { ...validateDefaults, fetch }, context);
for (const rule of rules) if (rule.status === "valid") console.error(`proven: ${describeRule(rule)}`);

// Only rules that are proven, or that a person accepted, are used.
const canon = compile(rules);
for (const url of (await text(process.stdin)).split("\n").filter(Boolean)) console.log(canon(url));
