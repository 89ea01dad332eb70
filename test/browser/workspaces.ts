import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { allHosts } from "#src/demo/pages.js";
import { startDemoSite } from "#src/demo/site.js";
import { browse } from "#src/demo/visitors.js";
import { Workspace } from "#src/store/workspace.js";
import { type RunningServer, type ServerOptions, startServer } from "#src/web/server/server.js";

/** Workspaces made by the commands, as people make them, with a server for each. */
export interface Served {
  readonly folder: string;
  readonly server: RunningServer;
  readonly home: string;
  readonly close: () => Promise<void>;
}

const run = promisify(execFile);
const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

const commandsIn =
  (folder: string) =>
  async (line: string, names: readonly string[] = []) => {
    await run(process.execPath, [main, ...line.split(" "), ...names, "--quiet"], { cwd: folder, maxBuffer: 1 << 26 });
  };

async function serve(folder: string, fetch: ServerOptions["fetch"], closeMore = async () => {}): Promise<Served> {
  const server = await startServer({
    workspace: Workspace.at(path.join(folder, "dustpan.duckdb")),
    rulesFile: path.join(folder, "dustpan.rules.json"),
    fetch,
    unmask: false,
    host: "127.0.0.1",
    port: 0,
  });
  return {
    folder,
    server,
    home: `http://127.0.0.1:${server.port}/`,
    close: async () => {
      await server.close();
      await closeMore();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A folder with nothing in it but the example site's log, which nobody has added yet; the site stays up. */
export async function serveNothing(): Promise<Served & { readonly log: string }> {
  const folder = mkdtempSync(path.join(tmpdir(), "dustpan-browser-"));
  const log = path.join(folder, "access.log");
  const site = await startDemoSite({ port: 0, logFile: log });
  await browse(site.port, 200, 1, new AbortController().signal);
  await site.logWritten();
  const sites = allHosts.map((host) => `http://${host}:${site.port}`);
  const resolve = allHosts.map((host) => `${host}:127.0.0.1`);
  const served = await serve(folder, { sites, resolve, allowPrivate: true, delayMs: 0 }, () => site.close());
  return { ...served, log };
}

/** The example site, which stays up: its log mined and validated, its pages crawled, copies looked for. */
export async function serveExample(): Promise<Served> {
  const folder = mkdtempSync(path.join(tmpdir(), "dustpan-browser-"));
  const command = commandsIn(folder);
  const log = path.join(folder, "access.log");
  const site = await startDemoSite({ port: 0, logFile: log });
  await browse(site.port, 500, 1, new AbortController().signal);
  await site.logWritten();
  const sites = allHosts.map((host) => `http://${host}:${site.port}`);
  const resolve = allHosts.map((host) => `${host}:127.0.0.1`);
  const reached = [...sites.flatMap((origin) => ["--site", origin]), ...resolve.flatMap((to) => ["--resolve", to])];
  await command("run access.log --delay 0", reached);
  await command("crawl --delay 0 --max-pages 150", [...reached, ...sites.slice(0, 2)]);
  for (const line of ["cluster", "cluster --level identical", "mirrors", "collections"]) await command(line);
  return serve(folder, { sites, resolve, allowPrivate: true, delayMs: 0 }, () => site.close());
}

/** Where real data lies: beside the repository, or where REAL_DATA says. */
export const realData = process.env.REAL_DATA ?? fileURLToPath(new URL("../../../shared/data", import.meta.url));
export const hasRealData = existsSync(path.join(realData, "crawls/guides.warc.xz"));

/** A log, two weeks of a documentation site, and manuals on several hosts. */
export async function serveRealData(): Promise<Served> {
  const folder = mkdtempSync(path.join(tmpdir(), "dustpan-browser-"));
  const command = commandsIn(folder);
  await command("add --base http://www.semicomplete.com --snapshot log", [
    path.join(realData, "logs/semicomplete-2011.combined.log.xz"),
  ]);
  await run("tar", ["xJf", path.join(realData, "crawls/git-docs-weekly.tar.xz"), "-C", folder]);
  const weeks = readdirSync(path.join(folder, "git-docs-weekly")).sort().slice(0, 2);
  for (const week of weeks) {
    await command("add --snapshot", [week.replace(/\.warc$/, ""), path.join(folder, "git-docs-weekly", week)]);
  }
  await command("add --snapshot guides", [path.join(realData, "crawls/guides.warc.xz")]);
  for (const line of ["mine", "validate --offline", "cluster", "evolve", "mirrors", "collections --snapshot guides"]) {
    await command(line);
  }
  await command("report");
  return serve(folder, { sites: [] });
}
