import { it } from "vitest";
import type { Exported } from "#src/export/export-rules.js";
import { VCL_LENGTH } from "#src/export/vcl.js";
import { type Answer, agree, agreesOnHostileRules, expectAgreement } from "./agreement.js";
import { keysAreOwn, redirectsAreSafe } from "./safe-requests.js";
import { askRedirects, askServer, type HttpAnswer, reachesServer, serverUrls } from "./servers.js";
import { startVarnish } from "./start-varnish.js";

/** A longer URL keeps its own key, as the file says: that counts as refused. */
function canonicalUnlessTooLong({ status, body }: HttpAnswer, url: string): Answer {
  return status !== 200 || (body === url && url.length > VCL_LENGTH) ? undefined : body;
}

const SYNTH = `sub vcl_recv { return (synth(200)); }
sub vcl_synth { set resp.body = req.http.X-Canonical-URL; return (deliver); }`;

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

/** What its file says to call. */
const FASTLY = 'vcl 4.1;\nimport std;\nbackend default none;\ninclude "dustpan.vcl";\nsub vcl_recv { call dustpan; }\n';

async function askFastly({ text }: Exported, urls: readonly string[]): Promise<Answer[]> {
  return askServer(await startVarnish(text, `${FASTLY}${SYNTH}`), urls, canonicalUnlessTooLong);
}

it("Fastly's subroutines agree with canonization, in Varnish", async () => {
  expectAgreement(await agree("fastly", askFastly, { urls: serverUrls() }));
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
agreesOnHostileRules("fastly", 4, askFastly, { reaches: reachesServer });
