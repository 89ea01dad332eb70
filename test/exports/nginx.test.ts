import { it } from "vitest";
import type { Exported } from "#src/export/export-rules.js";
import { agree, agreesOnHostileRules, expectAgreement } from "./agreement.js";
import { keysAreOwn, redirectsAreSafe } from "./safe-requests.js";
import { askRedirects, askServer, reachesServer, serverUrls } from "./servers.js";
import { startNginx } from "./start-nginx.js";

const startWithKeys = ({ text }: Exported) => startNginx(text, "", 'location / { return 200 "$dustpan_key"; }');

async function askForKeys(exported: Exported, urls: readonly string[]) {
  return askServer(await startWithKeys(exported), urls);
}

function startRedirecting({ text }: Exported): Promise<number> {
  const redirect = 'if ($dustpan_redirect != "") { return 301 $dustpan_redirect; }';
  return startNginx(text, "", `${redirect} location / { return 200 ""; }`);
}

async function askForRedirects(exported: Exported, urls: readonly string[]) {
  return askRedirects(await startRedirecting(exported), urls);
}

it("nginx agrees with canonization: the key", async () => {
  expectAgreement(await agree("nginx", askForKeys, { urls: serverUrls() }));
});

it("nginx agrees with canonization: redirects, which end after one", async () => {
  const options = { urls: serverUrls(), use: "redirect", label: "nginx, redirects" } as const;
  expectAgreement(await agree("nginx", askForRedirects, options));
});

keysAreOwn("nginx", startWithKeys);
redirectsAreSafe("nginx", startRedirecting);

agreesOnHostileRules("nginx", 60, askForKeys, { reaches: reachesServer });
agreesOnHostileRules("nginx", 30, askForRedirects, {
  reaches: reachesServer,
  use: "redirect",
  label: "nginx, redirects",
});
