/** What the report says about copies: collections, mirrors and near-duplicates by name, what they cost, and what to do. */

import { DEFAULT_SNAPSHOT } from "../model.js";
import { bytes, count, counted, expectedPages, percent } from "../numbers.js";
import { nearDuplicatesInWords } from "../pages/near-duplicate-words.js";
import type { Listed, ReportCopies } from "./data.js";
import { type Html, html } from "./html.js";

/** What a crawl need not fetch, since it is kept elsewhere, and a page of what is kept. */
export function avoidable(copies: ReportCopies | undefined): { readonly share: number; readonly kept?: string } {
  const { collections, mirrors } = copies ?? {};
  const byCollections = shareOf(collections);
  const byMirrors = shareOf(mirrors);
  const kept =
    byCollections > 0 ? collections?.shown.shown[0]?.roots[0] : mirrors?.groups.shown.find((group) => group.kept)?.kept;
  return { share: Math.max(byCollections, byMirrors), ...(kept !== undefined && { kept }) };
}

const shareOf = (list: { readonly avoidable: number; readonly pages: number } | undefined) =>
  list === undefined || list.pages === 0 ? 0 : list.avoidable / list.pages;

export function copiesSection(copies: ReportCopies | undefined): Html | undefined {
  if (copies === undefined) return undefined;
  const { collections, mirrors, clusters, parts, advice } = copies;
  return html`${collections !== undefined && collectionPart(collections)}${mirrors !== undefined && mirrorPart(mirrors, shareOf(collections) > 0)}
${clusters !== undefined && clusterPart(clusters)}${advice !== undefined && advicePart(advice)}${parts !== undefined && partsPart(parts)}`;
}

/** Those who never named a snapshot have only one. */
const inSnapshot = ({ snapshot }: { readonly snapshot: string }) =>
  snapshot === DEFAULT_SNAPSHOT ? "" : ` (snapshot ${snapshot})`;

const more = ({ more: rest }: Listed<unknown>, what: string) =>
  rest > 0 && html`<p class="faint">and ${count(rest)} more ${what}</p>`;

function collectionPart(found: NonNullable<ReportCopies["collections"]>): Html {
  const { pages, avoidable, entries, replay } = found;
  if (found.shown.shown.length === 0) return html`<p>No collection of pages is there twice${inSnapshot(found)}.</p>`;
  return html`<h3>Collections that are there more than once</h3>
<p>${counted(found.replicatedPages, "page")} of ${count(pages)} (${percent(found.replicatedPages / pages)}) belong to a collection of which there are copies. A crawler that keeps one copy of each
leaves out ${counted(avoidable, "page")}, ${percent(avoidable / pages)} of its fetches${replay !== undefined && `, ${bytes(replay.bytesSaved)}; the share of pages with a copy falls from ${percent(replay.shareBefore)} to ${percent(replay.shareAfter)}, and ${replay.lost === 0 ? "no page is" : `${counted(replay.lost, "page")} ${replay.lost === 1 ? "is" : "are"}`} lost`}. ${avoidable > 0 && html`The list of what to leave out has ${counted(entries, "entry", "entries")}: <code>dustpan crawl --avoid workspace</code> uses it.`}</p>
<div class="wide" tabindex="0" role="region" aria-label="Collections"><table><thead><tr><th scope="col">Collection, its copies; the kept one in bold</th><th scope="col" class="n">Copies</th><th scope="col" class="n">Pages</th></tr></thead><tbody>
${found.shown.shown.map(({ name, copies, size, roots }) => html`<tr><td>${name}${roots.map((root, at) => html`<br><span class="url">${at === 0 ? html`<b>${root}</b>` : root}</span>`)}${copies > roots.length && html`<br>and ${count(copies - roots.length)} more`}</td><td class="n">${count(copies)}</td><td class="n">${count(size)}</td></tr>`)}
</tbody></table></div>${more(found.shown, "collections")}`;
}

function mirrorPart(found: NonNullable<ReportCopies["mirrors"]>, isAvoidTold: boolean): Html {
  const { groups, share, avoidable: spared } = found;
  if (groups.shown.length === 0)
    return html`<h3>Mirrors</h3><p>No two hosts are mirrors of each other${inSnapshot(found)}.</p>`;
  return html`<h3>Mirrors</h3><p>${percent(share)} of the pages are also on another host. These are mirrors of each other, or have parts that are:${spared > 0 && !isAvoidTold && html` a crawler that keeps one of each leaves out ${counted(spared, "page")}, ${percent(shareOf(found))} of its fetches (<code>dustpan crawl --avoid workspace</code>).`}</p>
<ul>${groups.shown.map(({ hosts, kept }) => html`<li><span class="url">${hosts.join(", ")}</span>${kept !== undefined && html`<br>kept, for example: <span class="url">${kept}</span>`}</li>`)}</ul>${more(groups, "groups")}`;
}

function clusterPart(found: NonNullable<ReportCopies["clusters"]>): Html {
  return html`<h3>Near-duplicates</h3><p>${nearDuplicatesInWords(found)}${inSnapshot(found)}.</p>
${
  found.largest.length > 0 &&
  html`<div class="wide" tabindex="0" role="region" aria-label="Largest clusters"><table><thead><tr><th scope="col" class="n">Pages</th><th scope="col" class="n">Hosts</th><th scope="col">Probably</th><th scope="col">Such as</th></tr></thead><tbody>
${found.largest.map(({ size, hosts, kind, title, url }) => html`<tr><td class="n">${count(size)}</td><td class="n">${count(hosts)}</td><td>${kind}</td><td>${title !== undefined && html`${title}<br>`}<span class="url">${url}</span></td></tr>`)}
</tbody></table></div>`
}`;
}

function partsPart(found: NonNullable<ReportCopies["parts"]>): Html {
  const { pages, parts, patterns } = found;
  if (parts === 0)
    return html`<h3>Parts of other pages</h3><p>No page is a part of another one${inSnapshot(found)}.</p>`;
  return html`<h3>Parts of other pages</h3><p>${counted(parts, "page")} of ${count(pages)} ${parts === 1 ? "is" : "are"} a part of a larger page${inSnapshot(found)}. Nothing is merged: these are the patterns of URLs that make them.</p>
<div class="wide" tabindex="0" role="region" aria-label="Parts of pages"><table><thead><tr><th scope="col" class="n">Pairs</th><th scope="col">Part</th><th scope="col">Whole</th><th scope="col">Such as</th></tr></thead><tbody>
${patterns.shown.map(({ part, whole, pairs, example }) => html`<tr><td class="n">${count(pairs)}</td><td class="url">${part}</td><td class="url">${whole}</td><td><span class="url">${example.part}</span><br><span class="url">${example.whole}</span></td></tr>`)}
</tbody></table></div>${more(patterns, "patterns")}`;
}

function advicePart({ clusters, savedFetches, savedBytes, expectedMissed }: NonNullable<ReportCopies["advice"]>): Html {
  if (clusters === 0)
    return html`<p>No cluster has been so stable that one of its pages could stand for the others.</p>`;
  return html`<p>${counted(clusters, "cluster")} ${clusters === 1 ? "has" : "have"} been so stable between snapshots that one page stands for the others: that saves ${counted(savedFetches, "fetch", "fetches")}${savedBytes > 0 && ` and ${bytes(savedBytes)}`} a crawl, and ${expectedPages(expectedMissed)} may change unnoticed.</p>`;
}
