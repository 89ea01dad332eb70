import { writeFileSync } from "node:fs";
import path from "node:path";
import { it } from "vitest";
import type { Exported } from "#src/export/export-rules.js";
import { type Answer, agree, agreesOnHostileRules, expectAgreement, temporaryFolder } from "./agreement.js";
import { keysAreOwn, redirectsAreSafe } from "./safe-requests.js";
import { askRedirects, askServer, freePort, reachesServer, serverUrls, startServer } from "./servers.js";
import { debianPackages } from "./tools.js";

/** HAProxy with the exported file; returns the port. */
async function startHaproxy(exported: string, frontend: string): Promise<number> {
  const { root, env } = debianPackages("haproxy", "haproxy");
  const folder = temporaryFolder("haproxy");
  const port = await freePort();
  writeFileSync(path.join(folder, "dustpan.lua"), exported);
  writeFileSync(
    path.join(folder, "haproxy.cfg"),
    `global
  lua-load ${folder}/dustpan.lua
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend test
  bind 127.0.0.1:${port}
${frontend}
`,
  );
  await startServer(`${root}/usr/sbin/haproxy`, ["-db", "-f", path.join(folder, "haproxy.cfg")], port, { env });
  return port;
}

function startWithUrls({ text }: Exported): Promise<number> {
  const lines = `  http-request set-var(txn.canonical) lua.canonical_url
  http-request return status 200 content-type text/plain lf-string %[var(txn.canonical)]`;
  return startHaproxy(text, lines);
}

async function askForUrls(exported: Exported, urls: readonly string[]): Promise<Answer[]> {
  return askServer(await startWithUrls(exported), urls);
}

function startRedirecting({ text }: Exported): Promise<number> {
  // The lines that the file itself says.
  const lines = [...text.matchAll(/^-- +(http-request .*)$/gm)].map(([, line]) => `  ${line}`);
  return startHaproxy(text, [...lines, "  http-request return status 200"].join("\n"));
}

async function askForRedirects(exported: Exported, urls: readonly string[]): Promise<Answer[]> {
  return askRedirects(await startRedirecting(exported), urls);
}

it("HAProxy agrees with canonization: the variable", async () => {
  expectAgreement(await agree("haproxy", askForUrls, { urls: serverUrls() }));
});

it("HAProxy agrees with canonization: redirects, which end after one", async () => {
  const options = { urls: serverUrls(), use: "redirect", label: "haproxy, redirects" } as const;
  expectAgreement(await agree("haproxy", askForRedirects, options));
});

keysAreOwn("haproxy", startWithUrls);
redirectsAreSafe("haproxy", startRedirecting);

agreesOnHostileRules("haproxy", 60, askForUrls, { reaches: reachesServer });
agreesOnHostileRules("haproxy", 30, askForRedirects, {
  ...{ reaches: reachesServer, use: "redirect", label: "haproxy, redirects" },
});
