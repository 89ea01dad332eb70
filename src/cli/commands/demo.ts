/** `dustpan demo`: the example site, its log, and the whole pipeline on both. */
import { mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { allHosts } from "../../demo/pages.js";
import { startDemoSite } from "../../demo/site.js";
import { browse } from "../../demo/visitors.js";
import { UserError } from "../../errors.js";
import { findCommand } from "../commands.js";
import { type Arguments, parseCommandLine } from "../parse.js";
import type { Session } from "../session.js";
import { count, paint } from "../terminal.js";
import { run as runCommand } from "./run.js";

/** A live example: a forum on loopback, its own access log, and the whole pipeline on both. */
export async function run(args: Arguments, session: Session): Promise<undefined> {
  const { terminal, context } = session;
  const folder = args.text("folder") ?? mkdtempSync(path.join(tmpdir(), "dustpan-demo-"));
  mkdirSync(folder, { recursive: true });
  const [found] = readdirSync(folder);
  if (found !== undefined)
    throw new UserError(`--folder ${folder} is not empty: expected a new folder (it has ${found})`);
  const log = path.join(folder, "access.log");
  const workspace = path.join(folder, "dustpan.duckdb");

  const site = await startDemoSite({ port: args.integer("port", 0, 65535)!, logFile: log });
  try {
    const visits = args.integer("visits", 1)!;
    terminal.err(
      `a forum is served on 127.0.0.1:${site.port} as ${allHosts.join(", ")}; ${count(visits)} visits follow`,
    );
    await browse(site.port, visits, args.integer("seed")!, context.signal);
    await site.logWritten();
    const sites = allHosts.flatMap((host) => ["--site", `http://${host}:${site.port}`]);
    const resolve = allHosts.flatMap((host) => ["--resolve", `${host}:127.0.0.1`]);
    const words = [log, ...sites, ...resolve, "--delay", "0", "--workspace", workspace];
    terminal.err(paint(terminal, "dim", `dustpan run ${log} --site http://forum.test:${site.port} ...\n`));
    if (args.has("json")) words.push("--json");
    await runCommand(parseCommandLine(findCommand("run")!, words), session);
  } finally {
    await site.close();
  }
}
