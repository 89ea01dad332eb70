/** `dustpan aliases`: URLs that are the same page. */
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { formatAliases } from "../../canon/aliases.js";
import { makeAliases } from "../../jobs/aliases.js";
import { aliasesFileBeside } from "../../store/beside.js";
import { PRIVATE_FILE } from "../../store/private.js";
import { replaceWhole } from "../../store/whole-file.js";
import { Workspace } from "../../store/workspace.js";
import { documentPages, printDocument } from "../document.js";
import type { Arguments } from "../parse.js";
import { rulesOf } from "../rules-flag.js";
import type { Session } from "../session.js";
import { shownUrl } from "../shown-url.js";
import { count, counted } from "../terminal.js";

export async function run(args: Arguments, { terminal, context }: Session): Promise<undefined> {
  const workspace = Workspace.at(args.text("workspace")!);
  const snapshot = args.text("snapshot");
  const maxAgeDays = args.integer("max-age", 1)!;
  const options = { rules: rulesOf(args, workspace), trustSite: args.has("trust-site") };
  const result = await makeAliases(workspace, { ...options, ...(snapshot !== undefined && { snapshot }) }, context);
  const { aliases, counts, circles, secrets } = result;
  const file = args.text("output") ?? aliasesFileBeside(workspace.file);
  await replaceWhole(file, (draft) =>
    pipeline(Readable.from(formatAliases(aliases, maxAgeDays)), createWriteStream(draft, { mode: PRIVATE_FILE })),
  );
  if (args.has("json")) {
    printDocument(terminal, "dustpan-alias-counts", {
      file,
      pairs: aliases.length,
      counts,
      secrets,
      circles: documentPages(terminal, circles),
      maxAgeDays,
    });
    return;
  }
  const { redirect, canonical, content } = counts;
  terminal.out(
    `${counted(aliases.length, "alias", "aliases")}: ${count(redirect)} by redirect, ${count(canonical)} by rel=canonical, ${count(content)} by equal text`,
  );
  if (aliases.length === 0) {
    terminal.err(
      'nothing in the workspace says that two URLs are one page: a log does not say where a redirect leads. "dustpan crawl URL..." asks the site',
    );
  }
  if (secrets > 0) terminal.out(`${counted(secrets, "pair")} left out: an action, or a token in the URL`);
  if (circles.length > 0) {
    terminal.out(
      `${counted(circles.length, "circle")} refused, such as the one through ${shownUrl(terminal, circles[0]!)}`,
    );
  }
  terminal.err(`\nthe table is in ${file}; use it with "dustpan canon --aliases ${file}"`);
}
