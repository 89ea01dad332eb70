import { it } from "vitest";
import type { Exported } from "#src/export/export-rules.js";
import { VCL_LENGTH } from "#src/export/vcl.js";
import { type Answer, agree, agreesOnHostileRules, expectAgreement } from "./agreement.js";
import { askRedirects, askServer, type HttpAnswer, reachesServer, serverUrls } from "./servers.js";
import { startVarnish } from "./start-varnish.js";

/** A longer URL keeps its own key, as the file says: that counts as refused. */
function canonicalUnlessTooLong({ status, body }: HttpAnswer, url: string): Answer {
  return status !== 200 || (body === url && url.length > VCL_LENGTH) ? undefined : body;
}

const SYNTH = `sub vcl_recv { return (synth(200)); }
sub vcl_synth { set resp.body = req.http.X-Canonical-URL; return (deliver); }`;

async function askForKeys({ text }: Exported, urls: readonly string[]): Promise<Answer[]> {
  const vcl = `vcl 4.1;\nbackend default none;\ninclude "dustpan.vcl";\n${SYNTH}`;
  return askServer(await startVarnish(text, vcl), urls, canonicalUnlessTooLong);
}

async function askForRedirects({ text }: Exported, urls: readonly string[]): Promise<Answer[]> {
  const vcl = 'vcl 4.1;\nbackend default none;\ninclude "dustpan.vcl";\nsub vcl_recv { return (synth(200)); }';
  const targets = await askRedirects(await startVarnish(text, vcl), urls);
  return targets.map((target, i) => (target === urls[i] && target!.length > VCL_LENGTH ? undefined : target));
}

it("Varnish agrees with canonization: the key", async () => {
  expectAgreement(await agree("varnish", askForKeys, { urls: serverUrls() }));
});

it("Fastly's subroutines agree with canonization, in Varnish", async () => {
  const agreement = await agree(
    "fastly",
    async ({ text }, urls) => {
      const vcl = `vcl 4.1;
import std;
backend default none;
include "dustpan.vcl";
sub vcl_recv { call dustpan; }
${SYNTH}`;
      return askServer(await startVarnish(text, vcl), urls, canonicalUnlessTooLong);
    },
    { urls: serverUrls() },
  );
  expectAgreement(agreement);
});

it("Varnish agrees with canonization: redirects, which end after one", async () => {
  const options = { urls: serverUrls(), use: "redirect", label: "varnish, redirects" } as const;
  expectAgreement(await agree("varnish", askForRedirects, options));
});

// Each list is compiled from C.
agreesOnHostileRules("varnish", 8, askForKeys, { reaches: reachesServer });
agreesOnHostileRules("varnish", 4, askForRedirects, {
  ...{ reaches: reachesServer, use: "redirect", label: "varnish, redirects" },
});
