/** `dustpan check`: whether dust stays below a limit, as an exit code. */
import { checkDust, type DustCheck } from "../../jobs/check.js";
import { rulesFileBeside } from "../../store/beside.js";
import { readRulesFile } from "../../store/rules-on-disk.js";
import { documentPages, printDocument } from "../document.js";
import { openWorkspace } from "../inputs.js";
import type { Arguments } from "../parse.js";
import { describeRule, droppedLines } from "../render-rules.js";
import type { Session } from "../session.js";
import { shownUrl } from "../shown-url.js";
import { count, paint, percent, type Terminal, table } from "../terminal.js";

export async function run(args: Arguments, session: Session): Promise<number> {
  const { terminal, context } = session;
  const maxDust = args.share("max-dust")!;
  const of = args.choice("of", ["urls", "requests"])!;
  const file = args.text("workspace")!;
  const { rules } = readRulesFile(args.text("rules") ?? rulesFileBeside(file));
  const workspace = await openWorkspace(args, session, false);
  const check = await checkDust(workspace, rules, args.text("snapshot"), context);
  workspace.close();
  const [dust, all] = of === "urls" ? [check.dustUrls, check.urls] : [check.dustRequests, check.requests];
  const share = all === 0 ? 0 : dust / all;
  const holds = share <= maxDust;
  if (args.has("json")) {
    const causes = check.causes.map(({ rule, ...rest }) => ({ rule: rule.id, ...rest }));
    const dropped = check.dropped.map(({ id }) => id);
    const found = documentPages(terminal, { ...check, causes, dropped });
    printDocument(terminal, "dustpan-check", { of, maxDust, share, holds, ...found });
  } else {
    const verdict = holds ? paint(terminal, "green", "ok") : paint(terminal, "red", "too much dust");
    terminal.out(
      `${verdict}: ${count(dust)} of ${count(all)} ${of === "urls" ? "URLs" : of} (${percent(share)}) are ${of === "urls" ? "" : "for URLs that are "}not canonical; the limit is ${percent(maxDust)}`,
    );
    if (check.causes.length > 0) terminal.out(renderCauses(terminal, check, args.integer("top")!));
    for (const line of droppedLines(terminal, check.dropped)) terminal.err(line);
  }
  return holds ? 0 : 1;
}

function renderCauses(terminal: Terminal, { causes, urls }: DustCheck, top: number): string {
  const shown = top === 0 ? causes : causes.slice(0, top);
  const rows = shown.map((cause) => [
    count(cause.urls),
    percent(cause.urls / urls),
    count(cause.requests),
    cause.rule.id,
    `${describeRule(terminal, cause.rule)}, as in ${shownUrl(terminal, cause.example.from)}`,
  ]);
  const right = (title: string) => ({ title, right: true });
  const more = causes.length - shown.length;
  return [
    "",
    table([right("URLs"), right("of all"), right("requests"), { title: "rule" }, { title: "" }], rows),
    ...(more > 0 ? [`... and ${count(more)} more (--top 0 shows all)`] : []),
  ].join("\n");
}
