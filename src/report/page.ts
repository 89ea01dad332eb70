import { createHash } from "node:crypto";
import { bytes, capitalized, count, counted, percent } from "../numbers.js";
import { MASK } from "../url/mask.js";
import { shellWord } from "../url/shell-word.js";
import { avoidable, copiesSection } from "./copies-html.js";
import type { Listed, ReportData, ReportRule } from "./data.js";
import { EXPORTS_SCRIPT, exportsSection, type ReportExport } from "./exports-html.js";
import { type DrawnFigure, drawFigures } from "./figures.js";
import { Html, html } from "./html.js";
import {
  crawlerSection,
  directorySection,
  isMined,
  likelySection,
  nextSection,
  parameterSection,
  saidSection,
  spellingSection,
} from "./owner-html.js";
import { day, deadRule, provenRule, urlDifference } from "./rule-html.js";
import { SCRIPT, STYLE } from "./style.js";

const FIRST_FIGURES = 4;

type Part = [id: string, title: string, body: Html | undefined];

/** The whole report: one HTML file that needs nothing else, for the site's owner. */
export function renderReport(data: ReportData, exports: readonly ReportExport[] = []): string {
  const drawn = drawFigures(data.figures);
  const copies: Part = ["copies", "Copies of pages, hosts and collections", copiesSection(data.copies)];
  // What the headline is about comes first.
  const isAboutCopies = data.dust.saved.urls === 0 && avoidable(data.copies).share > 0;
  const parts: Part[] = [
    ["rules", "Rules that hold", provenSection(data)],
    ["likely", "Likely rules", likelySection(data)],
    ["next", "What to do next", nextSection(data)],
    ["exports", "The rules for other programs", exportsSection(exports)],
    ["refuted", "Rules that are not used", refutedSection(data)],
    ...(isAboutCopies ? [copies] : []),
    ["handled", "What the site already takes care of", handledSection(data)],
    ["parameters", "Parameters", parameterSection(data)],
    ["said", "Redirects and canonical links", saidSection(data)],
    ["spellings", "http and https, www, slash and case", spellingSection(data)],
    ["directories", "By directory", directorySection(data)],
    ...(isAboutCopies ? [] : [copies]),
    ["crawlers", "By crawler", crawlerSection(data)],
    ["sites", "Site by site", siteSection(data)],
    ["figures", "Figures", figureSection(drawn)],
    ["settings", "How this was made", settingsSection(data)],
  ];
  const shown = parts.filter(([, , body]) => body !== undefined);
  const script = exports.length === 0 ? SCRIPT : `${SCRIPT};${EXPORTS_SCRIPT}`;
  const hash = createHash("sha256").update(script).digest("base64");
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="referrer" content="no-referrer"><meta name="generator" content="dustpan ${data.settings.versions.dustpan}">
<title>${headline(data)} - dustpan report</title><style>${new Html(STYLE)}</style></head>
<body><a class="skip" href="#main">Skip to the rules</a>
<header>${opening(data)}<nav aria-label="Sections"><ul>${shown.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav></header>
<main id="main">${shown.map(([id, title, body]) => html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${body}</section>`)}</main>
<footer>Made by dustpan ${data.settings.versions.dustpan} on ${day(data.made)}.${data.masked && ` Session ids and tokens are shown as ${MASK}.`}</footer>
<script>${new Html(script)}</script></body></html>
`.text;
}

function siteName({ sites }: ReportData): string {
  const [first, ...others] = sites.shown;
  const more = others.length + sites.more;
  if (first === undefined) return "this workspace";
  const name = first.site === "" ? "the site" : first.site;
  return more === 0 ? name : `${name} and ${counted(more, "other site")}`;
}

const share = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);

/** From this share on, near-duplicates are the news if there is no rule. */
const MANY_ALIKE = 0.05;

function headline(data: ReportData): string {
  const { all, saved } = data.dust;
  if (all.urls === 0) return "Nothing has been read yet";
  const spared = avoidable(data.copies).share;
  if (saved.urls === 0 && spared > 0) {
    return `${percent(spared)} of a crawl of ${siteName(data)} is copies of pages that are kept elsewhere`;
  }
  const alike = data.copies?.clusters?.share ?? 0;
  if (saved.urls === 0 && alike >= MANY_ALIKE) {
    return `${percent(alike)} of the pages of ${siteName(data)} are near-duplicates of others`;
  }
  if (saved.urls === 0) return `No dust is proven on ${siteName(data)}`;
  return `${percent(share(saved.urls, all.urls))} of the URLs of ${siteName(data)} are dust`;
}

function opening(data: ReportData): Html {
  const { read, rules } = data;
  const { all, dust, saved, copyBytes, savedCopyBytes, unsettled } = data.dust;
  const pages = all.urls - saved.urls;
  const span = read.from === undefined ? "" : read.from === read.to ? `, ${read.from}` : `, ${read.from} to ${read.to}`;
  const proven = [rules.proven, rules.handled].reduce((sum, { shown, more }) => sum + shown.length + more, 0);
  const likely = rules.likely.shown.length + rules.likely.more;
  const declared =
    rules.declared > 0 &&
    ` ${counted(rules.declared, "rule")} more ${rules.declared === 1 ? "is" : "are"} declared by the site's rel=canonical ("dustpan canon --trust-site").`;
  const waiting = html`${likely > 0 && html`<a href="#likely">${counted(likely, "likely rule")}</a> still ${likely === 1 ? "waits" : "wait"} for proof: <a href="#next">what to do next</a>.`}${declared}`;
  const summary = !isMined(data)
    ? html`Nobody has looked for rules among these ${count(all.urls)} URLs yet: <a href="#next">what to do next</a>.`
    : saved.urls === 0
      ? html`No rule that holds makes two of these ${count(all.urls)} URLs one. ${waiting}`
      : html`${count(all.urls)} URLs lead to ${count(pages)} pages: the others show what another URL shows already. ${counted(proven, "rule")} below ${proven === 1 ? "says" : "say"} which${proofWords(proven, untriedOf(rules).length)}. ${waiting}`;
  return html`<p class="kicker">${read.sources.shown.length === 1 && read.sources.more === 0 ? read.sources.shown[0]!.name.split(/[\\/]/).at(-1) : counted(read.sources.shown.length + read.sources.more, "input")}${span} \u00b7 ${counted(read.records, "record")} \u00b7 ${counted(read.urls, "URL")} on ${counted(read.hosts, "host")}</p>
<h1>${headline(data)}</h1><p class="lead">${summary}</p>
${(rules.proven.shown.length + rules.handled.shown.length > 0 ? data.certificates : []).map(({ site, certified, text }) => html`<p class="certificate">${data.certificates.length > 1 && html`<b>${site}</b> `}${certified && html`<span class="tag">certified</span> `}${!certified && data.certificates.length === 1 ? capitalized(text) : text}.</p>`)}
${
  saved.urls > 0 &&
  html`<div class="share" role="img" aria-label="${count(pages)} pages, ${count(saved.urls)} URLs of dust"><span style="flex:${pages}"></span><span class="dust" style="flex:${saved.urls}"></span></div>
<p class="share-key"><span>${counted(pages, "page")}</span><span>${counted(saved.urls, "URL")} of dust</span></p>
<dl class="tiles"><div><dt>Fetches</dt><dd><b>${count(saved.urls)}</b>unnecessary in every full crawl, ${percent(share(saved.urls, all.urls))} of it</dd></div>
<div><dt>Requests and bytes</dt><dd><b>${dust.bytes > 0 ? bytes(dust.bytes) : count(dust.requests)}</b>${dust.bytes > 0 ? `of ${bytes(all.bytes)} went out for dust, ` : ""}${count(dust.requests)} of ${counted(all.requests, "request")}</dd></div>
<div><dt>Cache entries</dt><dd><b>${count(saved.urls)}</b>of ${count(all.urls)} are copies where the URL is the key${copyBytes > 0 && `: ${bytes(savedCopyBytes)} of ${bytes(copyBytes)}`}</dd></div></dl>`
}
${unsettled > 0 && html`<p>${counted(unsettled, "URL")} did not settle under these rules and stay as they are.</p>`}
${readDetails(data)}`;
}

/** In use since a person said so; no pages were compared. */
function untriedOf({ proven, handled }: ReportData["rules"]): ReportRule[] {
  return [...proven.shown, ...handled.shown].filter(({ evidence }) => evidence === undefined);
}

function proofWords(rules: number, untried: number): string {
  if (untried === 0) return ", each with its proof";
  if (untried === rules)
    return `; ${untried === 1 ? "it was" : "they were"} accepted by a person, and no pages were compared`;
  return `, each with its proof but ${untried === 1 ? "one that was" : `${count(untried)} that were`} accepted by a person`;
}

function readDetails({ read }: ReportData): Html {
  const left = [
    read.failedUrls > 0 && `${counted(read.failedUrls, "URL")} only ever failed (4xx, 5xx) and are left out`,
    read.damaged > 0 && `${counted(read.damaged, "record")} could not be read`,
    read.pages > 0 && `${counted(read.pages, "page")} came with their content`,
  ].filter((part) => part !== false);
  const several = read.snapshots.length > 1;
  const rows = read.sources.shown.map(
    (source) =>
      html`<tr><td class="url">${source.name}</td>${several && html`<td>${source.snapshot}</td>`}<td>${source.format}</td><td class="n">${count(source.records)}</td><td class="n">${count(source.damaged)}</td><td class="n">${source.added}</td></tr>`,
  );
  return html`<details class="fold"><summary>What was read</summary>${left.length > 0 && html`<p>${left.join("; ")}.</p>`}
<div class="wide" tabindex="0" role="region" aria-label="Inputs"><table><thead><tr><th scope="col">Input</th>${several && html`<th scope="col">Snapshot</th>`}<th scope="col">Format</th><th scope="col" class="n">Records</th><th scope="col" class="n">Damaged</th><th scope="col" class="n">Added</th></tr></thead><tbody>${rows}</tbody></table></div>${andMore(read.sources, "inputs")}</details>`;
}

function andMore(list: Listed<unknown>, what: string): Html | false {
  return list.more > 0 && html`<p class="faint">and ${count(list.more)} more ${what}</p>`;
}

const columns = html`<p class="columns" aria-hidden="true"><span>Rule, and a URL with what changes</span><span>URLs saved</span><span>Requests</span><span>Bytes</span><span>Alike</span></p>`;

/** Rules that save nothing by themselves are folded: others do their work already, or nobody asked for such a URL. */
function ruleList(list: Listed<ReportRule>): Html {
  const isUseful = ({ saved }: ReportRule) => (saved?.urls ?? 0) > 0;
  const useful = list.shown.filter(isUseful);
  const idle = list.shown.filter((rule) => !isUseful(rule));
  return html`${useful.length > 0 && html`${columns}<ol class="rules">${useful.map(provenRule)}</ol>`}
${list.more > 0 && html`<p class="faint">and ${count(list.more)} more that save less; all are in the rules file</p>`}
${idle.length > 0 && html`<details class="fold"><summary>${counted(idle.length, "rule")} that ${idle.length === 1 ? "saves" : "save"} no URL beyond what the others do</summary><ol class="rules">${idle.map(provenRule)}</ol></details>`}`;
}

function provenSection({ rules, dust }: ReportData): Html | undefined {
  if (rules.proven.shown.length === 0) return undefined;
  const isTried = rules.proven.shown.some(({ evidence }) => evidence !== undefined);
  const tried =
    isTried && "Each was tried on pages of the site: pairs of URLs that the rule makes one were fetched and compared.";
  const untried =
    rules.proven.shown.some(({ evidence }) => evidence === undefined) &&
    `${isTried ? " Not so those" : "Those"} marked "accepted"${isTried ? ": they" : ""} are in use since a person said so.`;
  return html`<p>${tried}${untried} What several rules change together counts for each of them; all together save ${counted(dust.saved.urls, "URL")}.</p>
${ruleList(rules.proven)}
${rules.dropped.length > 0 && html`<details class="fold"><summary>${counted(rules.dropped.length, "proven rule")} left out: with others ${rules.dropped.length === 1 ? "it" : "they"} would go round in circles</summary><ul class="rules">${rules.dropped.map(deadRule)}</ul></details>`}`;
}

function refutedSection({ rules }: ReportData): Html | undefined {
  const fold = (list: Listed<ReportRule>, title: string) => {
    const total = list.shown.length + list.more;
    return (
      total > 0 &&
      html`<details class="fold"><summary>${title}: ${count(total)}</summary><ul class="rules">${list.shown.map(deadRule)}</ul>${andMore(list, 'in the rules file ("dustpan rules list")')}</details>`
    );
  };
  const refuted = fold(rules.refuted, "Refuted, each with a pair of pages that differ");
  const undecided = fold(rules.undecided, "Undecided, each with the reason");
  if (refuted === false && undecided === false && rules.rejected === 0) return undefined;
  return html`<p>These looked like rules in the input; pages said otherwise, or too little.</p>${refuted}${undecided}${rules.rejected > 0 && html`<p class="faint">${counted(rules.rejected, "rule")} rejected by a person.</p>`}`;
}

function handledSection({ handled, rules, spellings }: ReportData): Html | undefined {
  const lines = [
    handled.redirected.urls > 0 &&
      `${counted(handled.redirected.urls, "URL")} (${counted(handled.redirected.requests, "request")}) were only ever answered with a redirect.`,
    handled.canonicalised.urls > 0 &&
      `${counted(handled.canonicalised.urls, "page")} ${handled.canonicalised.urls === 1 ? "names" : "name"} another URL as canonical.`,
    handled.dust.urls > 0 && `Of the dust above, ${counted(handled.dust.urls, "URL")} are among these.`,
    handled.saved > 0 && `The rules below make ${counted(handled.saved, "URL")} one that no other rule does.`,
  ].filter((line) => line !== false);
  const list = rules.handled.shown.length > 0 && ruleList(rules.handled);
  if (lines.length === 0 && list === false && spellings.length === 0) return undefined;
  const partOfAll =
    list !== false &&
    "This dust is part of what is counted above: the site redirects it, or names one URL as canonical, but a program without rules learns so only by asking for it, each time. ";
  return html`<p>${partOfAll}${lines.join(" ")}</p>${list}
${
  spellings.length > 0 &&
  html`<h3 class="below">Spellings that mean the same by the standards</h3><table><thead><tr><th scope="col">What differs</th><th scope="col">Example</th><th scope="col" class="n">URLs</th></tr></thead><tbody>${spellings.map(({ step, urls, example }) => html`<tr><td>${stepWords(step)}</td><td>${urlDifference(example)}</td><td class="n">${count(urls)}</td></tr>`)}</tbody></table>`
}`;
}

/** "default port" of the step defaultPort. */
const stepWords = (step: string): string => step.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function siteSection({ sites }: ReportData): Html | undefined {
  if (sites.shown.length < 2) return undefined;
  return html`<div class="wide" tabindex="0" role="region" aria-label="Sites"><table><thead><tr><th scope="col">Site</th><th scope="col" class="n">URLs</th><th scope="col" class="n">Saved</th><th scope="col" class="n">Share</th><th scope="col" class="n">Requests</th><th scope="col" class="n">On dust</th></tr></thead><tbody>
${sites.shown.map((site) => html`<tr><td class="url">${site.site || "(no host)"}</td><td class="n">${count(site.urls)}</td><td class="n">${count(site.savedUrls)}</td><td class="n">${percent(share(site.savedUrls, site.urls))}</td><td class="n">${count(site.requests)}</td><td class="n">${count(site.dustRequests)}</td></tr>`)}
</tbody></table></div>${andMore(sites, "sites")}`;
}

function figureSection(drawn: readonly DrawnFigure[]): Html | undefined {
  if (drawn.length === 0) return undefined;
  const rest = drawn.slice(FIRST_FIGURES);
  return html`<div class="figures">${drawn.slice(0, FIRST_FIGURES).map(figure)}</div>
${rest.length > 0 && html`<details class="fold"><summary>${counted(rest.length, "more figure")}</summary><div class="figures">${rest.map(figure)}</div></details>`}`;
}

function figure({ name, title, sentence, svg, table }: DrawnFigure): Html {
  return html`<figure id="figure-${name}"><figcaption><h3>${title}</h3><p>${sentence}</p></figcaption>${new Html(svg)}
<details class="fold screen"><summary>The numbers</summary><div class="wide" tabindex="0" role="region" aria-label="Numbers: ${title}"><table><thead><tr>${table.columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead><tbody>${table.rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div></details></figure>`;
}

function settingsSection({ settings, made, masked }: ReportData): Html {
  const show = (value: unknown) =>
    typeof value === "string" ? value : Array.isArray(value) ? value.join(", ") : JSON.stringify(value);
  const table = (title: string, values: Readonly<Record<string, unknown>>) =>
    Object.keys(values).length > 0 &&
    html`<div><h3>${title}</h3><table><tbody>${Object.entries(values).map(([name, value]) => html`<tr><th scope="row">${name}</th><td class="url">${show(value)}</td></tr>`)}</tbody></table></div>`;
  const snapshot = settings.snapshot === undefined ? "" : ` --snapshot ${shellWord(settings.snapshot)}`;
  return html`<p>The same inputs, settings and seed give the same rules; the live site may have changed since. <code>dustpan report -w ${shellWord(settings.workspace)} --rules ${shellWord(settings.rulesFile)}${snapshot}${masked ? "" : " --unmask"}</code> makes this report again.</p>
<div class="figures settings">${table("Mining", settings.mining)}${settings.validation && table("Last validation", settings.validation)}${table("Versions", { ...settings.versions, made })}</div>`;
}
