import { writeFileSync } from "node:fs";
import path from "node:path";
import { it } from "vitest";
import { asTheyAre, compile } from "#src/canon/compile.js";
import type { Exported } from "#src/export/export-rules.js";
import { type Answer, agree, agreesOnHostileRules, expectAgreement, temporaryFolder } from "./agreement.js";
import { keysAreOwn, redirectsAreSafe } from "./safe-requests.js";
import { askRedirects, askServer, freePort, reachesServer, serverUrls, startServer } from "./servers.js";
import { debianPackages } from "./tools.js";

/** Apache httpd with the exported file; returns the port. */
async function startApache(exported: string, behind: string): Promise<number> {
  const { root, env } = debianPackages("apache2", "apache2-bin");
  const folder = temporaryFolder("apache");
  const port = await freePort();
  writeFileSync(path.join(folder, "dustpan.conf"), exported);
  const modules = ["mpm_event", "authz_core", "rewrite", "headers"].map(
    (name) => `LoadModule ${name}_module ${root}/usr/lib/apache2/modules/mod_${name}.so`,
  );
  writeFileSync(
    path.join(folder, "httpd.conf"),
    `ServerRoot ${folder}
ServerName test
PidFile httpd.pid
ErrorLog error.log
DefaultRuntimeDir ${folder}
Listen 127.0.0.1:${port}
${modules.join("\n")}
StartServers 1
MaxKeepAliveRequests 0
AllowEncodedSlashes NoDecode
DocumentRoot ${folder}
Include dustpan.conf
${behind}
`,
  );
  await startServer(`${root}/usr/sbin/apache2`, ["-X", "-d", folder, "-f", "httpd.conf"], port, { env });
  return port;
}

const startWithUrls = ({ text }: Exported) =>
  startApache(text, "Header always set X-Canonical-URL %{DUSTPAN_URL}e\nRewriteRule ^ - [R=204,L]");

async function askForUrls(exported: Exported, urls: readonly string[]): Promise<Answer[]> {
  return askServer(await startWithUrls(exported), urls, ({ status, headers }) =>
    status === 204 ? headers.get("x-canonical-url") : undefined,
  );
}

const startRedirecting = ({ text }: Exported) => startApache(text, "RewriteRule ^ - [R=204,L]");

async function askForRedirects(exported: Exported, urls: readonly string[]): Promise<Answer[]> {
  const targets = await askRedirects(await startRedirecting(exported), urls);
  const canon = compile(exported.rules, { use: asTheyAre });
  // Nobody is sent to a URL with a "?" or "&" at its end, which a redirect would lose: that counts as refused.
  const isRefused = (url: string, target: Answer) => target === url && canon(url) !== url && /[?&]$/.test(canon(url));
  return targets.map((target, i) => (isRefused(urls[i]!, target) ? undefined : target));
}

it("Apache httpd agrees with canonization: the variable", async () => {
  expectAgreement(await agree("apache", askForUrls, { urls: serverUrls() }));
});

it("Apache httpd agrees with canonization: redirects, which end after one", async () => {
  const options = { urls: serverUrls(), use: "redirect", label: "apache, redirects" } as const;
  expectAgreement(await agree("apache", askForRedirects, options));
});

keysAreOwn("apache", startWithUrls);
redirectsAreSafe("apache", startRedirecting);

agreesOnHostileRules("apache", 40, askForUrls, { reaches: reachesServer });
agreesOnHostileRules("apache", 20, askForRedirects, {
  ...{ reaches: reachesServer, use: "redirect", label: "apache, redirects" },
});
