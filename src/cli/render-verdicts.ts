/** What a validation decided and saves, as lines for people. */
import { usableRule } from "../canon/kinds.js";
import { byStanding, verdictOf } from "../canon/legend.js";
import type { FetchPlan } from "../fetch/plan.js";
import type { ValidateResult } from "../jobs/validate.js";
import type { Rule } from "../model.js";
import { DustCounts } from "../report/dust-count.js";
import type { Savings } from "../report/savings.js";
import { nextStep, whyUndecided } from "../validate/why-undecided.js";
import { certificateLines } from "./render-certificates.js";
import { describeRule, droppedLines } from "./render-rules.js";
import { shownUrl } from "./shown-url.js";
import { bytes, count, counted, duration, paint, percent, printable, type Terminal } from "./terminal.js";

const REFUTED_SHOWN = 8;
const STEPS_SHOWN = 3;

/** The proven rules whole, the others as far as they help. */
export function renderVerdicts(terminal: Terminal, result: ValidateResult): string {
  const { rules, fetched, draws, stopped, onePageHosts, unseen, needless = 0 } = result;
  if (unseen !== undefined) return renderUnseen(terminal, rules, unseen);
  const withVerdict = (verdict: Rule["status"]) => rules.filter((rule) => verdictOf(rule) === verdict);
  const proven = withVerdict("valid");
  const bySite = new Set(new DustCounts(rules).handled.map(({ id }) => id));
  const valid = proven.filter(({ id }) => !bySite.has(id));
  const handled = proven.filter(({ id }) => bySite.has(id));
  const refuted = withVerdict("refuted");
  const undecided = withVerdict("undecided");
  const cost = fetched === undefined ? "no page fetched" : counted(fetched.requests, "request");
  const heading = (text: string) => paint(terminal, "bold", text);
  const tried = `${counted(draws.length, "pair")} of URLs tried, ${cost}`;
  // "0 proven rules" above a list of them would send people away.
  const isAllHandled = valid.length === 0 && handled.length > 0;
  const all = isAllHandled ? ", all of them what the site already redirects or canonicalises" : "";
  const lines = [heading(`${counted(isAllHandled ? handled.length : valid.length, "proven rule")}${all} (${tried})`)];
  for (const rule of valid) lines.push(...verdictLines(terminal, rule));
  if (handled.length > 0 && !isAllHandled) {
    lines.push("", heading(`${count(handled.length)} more that the site already redirects or canonicalises`));
  }
  for (const rule of handled) lines.push(...verdictLines(terminal, rule));
  for (const line of certificateLines(terminal, result)) lines.push("", line);
  const declared = rules.filter(({ status }) => status === "declared");
  if (declared.length > 0) {
    lines.push(
      "",
      heading(`${count(declared.length)} declared by rel=canonical and not compared ("canon --trust-site" uses them)`),
    );
    for (const rule of declared.slice(0, REFUTED_SHOWN))
      lines.push(`  ${paint(terminal, "cyan", "so")}  ${describeRule(terminal, rule)}`);
  }
  lines.push(
    "",
    heading(
      `${count(refuted.length)} refuted, ${count(undecided.length)} undecided${needless === 0 ? "" : `, ${count(needless)} not needed with the proven ones`}`,
    ),
  );
  for (const rule of refuted.slice(0, REFUTED_SHOWN)) {
    lines.push(`  ${paint(terminal, "red", "no")}  ${describeRule(terminal, rule)}`);
    const against = rule.evidence?.counterExamples[0];
    if (against !== undefined) {
      lines.push(paint(terminal, "dim", `        ${shownUrl(terminal, against.from)}`));
      lines.push(paint(terminal, "dim", `        ${shownUrl(terminal, against.to)}: ${against.why}`));
    }
  }
  if (refuted.length > REFUTED_SHOWN)
    lines.push(`  ... and ${count(refuted.length - REFUTED_SHOWN)} more ("dustpan rules list --status refuted")`);
  lines.push(...undecidedLines(terminal, undecided));
  if (onePageHosts !== undefined) {
    lines.push("", `${onePageHosts.join(", ")} answered everything with one page: nothing was learned there`);
  }
  if (stopped) lines.push("", "the budget is used up: the same command with a larger --budget goes on from here");
  return lines.join("\n");
}

/** Grouped by reason, with what can be done about each. */
function undecidedLines(terminal: Terminal, undecided: readonly Rule[]): string[] {
  const groups = new Map<string, Rule[]>();
  for (const rule of undecided.toSorted((a, b) => b.merges - a.merges)) {
    const reason = whyUndecided(rule);
    const text = reason === undefined ? "" : `${printable(reason.cause ?? reason.why)}; ${reason.next}`;
    if (!groups.get(text)?.push(rule)) groups.set(text, [rule]);
  }
  const shown = [...groups].slice(0, REASONS_SHOWN);
  const more = undecided.length - shown.reduce((sum, [, rules]) => sum + rules.length, 0);
  return [
    ...shown.flatMap(([reason, rules]) => {
      const others = rules.length - UNDECIDED_SHOWN;
      return [
        ...rules
          .slice(0, UNDECIDED_SHOWN)
          .map((rule) => `  ${paint(terminal, "yellow", "??")}  ${describeRule(terminal, rule)}`),
        ...(others > 0 ? [`      and ${count(others)} more:`] : []),
        ...(reason === "" ? [] : [paint(terminal, "dim", `        ${prefix(rules)}${reason}`)]),
      ];
    }),
    ...(more > 0 ? [`  ... and ${count(more)} more ("dustpan rules list --status undecided")`] : []),
  ];
}

