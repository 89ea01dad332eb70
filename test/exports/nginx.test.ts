import { it } from "vitest";
import { agree, expectAgreement } from "./agreement.js";
import { askRedirects, askServer, serverUrls } from "./servers.js";
import { startNginx } from "./start-nginx.js";

it("nginx agrees with canonization: the key", async () => {
  const agreement = await agree(
    "nginx",
    async ({ text }, urls) => {
      const port = await startNginx(text, "", 'location / { return 200 "$dustpan_key"; }');
      return askServer(port, urls);
    },
    { urls: serverUrls() },
  );
  expectAgreement(agreement);
});

it("nginx agrees with canonization: redirects, which end after one", async () => {
  const agreement = await agree(
    "nginx",
    async ({ text }, urls) => {
      const redirect = 'if ($dustpan_redirect != "") { return 301 $dustpan_redirect; }';
      return askRedirects(await startNginx(text, "", `${redirect} location / { return 200 ""; }`), urls);
    },
    { urls: serverUrls(), use: "redirect", label: "nginx, redirects" },
  );
  expectAgreement(agreement);
});
