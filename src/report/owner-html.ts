/** The parts of the report that a site's owner looks for: what is likely, what to do next, and the site by its parts. */
import { legend } from "../canon/legend.js";
import { trackingParameters } from "../mine/known-names.js";
import { count, counted, percent } from "../numbers.js";
import { MASK } from "../url/mask.js";
import { shellWord } from "../url/shell-word.js";
import { avoidable } from "./copies-html.js";
import type { ParameterUse, ReportData, ReportRule } from "./data.js";
import { type Html, html } from "./html.js";
import { ruleInWords, urlDifference } from "./rule-html.js";
import { dustSheet, saidSheet, spreadsheet } from "./spreadsheet.js";

interface Column<Cell> {
  readonly title: string;
  readonly numbers?: readonly number[];
  readonly cells?: readonly Cell[];
}

/** Columns of numbers are left out where they have nothing but zeros. */
function withoutZeros<Cell>(columns: readonly Column<Cell>[]): Column<Cell>[] {
  return columns.filter(({ numbers }) => numbers === undefined || numbers.some((value) => value !== 0));
}

const rowsIn = (columns: readonly Column<unknown>[]) =>
  Array.from({ length: (columns[0]?.cells ?? columns[0]?.numbers)?.length ?? 0 }, (_, i) => i);

function numbersTable(label: string, columns: readonly Column<Html | string>[]): Html {
  const shown = withoutZeros(columns);
  const head = shown.map(({ title, numbers }) =>
    numbers ? html`<th scope="col" class="n">${title}</th>` : html`<th scope="col">${title}</th>`,
  );
  const body = rowsIn(shown).map(
    (i) =>
      html`<tr>${shown.map(({ numbers, cells }) => (numbers ? html`<td class="n">${count(numbers[i]!)}</td>` : html`<td class="url">${cells![i]}</td>`))}</tr>`,
  );
  return html`<div class="wide" tabindex="0" role="region" aria-label="${label}"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

/** The table, and the same as a spreadsheet. */
function tableWithSheet(name: string, columns: readonly Column<string>[]): Html {
  const shown = withoutZeros(columns);
  const rows = rowsIn(shown).map((i) => shown.map(({ numbers, cells }) => numbers?.[i] ?? cells?.[i] ?? ""));
  return html`${numbersTable(name, columns)}${spreadsheet(
    name,
    shown.map(({ title }) => title),
    rows,
  )}`;
}

/** What looks like a rule and was not tried, with the evidence for it. */
export function likelySection({ rules }: ReportData): Html | undefined {
  const { shown, more } = rules.likely;
  if (shown.length === 0) return undefined;
  const line = (
    rule: ReportRule,
  ) => html`<li class="against"><span class="rule-what">${ruleInWords(rule.action, rule.scope)}</span>
<small><code>${rule.id}</code>, ${counted(rule.support, "pair")} of URLs${rule.confirmed > 0 ? `; sizes or texts of ${percent(rule.confirmed / rule.support)} agree` : "; nothing is known of their pages"}</small>
${rule.example && html`<p>${urlDifference(rule.example)}</p>`}</li>`;
  return html`<p>These follow from the URLs alone: nobody has looked at the pages yet, so none is used. Pairs are ${legend.pairs}; those that agree have the same size or text, as far as known.</p>
<ul class="rules">${shown.map(line)}</ul>${more > 0 && html`<p class="faint">and ${count(more)} more ("dustpan rules list --status likely")</p>`}`;
}

/** Commands to copy. */
export function nextSection(data: ReportData): Html | undefined {
  const { rules, dust, settings, sites } = data;
  if (dust.all.urls === 0) return undefined;
  const w = settings.workspace === "dustpan.duckdb" ? "" : ` -w ${shellWord(settings.workspace)}`;
  const name = sites.shown.find((shown) => shown.site !== "")?.site;
  const site = name === undefined ? undefined : shellWord(name);
  const open = rules.likely.shown.length + rules.undecided.shown.length;
  const isProven = rules.proven.shown.length + rules.handled.shown.length > 0;
  const [first] = rules.likely.shown;
  const { kept } = avoidable(data.copies);
  const commands: (readonly [command: string, what: string] | false)[] = [
    site === undefined && [`dustpan add INPUT --base https://www.example.com${w}`, "say which site the log is of"],
    !isMined(data) && [`dustpan mine${w}`, "find likely rules, without a single fetch"],
    open > 0 &&
      site !== undefined && [`dustpan validate --site ${site} --dry-run${w}`, "what would be fetched, and what not"],
    (open > 0 || !isMined(data)) &&
      site !== undefined && [`dustpan validate --site ${site}${w}`, "prove or refute the likely rules, politely"],
    open > 0 && [
      `dustpan add crawl.warc.gz${w} && dustpan validate --offline${w}`,
      "prove or refute them on the pages of a crawl, without the network",
    ],
    first !== undefined &&
      !isProven && [`dustpan rules accept ${first.id}${w}`, "use a rule that you know to be right"],
    isProven && [
      `dustpan export --to nginx --as redirect${w} > canonical.conf`,
      "redirects for a server; --list names other targets",
    ],
    isProven && [`dustpan canon urls.txt --dedupe${w}`, "a list of URLs, each page once"],
    // A masked URL cannot be opened: nobody can begin there.
    kept?.includes(MASK) === false && [
      `dustpan crawl ${shellWord(kept)} --avoid workspace${w}`,
      "the next crawl, without these copies",
    ],
    isProven && [`dustpan check --max-dust 5% access.log${w}`, "for CI and cron: fails where dust grows"],
    [`dustpan serve${w}`, "all of this in a browser"],
  ];
  const lines = commands.filter((entry) => entry !== false);
  const width = Math.max(...lines.map(([command]) => command.length));
  return html`<pre class="commands" tabindex="0" role="region" aria-label="Commands"><code>${lines.map(([command, what]) => [command.padEnd(width), html`  <span class="faint"># ${what}</span>\n`])}</code></pre>`;
}

