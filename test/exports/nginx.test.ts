import { it } from "vitest";
import type { Exported } from "#src/export/export-rules.js";
import { agree, agreesOnHostileRules, expectAgreement } from "./agreement.js";
import { askRedirects, askServer, reachesServer, serverUrls } from "./servers.js";
import { startNginx } from "./start-nginx.js";

async function askForKeys({ text }: Exported, urls: readonly string[]) {
  return askServer(await startNginx(text, "", 'location / { return 200 "$dustpan_key"; }'), urls);
}

async function askForRedirects({ text }: Exported, urls: readonly string[]) {
  const redirect = 'if ($dustpan_redirect != "") { return 301 $dustpan_redirect; }';
  return askRedirects(await startNginx(text, "", `${redirect} location / { return 200 ""; }`), urls);
}

it("nginx agrees with canonization: the key", async () => {
  expectAgreement(await agree("nginx", askForKeys, { urls: serverUrls() }));
});

it("nginx agrees with canonization: redirects, which end after one", async () => {
  const options = { urls: serverUrls(), use: "redirect", label: "nginx, redirects" } as const;
  expectAgreement(await agree("nginx", askForRedirects, options));
});

agreesOnHostileRules("nginx", 60, askForKeys, { reaches: reachesServer });
agreesOnHostileRules("nginx", 30, askForRedirects, {
  reaches: reachesServer,
  use: "redirect",
  label: "nginx, redirects",
});
