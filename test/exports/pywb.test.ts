/** pywb: an archive with one capture of each page, and requests for its other URLs. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { asTheyAre, compile } from "#src/canon/compile.js";
import { type Exported, exportRules } from "#src/export/export-rules.js";
import { findTarget } from "#src/export/targets.js";
import { type Answer, agree, agreementUrls, expectAgreement, isUrl, temporaryFolder } from "./agreement.js";
import { hostileRuleLists, urlsAbout } from "./hostile-rules.js";
import { freePort, type HttpAnswer, request, startServer } from "./servers.js";
import { pythonPackages, run } from "./tools.js";

/** A record for each URL, whose text is that URL. */
const WRITE_ARCHIVE = `
import io, json, sys
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter
with open("captures.warc.gz", "wb") as file:
    writer = WARCWriter(file)
    for url in json.load(sys.stdin):
        headers = StatusAndHeaders("200 OK", [("Content-Type", "text/plain")], protocol="HTTP/1.0")
        writer.write_record(writer.create_warc_record(url, "response", payload=io.BytesIO(url.encode()), http_headers=headers))
`;

/** Of URLs from here on it refuses some. */
const LONG = 4000;

/** What pywb takes for one URL, whatever the rules are. */
const KEYS = `
import json, sys
from pywb.utils.canonicalize import canonicalize
print(json.dumps([canonicalize(url) for url in json.load(sys.stdin)]))
`;

/** Of each page one URL is captured, drawn from all of its; of every tenth page none. A capture of the same page is the right answer. */
async function askPywb({ text, rules }: Exported, asked: readonly string[]): Promise<Answer[]> {
  const python = pythonPackages("pywb", "pywb==2.10.*");
  const program = (name: string) => path.join(path.dirname(python), name);
  const canon = compile(rules, { use: asTheyAre });
  const canonical = asked.map(canon);
  const keys: string[] = JSON.parse(run(python, ["-c", KEYS], { input: JSON.stringify(canonical) }));
  const pages = new Map<string, string[]>();
  for (const [i, url] of asked.entries()) pages.set(keys[i]!, [...(pages.get(keys[i]!) ?? []), url]);
  const captured = new Map([...pages].flatMap(([key, own], i) => (i % 10 === 0 ? [] : [[key, own[i % own.length]!]])));
  const folder = temporaryFolder("pywb");
  run(python, ["-c", WRITE_ARCHIVE], { cwd: folder, input: JSON.stringify([...captured.values()]) });
  writeFileSync(path.join(folder, "dustpan-rules.yaml"), text);
  writeFileSync(path.join(folder, "config.yaml"), "rules_file: dustpan-rules.yaml\n");
  run(program("wb-manager"), ["init", "pages"], { cwd: folder });
  run(program("wb-manager"), ["add", "pages", "captures.warc.gz"], { cwd: folder });
  const port = await freePort();
  await startServer(program("wayback"), ["-b", "127.0.0.1", "-p", String(port)], port, { cwd: folder });
  const collection = "/pages/2026id_/";
  const ask = (urls: readonly string[]) =>
    request(
      port,
      urls.map((url) => ({ host: `127.0.0.1:${port}`, target: `${collection}${url}` })),
      2,
    );
  // Where a capture's path ends in a slash, it sends whoever asked without one to the URL with it.
  const first = await ask(asked);
  const reached = asked.map((url, i) => {
    const location = first[i]?.status === 307 ? first[i].headers.get("location") : undefined;
    return location === undefined ? url : location.slice(location.indexOf(collection) + collection.length);
  });
  const again = await ask(reached.filter((url, i) => url !== asked[i]));
  const answers = first.map((answer, i) => (reached[i] === asked[i] ? answer : again.shift()));
  const isRight = (answer: HttpAnswer | undefined, i: number) =>
    captured.has(keys[i]!) ? answer?.status === 200 : answer?.status === 404;
  const found = answers.map((answer, i): Answer => {
    if (answer?.status === 200) return isRight(answer, i) ? canon(answer.body) : `a capture: ${answer.body}`;
    // Where nothing was captured, none is what canonization says too.
    return isRight(answer, i) ? canonical[i] : undefined;
  });
  // It asks for what begins with the URL, and by its keys "/a?sid=1" does not begin with "/a/".
  const missed = reached.filter((_, i) => found[i] === undefined);
  const others = missed.filter((url) => !/^[^?]*\/$/.test(url) && url.length < LONG);
  // Its keys leave out some session ids by themselves, and where they stand then matters. Nothing wrong is shown.
  expect(others.length).toBeLessThanOrEqual(Math.max(5, 0.01 * asked.length));
  const known = new Map(canonical.map((url, i) => [url, keys[i]!]));
  return found.map((each, i) => (each !== undefined && known.get(each) === keys[i] ? canonical[i] : each));
}

it("replays for each URL a capture with the same canonical URL, or none", async () => {
  // Sessions, so that most requests are for URLs that were not captured.
  const urls = [...new Set(agreementUrls())].flatMap((url, i) => {
    const plain = url
      .toLowerCase()
      .replaceAll(";", "&")
      .replace(/^http:\/\/www\./, "http://");
    return [plain, `${plain}${plain.includes("?") ? "&" : "?"}sid=${i}`];
  });
  // A search looks through all captures below a path: more URLs would take it minutes.
  const asked = [...new Set(urls)].filter(findTarget("pywb").covers!.test).slice(0, 5400);
  const agreement = await agree("pywb", askPywb, { urls: asked });
  expectAgreement(agreement);
  expect(agreement.changed).toBeGreaterThan(2000);
});

it("agrees on hostile rules, all at once, since it takes seconds to start", async () => {
  const lists = hostileRuleLists(100, 61 + Number(process.env.DUSTPAN_SEED ?? 0), ["parameter"]);
  const rules = [...new Map(lists.flat().map((rule) => [rule.id, rule])).values()];
  const { rules: taken } = exportRules(rules, findTarget("pywb"));
  expect(taken.length).toBeGreaterThan(20);
  const urls = urlsAbout(taken, 1500, 1);
  const { different, changed } = await agree("pywb", askPywb, {
    rules,
    urls,
    reaches: isUrl,
    label: "pywb, hostile rules",
  });
  expect(different.slice(0, 5)).toEqual([]);
  expect(changed).toBeGreaterThan(200);
});