/** Has anybody looked for rules? */
export function isMined({ settings, rules }: ReportData): boolean {
  const known = [rules.proven, rules.handled, rules.likely, rules.refuted, rules.undecided];
  return Object.keys(settings.mining).length > 0 || known.some(({ shown }) => shown.length > 0);
}

const isTracking = ({ name }: ParameterUse) => trackingParameters.includes(name) || /^(?:utm|pk|mtm|at)_/.test(name);
const PARAMETERS_SHOWN = 15;

export function parameterSection({ tables, rows }: ReportData): Html | undefined {
  const { parameters } = tables;
  if (parameters.length === 0) return undefined;
  const tracking = parameters.filter(isTracking);
  const others = parameters.filter((entry) => !isTracking(entry));
  const table = (list: readonly ParameterUse[], label: string) =>
    numbersTable(label, [
      { title: "Parameter", cells: list.map(({ name }) => html`<code>${name}</code>`) },
      { title: "Verdict", cells: list.map(({ verdict }) => verdict ?? "not tried: it may matter") },
      { title: "URLs", numbers: list.map(({ urls }) => urls) },
      { title: "Requests", numbers: list.map(({ requests }) => requests) },
      { title: "By crawlers", numbers: list.map(({ crawlerRequests }) => crawlerRequests) },
    ]);
  const hidden = others.length - PARAMETERS_SHOWN;
  return html`${others.length > 0 && table(others.slice(0, PARAMETERS_SHOWN), "Parameters")}${hidden > 0 && html`<p class="faint">and ${count(hidden)} more in the spreadsheet</p>`}
${tracking.length > 0 && html`<h3>Tracking</h3><p>Advertising and mailing systems add these to links; pages mostly ignore them.</p>${table(tracking, "Tracking parameters")}`}
${spreadsheet(
  "parameters",
  ["parameter", "URLs", "requests", "by crawlers", "verdict", "an example"],
  parameters.map(({ name, urls, requests, crawlerRequests, verdict = "", example }) => [
    name,
    urls,
    requests,
    crawlerRequests,
    verdict,
    example,
  ]),
)}${dustSheet("parameters-urls", rows.parameters)}`;
}

