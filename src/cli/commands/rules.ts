/** `dustpan rules`: looks at rules and decides about them. */

import { shownRule } from "../../canon/describe.js";
import { ruleStatuses } from "../../canon/file/rules-file.js";
import { formatRulesFile } from "../../canon/file/write-rules-file.js";
import { byStanding, legend, similarityWords, verdictOf } from "../../canon/legend.js";
import { UserError } from "../../errors.js";
import type { Evidence, Rule, RuleDecision } from "../../model.js";
import { rulesFileBeside } from "../../store/beside.js";
import { readRulesFile, writeRulesFile } from "../../store/rules-on-disk.js";
import { whyUndecided } from "../../validate/why-undecided.js";
import { printDocument } from "../document.js";
import type { Arguments } from "../parse.js";
import { certificateLines, doubtLines } from "../render-certificates.js";
import { describeRule, documentRules } from "../render-rules.js";
import type { Session } from "../session.js";
import { shownUrl } from "../shown-url.js";
import { count, counted, paint, printable, type Terminal, table } from "../terminal.js";

const decisions: Readonly<Record<string, RuleDecision | null>> = {
  accept: "accepted",
  reject: "rejected",
  reset: null,
};

export async function run(args: Arguments, { terminal }: Session): Promise<undefined> {
  const [action = "list", ...ids] = args.inputs;
  if (action !== "list" && action !== "show" && !(action in decisions)) {
    throw new UserError(`rules ${action}: expected list, show, accept, reject or reset`);
  }
  const file = args.text("rules") ?? rulesFileBeside(args.text("workspace")!);
  const known = readRulesFile(file);
  const { rules } = known;
  if (action === "list") {
    const status = args.choice("status", ruleStatuses);
    const listed = rules.filter((rule) => status === undefined || verdictOf(rule) === status);
    if (args.has("json")) {
      terminal.out(formatRulesFile({ ...known, rules: listed }).trimEnd());
      return;
    }
    terminal.out(renderList(terminal, listed));
    const lines = known.certificates === undefined ? doubtLines(terminal, known) : certificateLines(terminal, known);
    for (const line of lines) terminal.out(line);
    return;
  }
  const chosen = ids.map((id) => findRule(rules, id));
  if (chosen.length === 0)
    throw new UserError(`rules ${action} needs the id of a rule; "dustpan rules list" shows them`);
  if (action === "show") {
    if (args.has("json"))
      printDocument(terminal, "dustpan-rules-shown", { rules: documentRules(terminal, chosen).map(shownRule) });
    else terminal.out(chosen.map((rule) => renderRule(terminal, rule)).join("\n\n"));
    return;
  }
  const decision = decisions[action] ?? null;
  const decided = rules.map((rule) => (chosen.includes(rule) ? { ...rule, decision } : rule));
  writeRulesFile(file, { ...known, rules: decided });
  for (const line of doubtLines(terminal, { ...known, rules: decided })) terminal.err(line);
  if (args.has("json")) {
    const ofChosen = decided.filter(({ id }) => chosen.some((rule) => rule.id === id));
    printDocument(terminal, "dustpan-rules-shown", { rules: documentRules(terminal, ofChosen).map(shownRule) });
    return;
  }
  const what = decision ?? "undecided by you";
  for (const rule of chosen) terminal.out(`${rule.id} is ${what}: ${describeRule(terminal, rule)}`);
}

/** By its id, or by a beginning of it that no other rule shares. */
function findRule(rules: readonly Rule[], id: string): Rule {
  const found = rules.filter((rule) => rule.id === id || rule.id.startsWith(id) || rule.id.startsWith(`r-${id}`));
  const exact = found.find((rule) => rule.id === id);
  if (exact !== undefined) return exact;
  if (found.length === 0) throw new UserError(`no rule ${id}; "dustpan rules list" shows them`);
  if (found.length > 1)
    throw new UserError(`${id} could be ${found.map((rule) => rule.id).join(", ")}; give more of the id`);
  return found[0]!;
}

