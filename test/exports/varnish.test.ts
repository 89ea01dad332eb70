import { it } from "vitest";
import { VCL_LENGTH } from "#src/export/vcl.js";
import { type Answer, agree, expectAgreement } from "./agreement.js";
import { askRedirects, askServer, type HttpAnswer, serverUrls } from "./servers.js";
import { startVarnish } from "./start-varnish.js";

/** A longer URL keeps its own key, as the file says: that counts as refused. */
function canonicalUnlessTooLong({ status, body }: HttpAnswer, url: string): Answer {
  return status !== 200 || (body === url && url.length > VCL_LENGTH) ? undefined : body;
}

it("Varnish agrees with canonization: the key", async () => {
  const agreement = await agree(
    "varnish",
    async ({ text }, urls) => {
      const port = await startVarnish(
        text,
        `vcl 4.1;
backend default none;
include "dustpan.vcl";
sub vcl_recv { return (synth(200)); }
sub vcl_synth { set resp.body = req.http.X-Canonical-URL; return (deliver); }`,
      );
      return askServer(port, urls, canonicalUnlessTooLong);
    },
    { urls: serverUrls() },
  );
  expectAgreement(agreement);
});

it("Fastly's subroutines agree with canonization, in Varnish", async () => {
  const agreement = await agree(
    "fastly",
    async ({ text }, urls) => {
      const port = await startVarnish(
        text,
        `vcl 4.1;
import std;
backend default none;
include "dustpan.vcl";
sub vcl_recv { call dustpan; return (synth(200)); }
sub vcl_synth { set resp.body = req.http.X-Canonical-URL; return (deliver); }`,
      );
      return askServer(port, urls, canonicalUnlessTooLong);
    },
    { urls: serverUrls() },
  );
  expectAgreement(agreement);
});

it("Varnish agrees with canonization: redirects, which end after one", async () => {
  const agreement = await agree(
    "varnish",
    async ({ text }, urls) => {
      const port = await startVarnish(
        text,
        'vcl 4.1;\nbackend default none;\ninclude "dustpan.vcl";\nsub vcl_recv { return (synth(200)); }',
      );
      const targets = await askRedirects(port, urls);
      return targets.map((target, i) => (target === urls[i] && target!.length > VCL_LENGTH ? undefined : target));
    },
    { urls: serverUrls(), use: "redirect", label: "varnish, redirects" },
  );
  expectAgreement(agreement);
});
