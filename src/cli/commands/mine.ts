/** `dustpan mine`: likely rules, without a fetch. */
import { applyRule } from "../../canon/apply.js";
import { formatRulesFile } from "../../canon/file/write-rules-file.js";
import { requiredText } from "../../canon/kinds.js";
import { byStanding } from "../../canon/legend.js";
import { scopeCovers } from "../../canon/scope.js";
import type { StepReport } from "../../engine/engine.js";
import type { UrlInputOptions } from "../../engine/url-input.js";
import { UserError } from "../../errors.js";
import type { EngineChoice } from "../../jobs/engine/open-engine.js";
import { mergeMined } from "../../jobs/merge-mined.js";
import { ALL_SITES, type MineOptions } from "../../jobs/mine/mined-site.js";
import { type MineResult, mine } from "../../jobs/mine.js";
import type { JobContext, Rule } from "../../model.js";
import { rulesFileBeside } from "../../store/beside.js";
import { writeRulesFile } from "../../store/rules-on-disk.js";
import type { SiteChoice } from "../../store/urls/url-lists.js";
import { engineChoice, inputTables, memoryBytes, renderSteps } from "../engine/engine-flags.js";
import { openWorkspace } from "../inputs.js";
import type { Arguments } from "../parse.js";
import { likelyLegend, renderLikelyRules } from "../render-rules.js";
import type { Session } from "../session.js";
import { shownUrl } from "../shown-url.js";
import { count, counted, paint, percent, printable, type Terminal } from "../terminal.js";

export async function run(args: Arguments, session: Session): Promise<undefined> {
  const { terminal, context } = session;
  const engine = engineChoice(args);
  const options = mineOptions(args);
  const table = inputTables(args, ["urls"]).urls;
  if (engine !== undefined && args.has("print-sql")) {
    terminal.out(await printedSql(table, options, engine, context));
    return;
  }
  if (engine?.engine === "spark" && table === undefined) {
    throw new UserError("--engine spark needs --input, Parquet that the cluster reaches");
  }
  const direct = args.inputs.length > 0 || table !== undefined;
  if (table !== undefined && args.inputs.length > 0) throw new UserError("INPUT and --input cannot be given together");
  const result =
    table === undefined
      ? await mineWorkspace(args, session, options, engine)
      : await mineTable(table, options, engine!, context, terminal);
  const file = args.text("rules") ?? (direct ? undefined : rulesFileBeside(args.text("workspace")!));
  const rules = mergeMined(file, result, options);
  if (file !== undefined) writeRulesFile(file, rules);
  if (args.has("json")) {
    terminal.out(formatRulesFile(rules).trimEnd());
    return;
  }
  terminal.out(render(terminal, result, args.integer("top")!));
  if (file !== undefined) terminal.err(`\nrules are in ${file}`);
}

async function mineWorkspace(
  args: Arguments,
  session: Session,
  options: MineOptions,
  engine: EngineChoice | undefined,
): Promise<MineResult> {
  const { terminal, context } = session;
  const workspace = await openWorkspace(args, session, false);
  try {
    const reports: StepReport[] = [];
    const where = {
      memoryBytes: memoryBytes(args),
      announce: (text: string) => terminal.err(printable(text)),
      onReport: (report: StepReport) => reports.push(report),
      ...(engine !== undefined && { onDisk: engine }),
    };
    const mined = await mine(workspace, { ...options, ...where }, context);
    if (engine?.keepSteps) terminal.err(`${renderSteps(reports)}\n`);
    return mined;
  } finally {
    workspace.close();
  }
}

/** A table's sites are mined all at once, or as one, or those of a host or a prefix. */
async function mineTable(
  table: string,
  options: MineOptions,
  engine: EngineChoice,
  context: JobContext,
  terminal: Terminal,
): Promise<MineResult> {
  const { mineInput } = await import("../../jobs/engine/mine-engine.js");
  const reports: StepReport[] = [];
  const onReport = (report: StepReport) => reports.push(report);
  const mined = await mineInput(table, inputOptions(options), options, engine, context, onReport);
  if (engine.keepSteps) terminal.err(`${renderSteps(reports)}\n`);
  return { sites: mined, normalized: [] };
}

function inputOptions({ sites = [], snapshot }: MineOptions): UrlInputOptions {
  if (sites.length > 1) throw new UserError("--input takes one --host, --prefix or --all");
  const [choice] = sites;
  return {
    ...(snapshot !== undefined && { snapshot }),
    ...(choice?.by === "host" && { host: choice.name, oneSite: choice.name }),
    ...(choice?.by === "prefix" && { prefix: choice.name, oneSite: choice.name }),
    ...(choice?.by === "all" && { oneSite: ALL_SITES }),
  };
}

async function printedSql(
  table: string | undefined,
  options: MineOptions,
  engine: EngineChoice,
  context: JobContext,
): Promise<string> {
  const { duckdbDialect, sparkDialect } = await import("../../engine/dialect.js");
  const { printSteps } = await import("../../engine/run-steps.js");
  const { mineSteps, printedInputSteps } = await import("../../jobs/engine/mine-engine.js");
  const dialect = engine.engine === "spark" ? sparkDialect : duckdbDialect;
  const before = table === undefined ? [] : await printedInputSteps(table, inputOptions(options), engine, context);
  return printSteps(`dustpan mine, for ${dialect.name}`, [...before, ...mineSteps(dialect, options)]);
}

