import { applyRule } from "../../canon/apply.js";
import { compile } from "../../canon/compile.js";
import { describeRule, shownRule } from "../../canon/describe.js";
import { parseRulesFile, RULES_FORMAT, RULES_VERSION, ruleStatuses } from "../../canon/file/rules-file.js";
import { requiredText } from "../../canon/kinds.js";
import { verdictOf } from "../../canon/legend.js";
import { isRefinement } from "../../canon/refinement.js";
import { type Pair, ruleGroups } from "../../documents.js";
import { UserError } from "../../errors.js";
import type { Rule, RuleDecision, UrlPair } from "../../model.js";
import { cutPage } from "../../store/browse/page.js";
import { findDraw, listDraws, readSeenPage } from "../../store/runs/fetched-pairs.js";
import { findMerges, type Merge } from "../../store/urls/merges.js";
import { certificateStates } from "../../validate/certificate-state.js";
import type { App } from "./app.js";
import { compare } from "./compare.js";
import { choiceOf, given, integerOf, limitOf, objectOf } from "./query.js";
import { type ApiRequest, documentOf, type Route } from "./routes.js";
import { countGroups, groupRules } from "./rule-groups.js";

const decisions = ["accepted", "rejected", "none"] as const;

const sortKeys = {
  rank: () => 0,
  support: (rule: Rule) => rule.support,
  merges: (rule: Rule) => rule.merges,
  positive: (rule: Rule) => rule.evidence?.positive ?? -1,
  negative: (rule: Rule) => rule.evidence?.negative ?? -1,
} satisfies Record<string, (rule: Rule) => number>;

export const rulesRoutes: readonly Route[] = [
  { method: "GET", path: "/api/rules", handle: list },
  { method: "POST", path: "/api/rules", handle: write },
  { method: "GET", path: "/api/rules/:id", handle: show },
  { method: "DELETE", path: "/api/rules/:id", handle: remove },
  { method: "POST", path: "/api/rules/:id/decision", handle: decide },
  { method: "GET", path: "/api/rules/:id/pairs", handle: pairs },
  { method: "GET", path: "/api/rules/:id/pairs/:pair", handle: comparison },
  { method: "POST", path: "/api/preview", handle: preview },
];

async function list({ app, query }: ApiRequest) {
  const file = app.readRules();
  const { settings, rules } = file;
  const status = choiceOf(query, "status", ruleStatuses);
  const decision = choiceOf(query, "decision", decisions);
  const sort = choiceOf(query, "sort", Object.keys(sortKeys) as (keyof typeof sortKeys)[]) ?? "rank";
  const descending = query.get("order") !== "asc";
  const site = query.get("site") ?? "";
  const text = (query.get("q") ?? "").toLowerCase();
  const groups = groupRules(rules);
  const counts = countGroups(groups);
  const asked = choiceOf(query, "group", ["first", "all", ...ruleGroups]) ?? "all";
  const group = asked === "first" ? (ruleGroups.find((name) => counts[name] > 0) ?? "all") : asked;
  const chosen = rules.filter(
    (rule) =>
      (group === "all" || groups.get(rule.id) === group) &&
      (status === undefined || verdictOf(rule) === status) &&
      (decision === undefined || (rule.decision ?? "none") === decision) &&
      (site === "" || rule.site === site) &&
      (text === "" || `${rule.id} ${describeRule(rule)} ${rule.note ?? ""}`.toLowerCase().includes(text)),
  );
  const key = sortKeys[sort];
  // The sort is stable: rules that are equal stay in the order in which they are applied.
  if (sort !== "rank") chosen.sort((a, b) => (descending ? key(b) - key(a) : key(a) - key(b)));
  const after = query.get("after");
  const start = after === null ? 0 : chosen.findIndex(({ id }) => id === after) + 1;
  const { rows, next } = cutPage(chosen.slice(start), limitOf(query), ({ id }) => id);
  return documentOf("dustpan-rule-list", {
    settings,
    rules: rows.map(shownRule),
    total: chosen.length,
    ...(next !== undefined && { next }),
    group,
    groups: counts,
    sites: [...new Set(rules.map((rule) => rule.site ?? ""))].sort(),
    certificates: certificateStates(file),
    ...problemOfSet(rules),
  });
}

