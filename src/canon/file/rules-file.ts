/** `dustpan.rules.json`: the rules as a file that people own. docs/rules-file.md describes every field. */
import { DataError } from "../../errors.js";
import type { Certificate, CounterExample, Evidence, Rule, Scope, Skipped, UrlPair } from "../../model.js";
import { problemOf } from "../check-rule.js";
import { readAction } from "../kinds.js";
import { ruleId } from "../rule-id.js";
import { Fields } from "./fields.js";

export const RULES_FORMAT = "dustpan-rules";
export const RULES_VERSION = 2;
const readVersions = [1, RULES_VERSION];

export interface RulesFile {
  /** The parameters of the run that mined the rules, as it recorded them. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** In the order in which they are applied. */
  readonly rules: readonly Rule[];
  /** What was shown about all rules of a site together; none where nothing was. */
  readonly certificates?: readonly Certificate[];
}

export const ruleStatuses = ["likely", "declared", "valid", "refuted", "undecided"] as const;
const ruleDecisions = ["accepted", "rejected", null] as const;
const ruleSources = ["mined", "hand", "imported"] as const;
/** Reads a rules file's text. `file` is its name in messages. Throws a DataError for the first thing that is wrong. */
export function parseRulesFile(text: string, file = "dustpan.rules.json"): RulesFile {
  const fields = new Fields(parseJson(text, file), file);
  fields.oneOf("format", [RULES_FORMAT]);
  const version = fields.count("version");
  if (version > RULES_VERSION) {
    fields.fail("version", `${version} is newer than this dustpan, which reads up to ${RULES_VERSION}: update dustpan`);
  }
  fields.oneOf("version", readVersions);
  const settings = fields.has("settings") ? fields.object("settings").all() : {};
  const rules = fields.list("rules", parseRule);
  const certificates = fields.list("certificates", parseCertificate, []);
  fields.end();
  const places = new Map<string, number>();
  for (const [i, { id }] of rules.entries()) {
    const other = places.get(id);
    if (other !== undefined) throw new DataError(`is the same rule as rules[${other}]: ${id}`, `${file}: rules[${i}]`);
    places.set(id, i);
  }
  return { settings, rules, ...(certificates.length > 0 && { certificates }) };
}

function parseJson(text: string, file: string): unknown {
  if (text.trim() === "") throw new DataError("empty: remove it, and it is made anew", file);
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const position = /position (\d+)/.exec(message)?.[1];
    const line = position === undefined ? undefined : text.slice(0, Number(position)).split("\n").length;
    throw new DataError(`not JSON: ${message}`, line === undefined ? file : `${file}:${line}`);
  }
}

/** What people leave out when they write a rule takes its simplest value; the id is computed. */
function parseRule(fields: Fields): Rule {
  const action = readAction(fields);
  const scope = fields.has("scope") ? parseScope(fields.object("scope")) : {};
  const problem = problemOf(action, scope);
  if (problem !== undefined) fields.fail(problem.field, problem.problem);
  const id = ruleId(action, scope);
  const given = fields.text("id", id);
  if (given !== id) {
    fields.fail(
      "id",
      `"${given}" does not belong to what the rule says, which is ${id}; a changed rule is a new one: leave out its id, status and evidence`,
    );
  }
  // Added to the action, which is ours: a literal that begins with a spread of it takes twenty times as long.
  const rule: Rule = Object.assign(action, {
    id,
    scope,
    status: fields.oneOf("status", ruleStatuses, "likely"),
    decision: fields.has("decision") ? fields.oneOf("decision", ruleDecisions) : null,
    source: fields.oneOf("source", ruleSources, "hand"),
    ...(fields.has("site") ? { site: fields.text("site") } : {}),
    support: fields.count("support", 0),
    confirmed: fields.count("confirmed", 0),
    merges: fields.count("merges", 0),
    ...(fields.has("example") ? { example: parsePair(fields.object("example")) } : {}),
    ...(fields.has("evidence") ? { evidence: parseEvidence(fields.object("evidence")) } : {}),
    ...(fields.has("after") ? { after: fields.texts("after") } : {}),
    ...(fields.has("opposite") ? { opposite: parseOpposite(fields.object("opposite")) } : {}),
    ...(fields.has("note") ? { note: fields.text("note") } : {}),
  });
  fields.end();
  return rule;
}

function parseScope(fields: Fields): Scope {
  const scope: Scope = {
    ...(fields.has("host") ? { host: fields.text("host") } : {}),
    ...(fields.has("path") ? { path: fields.text("path") } : {}),
    ...(fields.has("script") ? { script: fields.text("script") } : {}),
    ...readConditions(fields),
  };
  fields.end();
  return scope;
}

/** Version 1 had one parameter that must be there. */
function readConditions(fields: Fields): Pick<Scope, "parameters"> {
  const single = fields.has("parameter") ? { [fields.text("parameter")]: true } : {};
  const given = fields.has("parameters") ? fields.object("parameters").all() : {};
  const parameters = { ...single, ...(given as NonNullable<Scope["parameters"]>) };
  return Object.keys(parameters).length === 0 ? {} : { parameters };
}

function parsePair(fields: Fields): UrlPair {
  const pair = { from: fields.text("from"), to: fields.text("to") };
  fields.end();
  return pair;
}

function parseCounterExample(fields: Fields): CounterExample {
  const counterExample = { from: fields.text("from"), to: fields.text("to"), why: fields.text("why") };
  fields.end();
  return counterExample;
}

function parseSkipped(fields: Fields): Skipped {
  const skipped = { why: fields.text("why"), count: fields.count("count") };
  fields.end();
  return skipped;
}

function parseEvidence(fields: Fields): Evidence {
  // Version 1 had a bound for each rule, which promised more than it held.
  if (fields.has("lowerBound")) fields.share("lowerBound");
  const evidence: Evidence = {
    positive: fields.count("positive"),
    negative: fields.count("negative"),
    similarity: fields.text("similarity"),
    redirected: fields.count("redirected", 0),
    canonicalised: fields.count("canonicalised", 0),
    canonicalConflicts: fields.count("canonicalConflicts", 0),
    examples: fields.list("examples", parsePair, []),
    counterExamples: fields.list("counterExamples", parseCounterExample, []),
    ...(fields.has("skipped") ? { skipped: fields.list("skipped", parseSkipped) } : {}),
    checkedAt: fields.text("checkedAt"),
  };
  fields.end();
  return evidence;
}

function parseCertificate(fields: Fields): Certificate {
  const certificate: Certificate = {
    site: fields.text("site"),
    certified: fields.flag("certified"),
    changed: fields.count("changed"),
    tried: fields.count("tried"),
    wrong: fields.count("wrong"),
    gone: fields.share("gone"),
    notComparable: fields.share("notComparable"),
    ...(fields.has("atMost") ? { atMost: fields.share("atMost") } : {}),
    assurance: fields.share("assurance"),
    attempt: fields.count("attempt"),
    rules: fields.text("rules"),
    list: fields.text("list"),
    at: fields.text("at"),
  };
  fields.end();
  return certificate;
}

function parseOpposite(fields: Fields): NonNullable<Rule["opposite"]> {
  const opposite = {
    status: fields.oneOf("status", ruleStatuses),
    positive: fields.count("positive", 0),
    negative: fields.count("negative", 0),
  };
  fields.end();
  return opposite;
}
