import { writeFileSync } from "node:fs";
import path from "node:path";
import { it } from "vitest";
import { agree, expectAgreement, temporaryFolder } from "./agreement.js";
import { askRedirects, askServer, freePort, serverUrls, startServer } from "./servers.js";
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

it("HAProxy agrees with canonization: the variable", async () => {
  const agreement = await agree(
    "haproxy",
    async ({ text }, urls) => {
      const port = await startHaproxy(
        text,
        `  http-request set-var(txn.canonical) lua.canonical_url
  http-request return status 200 content-type text/plain lf-string %[var(txn.canonical)]`,
      );
      return askServer(port, urls);
    },
    { urls: serverUrls() },
  );
  expectAgreement(agreement);
});

it("HAProxy agrees with canonization: redirects, which end after one", async () => {
  const agreement = await agree(
    "haproxy",
    async ({ text }, urls) => {
      // The lines that the file itself says.
      const lines = [...text.matchAll(/^-- +(http-request .*)$/gm)].map(([, line]) => `  ${line}`);
      const port = await startHaproxy(text, [...lines, "  http-request return status 200"].join("\n"));
      return askRedirects(port, urls);
    },
    { urls: serverUrls(), use: "redirect", label: "haproxy, redirects" },
  );
  expectAgreement(agreement);
});