function renderList(terminal: Terminal, rules: readonly Rule[]): string {
  if (rules.length === 0) return "no rules";
  const list = table(
    [
      { title: "id" },
      { title: "verdict" },
      { title: "decision" },
      { title: "pairs", right: true },
      { title: "alike", right: true },
      { title: "rule" },
    ],
    byStanding(rules).map((rule) => [
      rule.id,
      paintStatus(terminal, rule),
      rule.decision ?? "",
      count(rule.support),
      rule.evidence === undefined || isUntried(rule.evidence) ? "" : triedWords(rule.evidence),
      describeRule(terminal, rule),
    ]),
  );
  return `${list}\n${paint(terminal, "dim", `pairs: ${legend.pairs}; alike: ${legend.alike}`)}`;
}

const isUntried = ({ positive, negative }: Evidence) => positive + negative === 0;

function triedWords({ positive, negative }: Evidence): string {
  return `${count(positive)} of ${count(positive + negative)}`;
}

function paintStatus(terminal: Terminal, rule: Rule): string {
  const verdict = verdictOf(rule);
  const status = verdict === rule.status ? verdict : `${verdict}, reversed`;
  if (status.startsWith("valid")) return paint(terminal, "green", status);
  return status === "refuted" ? paint(terminal, "red", status) : status;
}

function renderRule(terminal: Terminal, rule: Rule): string {
  const { evidence, opposite, example } = rule;
  const pair = (from: string, to: string, why = "") =>
    `    ${shownUrl(terminal, from)}\n    ${shownUrl(terminal, to)}${why === "" ? "" : ` (${why})`}`;
  return [
    `${paint(terminal, "bold", rule.id)}  ${describeRule(terminal, rule)}`,
    `  ${paintStatus(terminal, rule)}${rule.decision === null ? "" : `, ${rule.decision} by you`}; ${rule.source}; site ${rule.site || "-"}`,
    `  ${counted(rule.support, "pair")} of URLs in the input that it makes one; sizes or texts of ${count(rule.confirmed)} agree`,
    ...(example === undefined ? [] : ["  from the list:", pair(example.from, example.to)]),
    ...(evidence === undefined
      ? []
      : [
          `  ${triedWords(evidence)} pairs of pages alike, by ${similarityWords(evidence.similarity)}; checked ${evidence.checkedAt}`,
          ...declaredLines(evidence),
          ...undecidedLines(rule),
          ...evidence.examples.slice(0, 2).map(({ from, to }) => pair(from, to, "alike")),
          ...evidence.counterExamples.map(({ from, to, why }) => pair(from, to, why)),
        ]),
    ...(opposite === undefined
      ? []
      : [`  the other way: ${opposite.status}, ${opposite.positive} alike, ${opposite.negative} not`]),
    ...(rule.after === undefined ? [] : [`  holds after ${rule.after.join(", ")}`]),
    ...(rule.note === undefined ? [] : [`  ${printable(rule.note)}`]),
  ].join("\n");
}

function undecidedLines(rule: Rule): string[] {
  const reason = whyUndecided(rule);
  return reason === undefined ? [] : [`  ${printable(reason.why)}; ${reason.next}`];
}

/** What the site itself says about the pairs that are alike. */
function declaredLines({ redirected, canonicalised, canonicalConflicts }: Evidence): string[] {
  const parts = [
    ...(redirected > 0 ? [`${counted(redirected, "pair")} redirected to one place`] : []),
    ...(canonicalised > 0 ? [`${count(canonicalised)} with one rel=canonical URL`] : []),
    ...(canonicalConflicts > 0
      ? [`${count(canonicalConflicts)} with different rel=canonical URLs for the same text`]
      : []),
  ];
  return parts.length === 0 ? [] : [`  the site itself: ${parts.join(", ")}`];
}