const LINKS_SHOWN = 15;

export function saidSection({ tables }: ReportData): Html | undefined {
  const { counts, links } = tables.said;
  if (counts.length === 0) return undefined;
  const name = (kind: string) => (kind === "redirect" ? "redirects" : "rel=canonical");
  return html`<p>What the site itself says about its URLs. A chain costs one more request each time, a loop or an error loses the page.</p>
${numbersTable("Redirects and canonical links", [
  {
    title: "What",
    cells: counts.map(
      ({ kind, problem }) => `${name(kind)}${problem === "" ? " that lead to a page" : `: ${problem}`}`,
    ),
  },
  { title: "URLs", numbers: counts.map(({ links: n }) => n) },
  { title: "Requests", numbers: counts.map(({ requests }) => requests) },
])}
<details class="fold"><summary>${links.length > LINKS_SHOWN ? `The first ${count(LINKS_SHOWN)} of them` : "Which ones"}</summary>${numbersTable(
    "Links",
    [
      { title: "URL", cells: links.slice(0, LINKS_SHOWN).map(({ url }) => url) },
      { title: "leads to", cells: links.slice(0, LINKS_SHOWN).map(({ target }) => target) },
      {
        title: "by",
        cells: links
          .slice(0, LINKS_SHOWN)
          .map(({ kind, problem }) => `${name(kind)}${problem === "" ? "" : `, ${problem}`}`),
      },
      { title: "Requests", numbers: links.slice(0, LINKS_SHOWN).map(({ requests }) => requests) },
    ],
  )}</details>${saidSheet("redirects-and-canonical", links)}`;
}

export function spellingSection({ tables, rows }: ReportData): Html | undefined {
  const { spellings } = tables;
  if (spellings.length === 0) return undefined;
  return html`<p>Addresses that were asked for in two spellings. Whether both show one page is for the rules to say.</p>
${numbersTable("Spellings of one address", [
  { title: "Spelling", cells: spellings.map(({ what }) => what) },
  { title: "An example", cells: spellings.map(({ example }) => urlDifference(example)) },
  { title: "Addresses", numbers: spellings.map(({ pages }) => pages) },
  { title: "URLs", numbers: spellings.map(({ urls }) => urls) },
  { title: "Requests", numbers: spellings.map(({ requests }) => requests) },
])}${dustSheet("spellings-urls", rows.spellings)}`;
}

export function directorySection({ tables, rows }: ReportData): Html | undefined {
  const { directories } = tables;
  if (directories.length < 2) return undefined;
  return html`${tableWithSheet("directories", [
    { title: "Directory", cells: directories.map(({ directory }) => directory) },
    { title: "URLs", numbers: directories.map(({ urls }) => urls) },
    { title: "Saved", numbers: directories.map(({ savedUrls }) => savedUrls) },
    { title: "Requests", numbers: directories.map(({ requests }) => requests) },
    { title: "On dust", numbers: directories.map(({ dustRequests }) => dustRequests) },
  ])}${dustSheet("dust-urls", rows.all)}`;
}

export function crawlerSection({ crawlers }: ReportData): Html | undefined {
  if (crawlers.length === 0) return undefined;
  const isWasted = crawlers.some(({ dustRequests }) => dustRequests > 0);
  return html`<p>Crawlers by the name they give themselves, those that ${isWasted ? "spend most requests on dust" : "ask most"} first.</p>
${tableWithSheet("crawlers", [
  { title: "Crawler", cells: crawlers.map(({ family }) => family) },
  { title: "Requests", numbers: crawlers.map(({ requests }) => requests) },
  { title: "On dust", numbers: crawlers.map(({ dustRequests }) => dustRequests) },
  { title: "URLs", numbers: crawlers.map(({ urls }) => urls) },
  { title: "Dust", numbers: crawlers.map(({ dustUrls }) => dustUrls) },
])}`;
}
