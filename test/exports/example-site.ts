/** The example site with its proven rules, behind a proxy on loopback, so that crawlers reach hosts that DNS does not know. */
import { spawnSync } from "node:child_process";
import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { startDemoSite } from "#src/demo/site.js";
import { temporaryFolder } from "./agreement.js";

export const dustpan = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

export interface ExampleSite {
  readonly rulesFile: string;
  /** The home pages of its hosts. */
  readonly seeds: readonly string[];
  readonly proxy: string;
  /** GET requests for pages since it was asked last. */
  readonly takeRequests: () => number;
  readonly close: () => Promise<void>;
}

const HOSTS = ["forum.test", "www.forum.test", "movies.forum.test", "politics.forum.test"];

export async function startExampleSite(): Promise<ExampleSite> {
  // Rules name the port, so that the site is proven and crawled on the same one.
  const { port, close } = await startDemoSite({ port: 0 });
  await close();
  const folder = path.join(temporaryFolder("demo"), "demo");
  const demo = spawnSync(process.execPath, [dustpan, "demo", "--port", String(port), "--folder", folder, "-q"]);
  if (demo.status !== 0) throw new Error(`dustpan demo: ${demo.stderr}`);
  const site = await startDemoSite({ port });
  let requests = 0;
  const proxy = createServer((incoming, outgoing) => {
    const { host, pathname, search } = new URL(incoming.url!);
    if (pathname !== "/robots.txt") requests++;
    const headers = { ...incoming.headers, host };
    forward({ host: "127.0.0.1", port, path: pathname + search, method: incoming.method!, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    })
      .on("error", () => outgoing.destroy())
      .end();
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return {
    rulesFile: path.join(folder, "dustpan.rules.json"),
    seeds: HOSTS.map((host) => `http://${host}:${port}/`),
    proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    takeRequests: () => {
      const taken = requests;
      requests = 0;
      return taken;
    },
    close: async () => {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
      await site.close();
    },
  };
}
