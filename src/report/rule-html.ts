import { actionWords } from "../canon/kinds.js";
import { similarityWords } from "../canon/legend.js";
import { type Segment, scopeWords } from "../canon/words.js";
import type { RuleAction, Scope, UrlPair } from "../model.js";
import { bytes, count, counted, percent } from "../numbers.js";
import { difference } from "../url/difference.js";
import { MASK } from "../url/mask.js";
import { whyUndecided } from "../validate/why-undecided.js";
import type { ReportRule } from "./data.js";
import { type Html, html } from "./html.js";

/** A rule in one line: what becomes what, the part that changes marked. */
export function ruleInWords(action: RuleAction, scope: Scope): Html {
  return html`${[...actionWords(action), ...scopeWords(scope)].map(({ text, as }) => (as === undefined ? html`${text}` : marks[as](text)))}`;
}

const marks: Readonly<Record<NonNullable<Segment["as"]>, (text: string) => Html>> = {
  removed: (text) => html`<del>${text}</del>`,
  added: (text) => html`<ins>${text}</ins>`,
  name: (text) => html`<b>${text}</b>`,
  quiet: (text) => html`<span class="where">${text}</span>`,
};

/** Both URLs in one: what goes is struck out, what comes is underlined. */
export function urlDifference(pair: UrlPair): Html {
  const { prefix, from, to, suffix } = difference(pair.from, pair.to);
  return html`<span class="url">${prefix}${from !== "" && html`<del>${from}</del>`}${to !== "" && html`<ins>${to}</ins>`}${suffix}</span>`;
}

/** A link where that is safe: never to a URL that was masked, and to nothing but the web. */
function link(url: string): Html {
  return /^https?:\/\//i.test(url) && !url.includes(MASK)
    ? html`<a class="url" href="${url}" rel="noreferrer noopener">${url}</a>`
    : html`<span class="url">${url}</span>`;
}

export function provenRule(rule: ReportRule): Html {
  const { evidence, saved } = rule;
  const pair = rule.example ?? evidence?.examples[0];
  const proof =
    evidence === undefined
      ? html`<span class="tag">accepted</span>`
      : html`${count(evidence.positive)}<span class="faint">/${count(evidence.positive + evidence.negative)}</span>`;
  const unit = (text: string) => html`<span class="unit"> ${text}</span>`;
  return html`<li id="${rule.id}"><details><summary><span class="rule-what">${ruleInWords(rule.action, rule.scope)}</span>
<span class="n">${count(saved?.urls ?? 0)}${unit("URLs")}</span><span class="n">${count(saved?.requests ?? 0)}${unit("requests")}</span><span class="n">${bytes(saved?.bytes ?? 0)}</span><span class="n">${proof}${unit("alike")}</span>
${pair && urlDifference(pair)}</summary>${evidenceOf(rule)}</details></li>`;
}

function evidenceOf(rule: ReportRule): Html {
  const { evidence } = rule;
  const facts: [string, Html | string | undefined | false][] = [
    ["Verdict", evidence && `${counted(evidence.positive, "pair")} alike, ${count(evidence.negative)} not`],
    ["Decision", rule.decision === "accepted" && "accepted by a person"],
    [
      "Checked",
      evidence &&
        html`<time datetime="${evidence.checkedAt}">${day(evidence.checkedAt)}</time>, pages compared by ${similarityWords(evidence.similarity)}`,
    ],
    [
      "Suggested by",
      `${counted(rule.support, "pair of URLs", "pairs of URLs")} in the input; sizes or texts of ${rule.support === 0 ? "none" : percent(rule.confirmed / rule.support)} agree`,
    ],
    [
      "Site says",
      evidence !== undefined &&
        evidence.redirected + evidence.canonicalised > 0 &&
        `${count(evidence.redirected)} redirected and ${count(evidence.canonicalised)} with one rel=canonical, of ${counted(evidence.positive, "pair")}`,
    ],
    [
      "Beware",
      evidence !== undefined &&
        evidence.canonicalConflicts > 0 &&
        `${counted(evidence.canonicalConflicts, "pair")} with the same text name different rel=canonical URLs`,
    ],
    ["Only after", rule.after !== undefined && html`${rule.after.map((id) => html`<a href="#${id}">${id}</a> `)}`],
    ["Note", rule.note],
    [
      "Rule",
      html`<code>${rule.id}</code>${rule.source === "mined" ? "" : `, ${rule.source === "hand" ? "written by hand" : "imported"}`}`,
    ],
  ];
  return html`<div class="evidence"><dl>${facts.map(([name, value]) => (value === undefined || value === false ? "" : html`<dt>${name}</dt><dd>${value}</dd>`))}</dl>${evidence && pairsTable(evidence)}</div>`;
}

function pairsTable({ examples, counterExamples }: NonNullable<ReportRule["evidence"]>): Html | undefined {
  if (examples.length + counterExamples.length === 0) return undefined;
  return html`<table class="pairs"><thead><tr><th scope="col">Pages</th><th scope="col">URL, and what the rule makes of it</th></tr></thead><tbody>
${examples.map((pair) => html`<tr><td>alike</td><td>${link(pair.from)}${link(pair.to)}</td></tr>`)}
${counterExamples.map((pair) => html`<tr><td><b>${pair.why}</b></td><td>${link(pair.from)}${link(pair.to)}</td></tr>`)}
</tbody></table>`;
}

/** A rule that is not used, with the evidence against it. */
export function deadRule(rule: ReportRule): Html {
  const { evidence } = rule;
  const against = evidence?.counterExamples[0];
  const tried = evidence === undefined ? 0 : evidence.positive + evidence.negative;
  const why = whyUndecided(rule);
  return html`<li class="against"><span class="rule-what">${ruleInWords(rule.action, rule.scope)}</span>
<small>suggested by ${counted(rule.support, "pair of URLs", "pairs of URLs")}${evidence !== undefined && `; ${count(evidence.positive)} of ${counted(tried, "pair")} alike`}</small>
${why && html`<p>${why.why}; ${why.next}</p>`}${against && html`<p><b>${against.why}:</b> ${urlDifference(against)}</p>`}</li>`;
}

/** "2026-11-15 23:01 UTC" */
export function day(iso: string): string {
  return `${iso.slice(0, 16).replace("T", " ")} UTC`;
}
