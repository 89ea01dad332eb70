/** The figures of the DustBuster papers. */

import { count, counted, percent } from "../../numbers.js";
import { type Causes, causeNames } from "../metrics.js";
import { drawBars } from "./bars.js";
import type { DustOfRule, Figure, PrecisionSeries, SitePhases, SiteRedundancy } from "./figure.js";
import { drawShares } from "./lines.js";

const precisionTable = (at: string) => (series: readonly PrecisionSeries[]) => ({
  columns: ["list", at, "precision"],
  rows: series.flatMap(({ name, points }) => thin(points).map(({ x, y }) => [name, count(x), percent(y)])),
});

/** At most about twenty rows: the first, the last, and some between. */
function thin<T>(points: readonly T[]): T[] {
  const step = Math.ceil(points.length / 20);
  return points.filter((_, i) => i % step === 0 || i === points.length - 1);
}

const describePrecision = (series: readonly PrecisionSeries[]) =>
  series
    .map(({ name, points }) => {
      const last = points.at(-1)!;
      return `${name}: ${percent(points[0]!.y)} at ${count(points[0]!.x)}, ${percent(last.y)} at ${count(last.x)}`;
    })
    .join("; ");

/** Figure 5 (2007). */
export const precisionAtK: Figure<readonly PrecisionSeries[]> = {
  title: "Precision of the likely rules",
  sentence: (series) => {
    const rules = series.reduce((sum, { points }) => sum + points.length, 0);
    return `Of the first k of ${counted(rules, "likely rule")}, in the order in which they were found without a single fetch, this share proved valid.`;
  },
  weight: () => 0.03,
  render: (series) =>
    drawShares("Precision of the likely rules", describePrecision(series), series, {
      x: "first k rules by support",
      y: "valid",
    }),
  table: precisionTable("k"),
};

/** Figure 6 (2007). */
export const precisionByValidations: Figure<readonly PrecisionSeries[]> = {
  title: "How many looks a rule needs",
  sentence: (series) => {
    const points = series[0]?.points ?? [];
    const enough = points.find((_, i) => points.slice(i).every(({ y }) => y === 1));
    return enough === undefined
      ? "Of the rules that this many validations would accept, this share is valid in the end."
      : `After ${counted(enough.x, "validation")} no rule was accepted here that all the validations together refute.`;
  },
  weight: () => 0.02,
  render: (series) =>
    drawShares("Precision by number of validations", describePrecision(series), series, {
      x: "validations of each rule",
      y: "valid in the end",
    }),
  table: precisionTable("validations"),
};

/** Tables 2 and 3 (2007). */
export const rulesPerPhase: Figure<readonly SitePhases[]> = {
  title: "Rules in each phase",
  sentence: (sites) => {
    const sum = (pick: (site: SitePhases) => number) => sites.reduce((total, site) => total + pick(site), 0);
    return `Of ${counted(
      sum(({ detected }) => detected),
      "pair",
    )} of substrings that looked like rules, ${count(sum(({ remaining }) => remaining))} said something that no other said, and ${counted(
      sum(({ proven }) => proven),
      "substring rule",
    )} proved valid.`;
  },
  weight: () => 0.025,
  render: (sites) =>
    drawBars(
      "Rules in each phase",
      sites
        .map(
          ({ site, detected, remaining, proven }) =>
            `${site}: ${count(detected)} detected, ${count(remaining)} after elimination, ${count(proven)} proven`,
        )
        .join("; "),
      phaseBars(sites),
    ),
  table: (sites) => ({
    columns: ["site", "detected", "not redundant", "proven"],
    rows: sites.map(({ site, detected, remaining, proven }) => [
      site,
      count(detected),
      count(remaining),
      count(proven),
    ]),
  }),
};

function phaseBars(sites: readonly SitePhases[]) {
  return sites.slice(0, SITES_SHOWN).flatMap(({ site, detected, remaining, proven }) => {
    const prefix = sites.length === 1 ? "" : `${site}: `;
    return [
      { name: `${prefix}detected`, value: detected, label: count(detected) },
      { name: `${prefix}not redundant`, value: remaining, label: count(remaining) },
      { name: `${prefix}proven`, value: proven, label: count(proven) },
    ];
  });
}

const SITES_SHOWN = 4;

/** Table 4 (2007). */
export const redundancy: Figure<readonly SiteRedundancy[]> = {
  title: "What canonization saves of a crawl",
  sentence: (sites) => {
    const urls = sites.reduce((sum, site) => sum + site.urls, 0);
    const saved = sites.reduce((sum, site) => sum + site.saved * site.urls, 0);
    return `${percent(urls === 0 ? 0 : saved / urls)} of the URLs need not be fetched: the page is known under another URL.`;
  },
  // With one site it says no more than the first screen.
  weight: (sites) => (sites.length > 1 ? Math.max(...sites.map(({ saved }) => saved)) : 0.01),
  render: (sites) =>
    drawBars(
      "Discovered redundancy by site",
      sites.map(({ site, urls, saved }) => `${site}: ${percent(saved)} of ${count(urls)} URLs`).join("; "),
      sites.map(({ site, urls, saved }) => ({
        name: site,
        value: saved,
        label: `${percent(saved)} of ${count(urls)}`,
      })),
    ),
  table: (sites) => ({
    columns: ["site", "URLs", "saved"],
    rows: sites.map(({ site, urls, saved }) => [site, count(urls), percent(saved)]),
  }),
};

export const dustByRule: Figure<readonly DustOfRule[]> = {
  title: "Where the dust comes from",
  sentence: (causes) => {
    const all = causes.reduce((sum, { urls }) => sum + urls, 0);
    const first = causes[0];
    return first === undefined || all === 0
      ? "No URL is dust."
      : `"${first.name}" makes ${percent(first.urls / all)} of the dust; each URL counts once, for the first rule that changes it.`;
  },
  weight: (causes) => (causes.length > 1 ? 1 : 0.2),
  render: (causes) => {
    const all = causes.reduce((sum, { urls }) => sum + urls, 0);
    return drawBars(
      "Dust by rule",
      causes.map(({ name, urls }) => `${name}: ${count(urls)}`).join("; "),
      causes.map(({ name, urls }) => ({
        name,
        value: urls,
        label: `${count(urls)} (${percent(all === 0 ? 0 : urls / all)})`,
      })),
    );
  },
  table: (causes) => ({ columns: ["rule", "URLs"], rows: causes.map(({ name, urls }) => [name, count(urls)]) }),
};

/** Figure 8 (2007). */
export const duplicatesByCause: Figure<Causes> = {
  title: "What the duplicates are",
  sentence: (causes) => {
    const all = duplicatesIn(causes);
    return `Of ${counted(all, "duplicate")} among the URLs whose documents were compared, rules cover ${percent(all === 0 ? 0 : causes.covered / all)}.`;
  },
  weight: (causes) => (duplicatesIn(causes) > 0 ? 0.9 : 0),
  render: (causes) => {
    const all = duplicatesIn(causes);
    return drawBars(
      "Duplicates by cause",
      causeNames.map(([cause, name]) => `${name}: ${count(causes[cause])}`).join("; "),
      causeNames.map(([cause, name]) => ({
        name,
        value: causes[cause],
        label: `${count(causes[cause])} (${percent(all === 0 ? 0 : causes[cause] / all)})`,
      })),
    );
  },
  table: (causes) => ({
    columns: ["cause", "duplicates"],
    rows: causeNames.map(([cause, name]) => [name, count(causes[cause])]),
  }),
};

function duplicatesIn(causes: Causes): number {
  return causeNames.reduce((sum, [cause]) => sum + causes[cause], 0);
}
