import { it } from "vitest";
import type { Exported } from "#src/export/export-rules.js";
import { type Answer, agree, agreesOnHostileRules, expectAgreement } from "./agreement.js";
import { askServer, reachesServer, serverUrls, urlServer } from "./servers.js";
import { startTrafficServer } from "./start-trafficserver.js";

/** In what it is asked for and in its own keys, it drops a "?" or the first ";" where nothing follows, and slashes after the first. */
function asItReads(url: string): string {
  const withoutSlashes = url.replace(/^(https?:[/][/][^/]*[/])[/]+/, "$1");
  return withoutSlashes.replace(/[?]$/, "").replace(/^([^;?]*);(?=[?]|$)/, "$1");
}

async function askForKeys({ text }: Exported, urls: readonly string[]): Promise<Answer[]> {
  const { port: origin } = await urlServer();
  const remap = `map / http://127.0.0.1:${origin}/ @plugin=tslua.so @pparam=dustpan.lua`;
  const port = await startTrafficServer(text, remap);
  return askServer(port, urls, ({ headers }) => headers.get("x-cache-key"), "X-Debug: X-Cache-Key\r\n");
}

it("Traffic Server agrees with canonization: the cache key", async () => {
  const urls = serverUrls().filter((url) => asItReads(url) === url);
  expectAgreement(await agree("trafficserver", askForKeys, { urls, compareAs: asItReads }));
});

agreesOnHostileRules("trafficserver", 10, askForKeys, {
  reaches: (url) => reachesServer(url) && asItReads(url) === url,
  compareAs: asItReads,
});