/** A cause that kept several rules from being compared is reported once for all of them. */
function prefix(rules: readonly Rule[]): string {
  if (whyUndecided(rules[0]!)?.cause === undefined) return "";
  return rules.length === 1 ? "not compared: " : "none of these was compared: ";
}

const REASONS_SHOWN = 6;
const UNDECIDED_SHOWN = 3;
const LIKELY_SHOWN = 8;

/** Without a page there is no verdict; what is likely is worth a look anyway. */
function renderUnseen(terminal: Terminal, rules: readonly Rule[], why: string): string {
  const likely = byStanding(rules.filter(({ status }) => status === "likely" || status === "declared"));
  const lines = likely
    .slice(0, LIKELY_SHOWN)
    .map((rule) => `  ${paint(terminal, "yellow", "??")}  ${describeRule(terminal, rule)}`);
  const proven = rules.filter((rule) => usableRule(rule) !== undefined).length;
  const before = proven === 0 ? "nothing proven" : `nothing decided now, ${count(proven)} proven or accepted before`;
  const more = likely.length - lines.length;
  if (more > 0) lines.push(`  ... and ${count(more)} more ("dustpan rules list --status likely")`);
  return [
    paint(terminal, "bold", `${counted(likely.length, "likely rule")}, ${before}`),
    ...lines,
    "",
    printable(why),
  ].join("\n");
}

function verdictLines(terminal: Terminal, rule: Rule): string[] {
  const used = usableRule(rule) ?? rule;
  const evidence = rule.evidence;
  const proof =
    evidence === undefined
      ? ""
      : ` (${count(evidence.positive)} of ${count(evidence.positive + evidence.negative)} alike)`;
  const lines = [
    `  ${paint(terminal, "green", "ok")}  ${describeRule(terminal, used)}${paint(terminal, "dim", proof)}`,
  ];
  // Not the same as "not tried": people would reverse a rule.
  if (used !== rule && rule.status === "refuted") {
    lines.push(paint(terminal, "dim", `        alike this way only: ${describeRule(terminal, rule)} is refuted`));
  }
  if (evidence !== undefined && evidence.canonicalConflicts > 0) {
    lines.push(
      paint(
        terminal,
        "yellow",
        `        rel=canonical disagrees: ${counted(evidence.canonicalConflicts, "pair")} of the same text under different ones`,
      ),
    );
  }
  return lines;
}

export function renderSavings(terminal: Terminal, savings: Savings): string {
  const saved = savings.urlsBefore - savings.urlsAfter;
  return [
    "",
    paint(
      terminal,
      "bold",
      saved === 0
        ? `${count(savings.urlsBefore)} URLs, and no proven rule makes two of them one page`
        : `${count(savings.urlsBefore)} URLs are ${count(savings.urlsAfter)} pages: ${percent(savings.redundancy)} of the crawl is saved`,
    ),
    ...(saved === 0
      ? []
      : [
          `  ${count(saved)} URLs need not be fetched; ${count(savings.hitsOnDust)} of ${count(savings.hits)} requests${savings.bytesOnDust > 0 ? ` (${bytes(savings.bytesOnDust)})` : ""} went to what is not canonical`,
        ]),
    ...(savings.handled.urls > 0
      ? [
          `  of these, ${count(savings.handled.urls)} the site redirects or gives a canonical link: a program without rules fetches them to learn it`,
        ]
      : []),
    ...droppedLines(terminal, savings.dropped).map((line) => `  ${line}`),
    ...(savings.unsettled > 0
      ? [`  ${count(savings.unsettled)} URLs do not settle under these rules and stay as they are`]
      : []),
  ].join("\n");
}

export function renderPlan(terminal: Terminal, plan: FetchPlan): string {
  const omitted = (title: string, omissions: FetchPlan["skipped"]) => [
    ...(omissions.length === 0 ? [] : [`${count(omissions.length)} URLs ${title}:`]),
    ...omissions.slice(0, 20).map(({ url, reason }) => `  ${shownUrl(terminal, url)}: ${reason}`),
    ...(omissions.length > 20 ? [`  ... and ${count(omissions.length - 20)} more (--json has all)`] : []),
  ];
  const requests =
    plan.requests === 0
      ? [paint(terminal, "bold", "no request: there is nothing that may be fetched")]
      : [
          paint(
            terminal,
            "bold",
            `at most ${counted(plan.maxRequests, "request")}: redirects, retries and second looks count too (--budget)`,
          ),
          `all first draws of the rules take ${counted(plan.requests, "request")} and at least ${duration(plan.leastMs / 1000)}; most verdicts come sooner`,
        ];
  return [
    ...requests,
    ...plan.hosts.map(({ host, urls, leastMs }) => `  ${host}: ${count(urls)} URLs, ${duration(leastMs / 1000)}`),
    ...omitted("are left alone", plan.skipped),
    ...omitted("are refused", plan.refused),
    ...[...new Set(plan.refused.map(({ reason }) => nextStep(reason)))]
      .slice(0, STEPS_SHOWN)
      .map((step) => `what to do: ${printable(step)}`),
  ].join("\n");
}
