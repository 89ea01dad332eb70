/** `dustpan info`: what is in the workspace; removes snapshots, compacts. */
import type { WorkspaceInfo } from "../../documents.js";
import { compactWorkspace, describeWorkspace } from "../../store/browse/info.js";
import { removeSnapshot } from "../../store/urls/remove.js";
import { Workspace } from "../../store/workspace.js";
import { printDocument } from "../document.js";
import type { Arguments } from "../parse.js";
import type { Session } from "../session.js";
import { bytes, count, paint, printable, type Terminal, table } from "../terminal.js";

export async function run(args: Arguments, { terminal }: Session): Promise<undefined> {
  const workspace = Workspace.at(args.text("workspace")!);
  for (const name of args.texts("remove-snapshot")) {
    await removeSnapshot(workspace, name);
    terminal.err(`removed snapshot ${name}`);
  }
  if (args.has("compact")) {
    const { before, after } = await compactWorkspace(workspace);
    terminal.err(`compacted from ${bytes(before)} to ${bytes(after)}`);
  }
  const info = await describeWorkspace(workspace);
  if (args.has("json")) printDocument(terminal, "dustpan-info", info);
  else terminal.out(render(terminal, info));
}

const SHOWN = 20;

function render(terminal: Terminal, info: WorkspaceInfo): string {
  const heading = (text: string) => paint(terminal, "bold", text);
  const right = (title: string) => ({ title, right: true });
  const snapshots = table(
    [
      { title: "snapshot" },
      right("inputs"),
      right("URLs"),
      right("failed only"),
      right("redirects"),
      right("pages"),
      right("links"),
    ],
    info.snapshots.map((s) => [
      s.name,
      ...[s.sources, s.urls, s.failedUrls, s.redirects, s.pages, s.links].map((value) => count(value)),
    ]),
  );
  const sources = table(
    [
      { title: "input" },
      { title: "snapshot" },
      { title: "format" },
      right("records"),
      right("damaged"),
      { title: "added" },
    ],
    info.sources
      .slice(-SHOWN)
      .map((s) => [printable(s.name), s.snapshot, s.format, count(s.records), count(s.damaged), s.added]),
  );
  const sites = table(
    [{ title: "site" }, right("hosts"), right("URLs"), right("requests")],
    info.sites
      .slice(0, SHOWN)
      .map((s) => [
        s.site === "" ? "(no host known)" : printable(s.site),
        count(s.hosts),
        count(s.urls),
        count(s.hits),
      ]),
  );
  const crawlers = table(
    [{ title: "crawler" }, right("requests"), right("URLs")],
    info.crawlers.slice(0, SHOWN).map((c) => [c.family, count(c.hits), count(c.urls)]),
  );
  const more = (all: number) => (all > SHOWN ? [`... and ${count(all - SHOWN)} more (--json has all)`] : []);
  return [
    heading(`${info.file}, ${bytes(info.fileBytes)}`),
    "",
    snapshots,
    "",
    ...more(info.sources.length),
    sources,
    "",
    sites,
    ...more(info.sites.length),
    ...(info.crawlers.length === 0 ? [] : ["", crawlers]),
  ].join("\n");
}