/** Rules that go round in circles cannot be used together; people have to reject one. */
function problemOfSet(rules: readonly Rule[]): { problem?: string } {
  try {
    compile(rules);
    return {};
  } catch (error) {
    if (error instanceof UserError) return { problem: error.message };
    throw error;
  }
}

async function show({ app, params }: ApiRequest) {
  const { rules } = app.readRules();
  const rule = findRule(rules, params.id!);
  const related = (test: (other: Rule) => boolean) =>
    rules.filter((other) => other.id !== rule.id && test(other)).map(shownRule);
  return documentOf("dustpan-rules-shown", {
    rules: [shownRule(rule)],
    group: groupRules(rules).get(rule.id)!,
    refinements: related((other) => isRefinement(other, rule)),
    refines: related((other) => isRefinement(rule, other)),
  });
}

function findRule(rules: readonly Rule[], id: string): Rule {
  const rule = rules.find((candidate) => candidate.id === id);
  if (rule === undefined) throw new UserError(`no rule ${id}`);
  return rule;
}

async function decide({ app, params, body }: ApiRequest) {
  const { decision, note } = objectOf(body);
  if (decision !== null && decision !== "accepted" && decision !== "rejected") {
    throw new UserError(`decision: expected "accepted", "rejected" or null`);
  }
  if (note !== undefined && typeof note !== "string") throw new UserError("note: expected a text");
  const { rules } = app.changeRules((all) => {
    findRule(all, params.id!);
    return all.map((rule) => (rule.id === params.id ? withDecision(rule, decision, note) : rule));
  });
  return documentOf("dustpan-rules-shown", { rules: [shownRule(findRule(rules, params.id!))], ...problemOfSet(rules) });
}

function withDecision(rule: Rule, decision: RuleDecision | null, note: string | undefined): Rule {
  const { note: old, ...rest } = rule;
  const kept = note ?? old ?? "";
  return { ...rest, decision, ...(kept !== "" && { note: kept }) };
}

/** A rule that somebody wrote: checked like one of a rules file. With `replaces`, it takes that rule's place. */
async function write({ app, body }: ApiRequest) {
  const { rule: text, replaces } = objectOf(body);
  const rule = parseHandWritten(text);
  const { rules } = app.changeRules((all) => {
    const replaced = typeof replaces === "string" ? findRule(all, replaces) : undefined;
    if (all.some(({ id }) => id === rule.id)) throw new UserError(`there is this rule already: ${rule.id}`);
    // A mined rule would be found again; a rejected one is not offered again.
    const others =
      replaced === undefined
        ? all
        : replaced.source === "hand"
          ? all.filter((other) => other !== replaced)
          : all.map((other) =>
              other === replaced ? withDecision(other, "rejected", `replaced by ${rule.id}`) : other,
            );
    const own: Rule = { ...rule, ...(replaced?.site !== undefined && { site: replaced.site }) };
    return [own, ...others];
  });
  return documentOf(
    "dustpan-rules-shown",
    { rules: [shownRule(findRule(rules, rule.id))], ...problemOfSet(rules) },
    201,
  );
}

function parseHandWritten(value: unknown): Rule {
  const { kind, from, to, start, end, name, place, action, value: set, keep, scope, decision, note } = objectOf(value);
  const fields = { kind, from, to, start, end, name, place, action, value: set, keep, scope, decision, note };
  const file = { format: RULES_FORMAT, version: RULES_VERSION, rules: [fields] };
  return parseRulesFile(JSON.stringify(file), "the rule").rules[0]!;
}

async function remove({ app, params }: ApiRequest) {
  app.changeRules((all) => {
    const rule = findRule(all, params.id!);
    if (rule.source !== "hand") throw new UserError("only a rule written by hand can be removed; reject this one");
    return all.filter((other) => other !== rule);
  });
  return documentOf("dustpan-rules-shown", { rules: [] });
}

