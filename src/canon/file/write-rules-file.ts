import type { Evidence, Rule, Scope } from "../../model.js";
import { plainAction } from "../kinds.js";
import { maskExamples } from "../mask-rule.js";
import { conditionsOf } from "../scope.js";
import { RULES_FORMAT, RULES_VERSION, type RulesFile } from "./rules-file.js";

/**
 * The text of a rules file, made for version control: the same rules give the same bytes, fields have a fixed order, a
 * rule takes a few lines of what belongs together, and a new verdict or decision changes one of them.
 */
export function formatRulesFile(file: RulesFile): string {
  const settings = Object.entries(file.settings).map(([name, value]) => `    ${field(name, value)}`);
  const certificates = (file.certificates ?? []).map((certificate) => `    ${json(certificate)}`);
  const rules = file.rules.map((rule) => `    {\n${ruleLines(rule).join(",\n")}\n    }`);
  return [
    "{",
    `  ${field("format", RULES_FORMAT)},`,
    `  ${field("version", RULES_VERSION)},`,
    settings.length === 0 ? `  "settings": {},` : `  "settings": {\n${settings.join(",\n")}\n  },`,
    ...(certificates.length === 0 ? [] : [`  "certificates": [\n${certificates.join(",\n")}\n  ],`]),
    rules.length === 0 ? `  "rules": []` : `  "rules": [\n${rules.join(",\n")}\n  ]`,
    "}",
    "",
  ].join("\n");
}

/** Examples are masked: the file is made to be handed on, and they are URLs of visitors. */
function ruleLines(whole: Rule): string[] {
  const rule = maskExamples(whole);
  const {
    id,
    scope,
    status,
    decision,
    source,
    site,
    support,
    confirmed,
    merges,
    example,
    evidence,
    after,
    opposite,
    note,
  } = rule;
  const lines = [
    fields({ id, ...plainAction(rule) }),
    ...(Object.keys(scope).length === 0 ? [] : [field("scope", orderedScope(rule))]),
    fields({ status, decision, source, ...(site === undefined ? {} : { site }) }),
    fields({ support, confirmed, merges }),
    ...(example === undefined ? [] : [field("example", { from: example.from, to: example.to })]),
  ].map((line) => `      ${line}`);
  if (evidence !== undefined) lines.push(evidenceLines(evidence));
  if (after !== undefined) lines.push(`      ${field("after", after)}`);
  if (opposite !== undefined) {
    const { status: verdict, positive, negative } = opposite;
    lines.push(`      ${field("opposite", { status: verdict, positive, negative })}`);
  }
  if (note !== undefined) lines.push(`      ${field("note", note)}`);
  return lines;
}

function orderedScope({ scope }: Rule): Scope {
  const { host, path, script } = scope;
  const conditions = conditionsOf(scope);
  return {
    ...(host === undefined ? {} : { host }),
    ...(path === undefined ? {} : { path }),
    ...(script === undefined ? {} : { script }),
    ...(conditions.length === 0 ? {} : { parameters: Object.fromEntries(conditions) }),
  };
}

function evidenceLines(evidence: Evidence): string {
  const { positive, negative, similarity, redirected, canonicalised, canonicalConflicts, checkedAt } = evidence;
  const list = (name: string, items: readonly object[]) =>
    items.length === 0
      ? `        "${name}": []`
      : `        "${name}": [\n${items.map((item) => `          ${json(item)}`).join(",\n")}\n        ]`;
  return [
    `      "evidence": {`,
    `        ${fields({ positive, negative, similarity, checkedAt })},`,
    `        ${fields({ redirected, canonicalised, canonicalConflicts })},`,
    `${list(
      "examples",
      evidence.examples.map(({ from, to }) => ({ from, to })),
    )},`,
    `${list(
      "counterExamples",
      evidence.counterExamples.map(({ from, to, why }) => ({ from, to, why })),
    )}${evidence.skipped === undefined ? "" : ","}`,
    ...(evidence.skipped === undefined
      ? []
      : [
          list(
            "skipped",
            evidence.skipped.map(({ why, count }) => ({ why, count })),
          ),
        ]),
    "      }",
  ].join("\n");
}

function fields(values: Readonly<Record<string, unknown>>): string {
  let text = "";
  for (const name of Object.keys(values)) {
    const value = values[name];
    if (value !== undefined) text += (text && ", ") + field(name, value);
  }
  return text;
}

function field(name: string, value: unknown): string {
  return `${JSON.stringify(name)}: ${json(value)}`;
}

/** JSON in one line, with the spaces that people put there. */
function json(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(json).join(", ")}]`;
  const text = fields(value as Record<string, unknown>);
  return text ? `{ ${text} }` : "{}";
}
