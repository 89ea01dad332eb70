/** Varnish for the tests of exports. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { VCL_LENGTH } from "#src/export/vcl.js";
import { type Answer, temporaryFolder } from "./agreement.js";
import { freePort, type HttpAnswer, startServer } from "./servers.js";
import { debianPackages } from "./tools.js";

/** Varnish with the exported file where the VCL includes it; returns the port. */
export async function startVarnish(exported: string, vcl: string): Promise<number> {
  const { root, env } = debianPackages("varnish", "varnish");
  const folder = temporaryFolder("varnish");
  const port = await freePort();
  writeFileSync(path.join(folder, "dustpan.vcl"), exported);
  writeFileSync(path.join(folder, "default.vcl"), vcl);
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

/** VCL that answers every request with its canonical URL. */
export const SYNTH = `sub vcl_recv { return (synth(200)); }
sub vcl_synth { set resp.body = req.http.X-Canonical-URL; return (deliver); }`;

/** A longer URL keeps its own key, as the file says: that counts as refused. */
export function canonicalUnlessTooLong({ status, body }: HttpAnswer, url: string): Answer {
  return status !== 200 || (body === url && url.length > VCL_LENGTH) ? undefined : body;
}

/** The same of redirects: it stays where it is. */
export function unlessTooLong(targets: readonly Answer[], urls: readonly string[]): Answer[] {
  return targets.map((target, i) => (target === urls[i] && urls[i]!.length > VCL_LENGTH ? undefined : target));
}
