import { expect, it } from "vitest";
import { type Exported, exportRules } from "#src/export/export-rules.js";
import { findTarget } from "#src/export/targets.js";
import { type Answer, agree, agreesOnHostileRules, expectAgreement, RULES } from "./agreement.js";
import { keysAreOwn, redirectsAreSafe } from "./safe-requests.js";
import { askRedirects, askServer, reachesServer, serverUrls, urlServer } from "./servers.js";
import { canonicalUnlessTooLong, SYNTH, startVarnish, unlessTooLong } from "./start-varnish.js";

const startWithKeys = ({ text }: Exported) =>
  startVarnish(text, `vcl 4.1;\nbackend default none;\ninclude "dustpan.vcl";\n${SYNTH}`);

async function askForKeys(exported: Exported, urls: readonly string[]): Promise<Answer[]> {
  return askServer(await startWithKeys(exported), urls, canonicalUnlessTooLong);
}

const startRedirecting = ({ text }: Exported) =>
  startVarnish(text, 'vcl 4.1;\nbackend default none;\ninclude "dustpan.vcl";\nsub vcl_recv { return (synth(200)); }');

async function askForRedirects(exported: Exported, urls: readonly string[]): Promise<Answer[]> {
  return unlessTooLong(await askRedirects(await startRedirecting(exported), urls), urls);
}

it("Varnish agrees with canonization: the key", async () => {
  expectAgreement(await agree("varnish", askForKeys, { urls: serverUrls() }));
});

it("Varnish agrees with canonization: redirects, which end after one", async () => {
  const options = { urls: serverUrls(), use: "redirect", label: "varnish, redirects" } as const;
  expectAgreement(await agree("varnish", askForRedirects, options));
});

it("Varnish tells pages apart by what else they depend on, too", async () => {
  const { port: origin, counts } = await urlServer();
  const vcl = `vcl 4.1;
backend default { .host = "127.0.0.1"; .port = "${origin}"; }
sub vcl_hash { hash_data(req.http.X-Currency); }
include "dustpan.vcl";
sub vcl_recv { return (hash); }`;
  const port = await startVarnish(exportRules(RULES, findTarget("varnish")).text, vcl);
  const samePage = ["/story?id=7&sid=1", "/story?id=7&sid=2", "/story_7"].map((target) => `http://forum.test${target}`);
  for (const currency of ["EUR", "USD"]) {
    for (const url of samePage)
      expect(await askServer(port, [url], undefined, `X-Currency: ${currency}\r\n`)).toEqual([samePage[0]]);
  }
  expect(counts.requests).toBe(2);
});

keysAreOwn("varnish", startWithKeys);
redirectsAreSafe("varnish", startRedirecting);

// Each list is compiled from C.
agreesOnHostileRules("varnish", 8, askForKeys, { reaches: reachesServer });
agreesOnHostileRules("varnish", 4, askForRedirects, {
  ...{ reaches: reachesServer, use: "redirect", label: "varnish, redirects" },
});
