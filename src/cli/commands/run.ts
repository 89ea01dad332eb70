/** `dustpan run`: add, mine, validate and report in one go. */
import { UserError } from "../../errors.js";
import { originOf } from "../../input/base-origin.js";
import type { MineResult } from "../../jobs/mine.js";
import { runAll } from "../../jobs/run.js";
import { reportFileBeside, rulesFileBeside } from "../../store/beside.js";
import { Workspace } from "../../store/workspace.js";
import { withoutCredentials } from "../../url/credentials.js";
import { printDocument } from "../document.js";
import { validateOptions } from "../fetching.js";
import { readOptions } from "../inputs.js";
import type { Arguments } from "../parse.js";
import { describeAdded } from "../render-inputs.js";
import { documentRules } from "../render-rules.js";
import { renderSavings, renderVerdicts } from "../render-verdicts.js";
import type { Session } from "../session.js";
import { counted, printable } from "../terminal.js";
import { mineOptions } from "./mine.js";

const SITES_SHOWN = 10;

function minedLines(sites: MineResult["sites"]): string[] {
  const line = (name: string, rules: number, urls: number) =>
    `${name}: ${counted(rules, "likely rule")} among ${counted(urls, "URL")}`;
  const [shown, rest] = [sites.slice(0, SITES_SHOWN), sites.slice(SITES_SHOWN)];
  const sum = (pick: (site: MineResult["sites"][number]) => number) => rest.reduce((all, site) => all + pick(site), 0);
  return [
    ...shown.map(({ site, rules, urls }) => line(printable(site) || "all URLs", rules.length, urls)),
    ...(rest.length === 0
      ? []
      : [
          line(
            counted(rest.length, "more site"),
            sum(({ rules }) => rules.length),
            sum(({ urls }) => urls),
          ),
        ]),
  ];
}

/**
 * Most logs name no host: if one site is given, they are that site's. A bare host is requested over http, which itself
 * leads to https.
 */
function newBaseOf(args: Arguments): { newBase?: string } {
  const [site, ...others] = args.texts("site").map(withoutCredentials);
  if (site === undefined || others.length > 0 || site.includes("*")) return {};
  return { newBase: originOf(site.includes("://") ? site : `http://${site}`, "--site") };
}

export async function run(args: Arguments, { terminal, context }: Session): Promise<undefined> {
  if (args.inputs.length === 0) {
    throw new UserError('run needs an input: a log or a crawl of the site; see "dustpan run --help"');
  }
  const workspace = Workspace.at(args.text("workspace")!);
  const rulesFile = args.text("rules") ?? rulesFileBeside(workspace.file);
  const reportFile = reportFileBeside(workspace.file);
  const json = args.has("json");
  const say = (text: string) => {
    if (!json) terminal.out(text);
  };
  const result = await runAll(
    workspace,
    args.inputs,
    {
      add: { ...readOptions(args), ...newBaseOf(args), snapshot: args.text("snapshot")!, text: !args.has("no-text") },
      mine: mineOptions(args),
      validate: validateOptions(args, args.texts("site").length === 0),
      rulesFile,
      reportFile,
    },
    {
      onAdded: (added) => say(describeAdded(terminal, added)),
      onMined: ({ sites }) => say(`${minedLines(sites).join("\n")}\n`),
    },
    context,
  );
  if (json) {
    const { inputs, validated, savings } = result;
    const { draws, ...rest } = validated;
    printDocument(terminal, "dustpan-run", {
      inputs,
      validated: { ...rest, rules: documentRules(terminal, rest.rules), draws: draws.length },
      savings,
      report: reportFile,
    });
    return;
  }
  say(renderVerdicts(terminal, result.validated));
  if (result.savings.rules > 0 || result.validated.unseen === undefined) say(renderSavings(terminal, result.savings));
  terminal.err(`\nthe report is ${reportFile}; rules are in ${rulesFile}, everything else in ${workspace.file}`);
}