export function mineOptions(args: Arguments): MineOptions {
  const hosts = args.texts("host").map((name): SiteChoice => ({ by: "host", name: name.toLowerCase() }));
  const prefixes = args.texts("prefix").map((name): SiteChoice => ({ by: "prefix", name }));
  const all: SiteChoice[] = args.has("all") ? [{ by: "all" }] : [];
  const sites = [...hosts, ...prefixes, ...all];
  if (args.has("all") && sites.length > 1)
    throw new UserError("--all cannot be given together with --host or --prefix");
  const lowBucket = args.integer("low-bucket", 2)!;
  const highBucket = args.integer("high-bucket", 2)!;
  if (highBucket < lowBucket) {
    throw new UserError(`--high-bucket ${highBucket} is below --low-bucket ${lowBucket}: it must be at least as large`);
  }
  const snapshot = args.text("snapshot");
  return {
    ...(sites.length > 0 && { sites }),
    ...(snapshot !== undefined && { snapshot }),
    // `run` and `eval` use one plan for mining and validation, and call any plan but the paper's "sequential".
    plan: args.choice("plan", ["ours", "sequential", "paper"]) === "paper" ? "paper" : "ours",
    likely: args.choice("likely", ["auto", "size", "sketch", "none"])!,
    sketchMatches: args.integer("sketch-matches", 1, 4)!,
    maxTokens: args.integer("max-tokens", 1, 250)!,
    lowBucket,
    highBucket,
    minSupport: args.integer("min-support", 1)!,
    maxRelativeDeficiency: args.number("max-relative-deficiency", 0, 1)!,
    maxAbsoluteDeficiency: args.integer("max-absolute-deficiency")!,
    maxWindow: args.integer("max-window")!,
  };
}

/** A crawl may name hundreds of sites. */
const SITES_SHOWN = 5;

/**
 * Leaves out substring pairs whose two URLs a parameter rule of a higher rank already merges: "sid=1" -> "sid=2" says
 * nothing that "drop sid" does not. The rules file keeps them, in case the parameter rule is refuted.
 */
function withoutImplied(rules: readonly Rule[]): Rule[] {
  const parameters: Rule[] = [];
  return rules.filter((rule) => {
    if (rule.kind === "parameter") {
      // Removal says more than setting to one value.
      if (
        parameters.some(
          (other) => other.kind === "parameter" && other.name === rule.name && scopeCovers(other.scope, rule.scope),
        )
      ) {
        return false;
      }
      parameters.push(rule);
      return true;
    }
    const { example } = rule;
    if (rule.kind !== "substring" || example === undefined) return true;
    return !parameters.some(
      (parameter) =>
        // A rule that changes neither URL does not merge them.
        (example.from.includes(requiredText(parameter)) || example.to.includes(requiredText(parameter))) &&
        (applyRule(parameter, example.from) ?? example.from) === (applyRule(parameter, example.to) ?? example.to),
    );
  });
}

/** How many of the rules the site itself declares. */
export function declaredOf(rules: readonly Rule[]): string {
  const declared = rules.filter(({ status }) => status === "declared").length;
  return declared === 0 ? "" : `, ${count(declared)} of them declared by its rel=canonical`;
}

function render(terminal: Terminal, { sites, normalized }: MineResult, top: number): string {
  const found = sites.filter(({ rules }) => rules.length > 0);
  const shown = top === 0 ? sites : (found.length > 0 ? found : sites).slice(0, SITES_SHOWN);
  const blocks = shown.map((site) => {
    const own = top === 0 ? site.rules : withoutImplied(site.rules);
    const rules = byStanding(own).slice(0, top === 0 ? own.length : top);
    const isKnown = site.withSketches + site.withSizes > 0;
    const name = paint(terminal, "bold", site.site === "" || site.site === "*" ? "all URLs" : printable(site.site));
    const known =
      site.withSketches > 0
        ? `sketches known for ${percent(site.withSketches / site.urls)}`
        : isKnown
          ? `sizes known for ${percent(site.withSizes / site.urls)}`
          : "no sizes known";
    const head = `${name}: ${counted(site.urls, "URL")}, ${known}; ${counted(site.rules.length, "likely rule")}${declaredOf(site.rules)}`;
    if (rules.length === 0) return `${head}\n  no URL looks like another one`;
    const implied = site.rules.length - own.length;
    const more = own.length - rules.length;
    const rest = [
      ...(more > 0 ? [`${count(more)} more`] : []),
      ...(implied > 0
        ? [`${count(implied)} that ${implied === 1 ? "follows" : "follow"} from parameter rules above`]
        : []),
    ];
    return [
      head,
      "",
      renderLikelyRules(terminal, rules, site.urls, isKnown),
      ...(rest.length > 0 ? [`... and ${rest.join(", and ")} (--top 0 shows all)`] : []),
    ].join("\n");
  });
  const merged = normalized.map(
    ({ step, urls, example }) =>
      `  ${count(urls)} by ${step}: ${shownUrl(terminal, example.from)} is ${shownUrl(terminal, example.to)}`,
  );
  const moreFound = found.length - shown.filter(({ rules }) => rules.length > 0).length;
  const without = top === 0 ? 0 : sites.length - found.length - (found.length > 0 ? 0 : shown.length);
  const others = [
    ...(moreFound > 0 ? [`${counted(moreFound, "more site")} with likely rules`] : []),
    ...(without > 0 ? [`${counted(without, "site")} without`] : []),
  ];
  return [
    ...(blocks.length === 0 ? ["no URLs to mine"] : blocks),
    ...(others.length > 0 ? [`... and ${others.join(", and ")} (--host NAME shows one, --top 0 all)`] : []),
    ...(found.length > 0 ? [likelyLegend(terminal)] : []),
    ...(merged.length === 0
      ? []
      : [`URLs that are the same by the standard, no rule needed (--keep STEP mines them):\n${merged.join("\n")}`]),
  ].join("\n\n");
}
