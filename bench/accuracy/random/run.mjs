// The whole pipeline on a random site, in process: its log is read, mined and validated against its answers, as `dustpan
// run` does with defaults; then what the rules in use do to the log's URLs is held against the truth.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { compile, describeRule, rulesInUse } from "#src/canon/index.js";
import { add } from "#src/jobs/add.js";
import { mergeMined } from "#src/jobs/merge-mined.js";
import { mine } from "#src/jobs/mine.js";
import { validate, validateDefaults } from "#src/jobs/validate.js";
import { toStrings } from "#src/store/columns.js";
import { readUrls } from "#src/store/urls/url-lists.js";
import { Workspace } from "#src/store/workspace.js";
import { miningDefaults } from "../defaults.mjs";
import { reachOf } from "./reach.mjs";

/** `dustpan validate --budget`. */
const BUDGET = 10_000;

const context = { onProgress: () => {}, signal: new AbortController().signal };

/** What came of a site: see `Measured` in run.d.mts. With `rules`, these are proven instead of what is mined. */
export async function runOnSite(site, { seed = 1, rules: given, onValidated = () => {} } = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), "dustpan-random-"));
  const startMs = performance.now();
  const workspace = Workspace.inMemory();
  try {
    const log = path.join(folder, "access.log");
    writeFileSync(log, formatLog(site.log));
    const world = inProcess(site);
    await add(workspace, [log], { snapshot: "default", text: false }, () => {}, context);
    const mined = async () =>
      mergeMined(undefined, await mine(workspace, miningDefaults, context), miningDefaults).rules;
    const validating = {
      ...validateDefaults,
      seed,
      fetch: { sites: [...new Set(site.origins.map((origin) => new URL(origin).host))], maxRequests: BUDGET },
      effects: world.effects,
    };
    const validated = await validate(workspace, given ?? (await mined()), validating, context);
    onValidated(validated);
    const urls = toStrings(await readUrls(workspace, { by: "all" }));
    const { rules } = rulesInUse(validated.rules);
    const canon = compile(rules, { use: (rule) => rule });
    return {
      ...judge(site, urls, canon),
      rules: rules.map(describeRule),
      requests: world.requests(),
      certificates: validated.certificates,
      stopped: validated.stopped,
      seconds: (performance.now() - startMs) / 1000,
    };
  } finally {
    workspace.close();
    rmSync(folder, { recursive: true });
  }
}

/** Canonization against the truth, over the log's URLs. */
export function judge(site, urls, canon) {
  const wrong = [];
  const live = [];
  /** By page: the canonical URLs that show it. */
  const shown = new Map();
  let changed = 0;
  let gone = 0;
  for (const url of urls) {
    const page = site.truth(url);
    const to = canon(url);
    if (page === null) {
      if (to !== url) gone++;
      continue;
    }
    live.push(url);
    const isRight = to === url || site.truth(to) === page;
    if (to !== url) changed++;
    if (!isRight)
      wrong.push({ url, to, shows: site.truth(to) === null ? "nothing" : "another page", steps: stepsOf(canon, url) });
    const copies = shown.get(page) ?? new Set();
    shown.set(page, copies.add(isRight ? to : url));
  }
  const kept = [...shown.values()].reduce((sum, copies) => sum + copies.size, 0);
  const reach = reachOf(site, live);
  const merged = live.length - kept;
  return {
    urls: urls.length,
    live: live.length,
    /** Live URLs that canonization changes; and those that show no page any more, which it changes too. */
    changed,
    changedGone: gone,
    wrong,
    duplicates: live.length - shown.size,
    reach: reach.merged,
    merged,
    missed: reach.missedBy(canon),
  };
}

const stepsOf = (canon, url) => canon.explain(url).steps.map(({ rule, after }) => `${describeRule(rule)} => ${after}`);

/** The site instead of a network, and a clock that nobody waits for. */
export function inProcess(site) {
  let nowMs = Date.UTC(2026, 0, 5, 8);
  let requests = 0;
  const request = async ({ origin, path: target }) => {
    nowMs += 5;
    const { status, headers, html } = site.answer(`${origin}${target}`, requests++);
    const body = Object.assign(Readable.from(html === "" ? [] : [Buffer.from(html)]), { dump: async () => {} });
    return { statusCode: status, headers, body };
  };
  return {
    requests: () => requests,
    effects: {
      now: () => nowMs,
      sleep: async (ms) => {
        nowMs += ms;
      },
      deadline: () => () => {},
      lookup: async () => [{ address: "93.184.216.34", family: 4 }],
      dispatcher: { request },
    },
  };
}

export function formatLog(log) {
  const lines = log.map(({ url, status, bytes }, i) => {
    const minute = String(Math.floor(i / 60) % 60).padStart(2, "0");
    const second = String(i % 60).padStart(2, "0");
    return `192.0.2.1 - - [04/Jan/2026:10:${minute}:${second} +0000] "GET ${url} HTTP/1.1" ${status} ${bytes} "-" "Mozilla/5.0"`;
  });
  return `${lines.join("\n")}\n`;
}
