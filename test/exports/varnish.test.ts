import { writeFileSync } from "node:fs";
import path from "node:path";
import { it } from "vitest";
import { VCL_LENGTH } from "#src/export/vcl.js";
import { type Answer, agree, expectAgreement, temporaryFolder } from "./agreement.js";
import { askRedirects, askServer, freePort, type HttpAnswer, serverUrls, startServer } from "./servers.js";
import { debianPackages } from "./tools.js";

/** Varnish with the exported file; returns the port. */
async function startVarnish(exported: string, vcl: string): Promise<number> {
  const { root, env } = debianPackages("varnish", "varnish");
  const folder = temporaryFolder("varnish");
  const port = await freePort();
  writeFileSync(path.join(folder, "dustpan.vcl"), exported);
  writeFileSync(path.join(folder, "default.vcl"), `vcl 4.1;\n${vcl.replace("INCLUDE", 'include "./dustpan.vcl";')}`);
  const libraries = `${root}/usr/lib/x86_64-linux-gnu/varnish`;
  await startServer(
    `${root}/usr/sbin/varnishd`,
    ["-F", "-n", path.join(folder, "work"), "-a", `127.0.0.1:${port}`, "-f", path.join(folder, "default.vcl")].concat([
      "-j",
      "none",
      "-s",
      "malloc,64m",
      "-p",
      `vcl_path=${folder}`,
      "-p",
      `vmod_path=${libraries}/vmods`,
    ]),
    port,
    { env: { ...env, LD_LIBRARY_PATH: `${env.LD_LIBRARY_PATH}:${libraries}` } },
  );
  return port;
}

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
        `backend default none;
INCLUDE
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
        `import std;
backend default none;
INCLUDE
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
      const port = await startVarnish(text, "backend default none;\nINCLUDE\nsub vcl_recv { return (synth(200)); }");
      const targets = await askRedirects(port, urls);
      return targets.map((target, i) => (target === urls[i] && target!.length > VCL_LENGTH ? undefined : target));
    },
    { urls: serverUrls(), use: "redirect", label: "varnish, redirects" },
  );
  expectAgreement(agreement);
});
