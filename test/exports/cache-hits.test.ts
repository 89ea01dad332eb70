import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { parseRulesFile } from "#src/canon/file/rules-file.js";
import { exportRules } from "#src/export/export-rules.js";
import { findTarget } from "#src/export/targets.js";
import { record } from "./agreement.js";
import { type ExampleSite, startExampleSite } from "./example-site.js";
import { type HttpAnswer, type Request, request } from "./servers.js";
import { startNginx } from "./start-nginx.js";
import { startVarnish } from "./start-varnish.js";

/** What the visitors of the example site asked for, in their order. */
function requestsOf({ rulesFile }: ExampleSite): Request[] {
  const log = readFileSync(path.join(path.dirname(rulesFile), "access.log"), "utf8");
  return [...log.matchAll(/^(\S+) .*?"GET (\S+) HTTP/gm)].map(([, host, target]) => ({ host: host!, target: target! }));
}

async function countHits(port: number, requests: readonly Request[], isHit: (answer: HttpAnswer) => boolean) {
  const answers = await request(port, requests, 1);
  return answers.filter((answer) => answer !== undefined && isHit(answer)).length;
}

it("more of the example site's log is answered from the caches of nginx and Varnish", async () => {
  const site = await startExampleSite();
  try {
    const requests = requestsOf(site);
    expect(requests.length).toBeGreaterThan(5000);
    const { rules } = parseRulesFile(readFileSync(site.rulesFile, "utf8"), site.rulesFile);
    const origin = new URL(site.seeds[0]!).port;
    const exported = (target: string) => exportRules(rules, findTarget(target)).text;

    const nginx = async (key: string) => {
      const port = await startNginx(
        exported("nginx"),
        "proxy_cache_path cache keys_zone=pages:10m;",
        `location / { proxy_pass http://127.0.0.1:${origin}; proxy_set_header Host $http_host; proxy_cache pages; proxy_cache_key ${key};
          proxy_cache_valid any 10m; proxy_ignore_headers Cache-Control Expires Set-Cookie Vary;
          add_header X-Cache $upstream_cache_status always; }`,
      );
      return countHits(port, requests, ({ headers }) => headers.get("x-cache") === "HIT");
    };
    const varnish = async (include: string) => {
      const port = await startVarnish(
        exported("varnish"),
        `vcl 4.1;
backend default { .host = "127.0.0.1"; .port = "${origin}"; }
${include}
sub vcl_recv { return (hash); }
sub vcl_backend_response { set beresp.ttl = 10m; unset beresp.http.Vary; return (deliver); }`,
      );
      // Two numbers: this request's, and that of the one that filled the cache.
      return countHits(port, requests, ({ headers }) => / /.test(headers.get("x-varnish") ?? ""));
    };
    const hits = {
      nginx: [await nginx("$scheme$http_host$request_uri"), await nginx("$dustpan_key")],
      varnish: [await varnish(""), await varnish('include "dustpan.vcl";')],
    };
    for (const [name, [before, after]] of Object.entries(hits)) {
      record(`${name}, the example site's log`, {
        requests: requests.length,
        "hits before": before,
        "hits after": after,
      });
      expect(after!).toBeGreaterThan(before! * 1.2);
    }
  } finally {
    await site.close();
  }
});
