import { it } from "vitest";
import type { Exported } from "#src/export/export-rules.js";
import { VCL_LENGTH } from "#src/export/vcl.js";
import { type Answer, agree, agreesOnHostileRules, expectAgreement } from "./agreement.js";
import { keysAreOwn, redirectsAreSafe } from "./safe-requests.js";
import { askRedirects, askServer, reachesServer, serverUrls } from "./servers.js";
import { canonicalUnlessTooLong, SYNTH, startVarnish } from "./start-varnish.js";

const startWithKeys = ({ text }: Exported) =>
  startVarnish(text, `vcl 4.1;\nbackend default none;\ninclude "dustpan.vcl";\n${SYNTH}`);

async function askForKeys(exported: Exported, urls: readonly string[]): Promise<Answer[]> {
  return askServer(await startWithKeys(exported), urls, canonicalUnlessTooLong);
}

const startRedirecting = ({ text }: Exported) =>
  startVarnish(text, 'vcl 4.1;\nbackend default none;\ninclude "dustpan.vcl";\nsub vcl_recv { return (synth(200)); }');

async function askForRedirects(exported: Exported, urls: readonly string[]): Promise<Answer[]> {
  const targets = await askRedirects(await startRedirecting(exported), urls);
  return targets.map((target, i) => (target === urls[i] && target!.length > VCL_LENGTH ? undefined : target));
}

it("Varnish agrees with canonization: the key", async () => {
  expectAgreement(await agree("varnish", askForKeys, { urls: serverUrls() }));
});

it("Varnish agrees with canonization: redirects, which end after one", async () => {
  const options = { urls: serverUrls(), use: "redirect", label: "varnish, redirects" } as const;
  expectAgreement(await agree("varnish", askForRedirects, options));
});

keysAreOwn("varnish", startWithKeys);
redirectsAreSafe("varnish", startRedirecting);

// Each list is compiled from C.
agreesOnHostileRules("varnish", 8, askForKeys, { reaches: reachesServer });
agreesOnHostileRules("varnish", 4, askForRedirects, {
  ...{ reaches: reachesServer, use: "redirect", label: "varnish, redirects" },
});