/** What validation drew; where no finished run has draws of the rule, the examples that the rules file keeps. */
async function pairs({ app, params, query }: ApiRequest) {
  const rule = findRule(app.readRules().rules, params.id!);
  const outcome = choiceOf(query, "outcome", ["positive", "negative", "skipped"]);
  const after = integerOf(query, "after", 0, 0xffffffff);
  const { rows, next } = await listDraws(app.workspace, rule.id, {
    limit: limitOf(query, 25),
    ...(outcome !== undefined && { outcome }),
    ...(after !== undefined && { after }),
  });
  if (rows.length > 0 || after !== undefined) {
    const drawn = rows.map(({ run, number, ...row }) => ({ pair: `${run}-${number}`, ...row }));
    return documentOf("dustpan-pairs", { pairs: drawn, ...(next !== undefined && { next }) });
  }
  const kept = keptPairs(rule).filter((pair) => outcome === undefined || pair.outcome === outcome);
  return documentOf("dustpan-pairs", { pairs: kept });
}

function keptPairs(rule: Rule) {
  const row = (kind: string, outcome: Pair["outcome"]) => (pair: UrlPair & { readonly why?: string }, i: number) => ({
    pair: `${kind}-${i}`,
    direction: "forward",
    from: pair.from,
    to: pair.to,
    outcome,
    why: pair.why ?? "",
  });
  return [
    ...(rule.evidence?.counterExamples ?? []).map(row("counter", "negative")),
    ...(rule.evidence?.examples ?? []).map(row("example", "positive")),
    ...(rule.example === undefined || rule.evidence !== undefined ? [] : [rule.example].map(row("list", "unknown"))),
  ];
}

/** Both pages of a pair, and their texts line by line. */
async function comparison({ app, params }: ApiRequest) {
  const rule = findRule(app.readRules().rules, params.id!);
  const { from, to } = await findPair(app, rule, params.pair!);
  return compare(await readSeenPage(app.workspace, from), await readSeenPage(app.workspace, to));
}

async function findPair(app: App, rule: Rule, name: string): Promise<UrlPair> {
  const drawn = /^(\d+)-(\d+)$/.exec(name);
  const pair =
    drawn === null
      ? keptPairs(rule).find((kept) => kept.pair === name)
      : await findDraw(app.workspace, Number(drawn[1]), Number(drawn[2]));
  if (pair === undefined) throw new UserError(`no pair ${name}`);
  return pair;
}

/** URLs that one answer looks at; the browser continues from `next`. */
const BATCH_URLS = 20_000;

/** Which URLs of the workspace a rule would merge, and which of these merges the known sketches contradict. */
async function preview({ app, body, query }: ApiRequest) {
  const { rule: text, id } = objectOf(body);
  const rule = typeof id === "string" ? findRule(app.readRules().rules, id) : parseHandWritten(text);
  const after = integerOf(query, "after", 0, 0xffffffff) ?? -1;
  const { host } = rule.scope;
  const { merges, ...rest } = await findMerges(app.workspace, {
    change: (url) => applyRule(rule, url),
    contains: requiredText(rule),
    ...(host !== undefined && { host: host.replace(/^\*\./, "").toLowerCase() }),
    after,
    limit: BATCH_URLS,
  });
  const merged = merges.filter(({ toId, shared }) => toId !== undefined || shared);
  const count = (sketches: Merge["sketches"]) => merges.filter((merge) => merge.sketches === sketches).length;
  const shown = limitOf(query, 100);
  const first = (sketches: Merge["sketches"]) => merges.filter((merge) => merge.sketches === sketches);
  return documentOf("dustpan-preview", {
    id: rule.id,
    text: describeRule(rule),
    changed: merges.length,
    merged: merged.length,
    alike: count("alike"),
    contradicted: count("different"),
    // What speaks against the rule comes first.
    merges: [...first("different"), ...first("alike"), ...first("unknown")].slice(0, shown),
    ...rest,
    ...given(query, "after"),
  });
}
