/**
 * Writes an archive (WARC) of a wiki as large as real ones, with its history and all the parameters that a crawler meets:
 *   node bench/accuracy/wiki-archive.mjs FILE [PAGES] [SEED]
 * Articles under two names, revisions, differences, histories of several lengths, lists with flags that hide entries. The
 * same text is shown under: /wiki/T and index.php?title=T; with redirect=no, useskin, mobileaction; the newest oldid with
 * one line more; a history with any limit that is not below its length; a list with any flag that hides nothing of it.
 */

import { once } from "node:events";
import { createWriteStream } from "node:fs";

const [file, pages = "32158", seed = "1"] = process.argv.slice(2);
if (file === undefined) throw new Error("usage: node bench/accuracy/wiki-archive.mjs FILE [PAGES] [SEED]");
let state = Number(seed) >>> 0;
const random = (below) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};
const words = Array.from({ length: 4000 }, (_, i) => `${"bcdfglmnprstv"[i % 13]}${"aeiou"[i % 5]}${i.toString(36)}`);
const text = (count) => Array.from({ length: count }, () => words[random(words.length)]).join(" ");
const origin = "http://wiki.test";
const menu = `Main page Community Recent changes Random page Help Tools What links here Related changes ${text(60)}`;

const out = createWriteStream(file);
let written = 0;
async function page(path, title, body) {
  if (written >= Number(pages)) return;
  written++;
  const html = `<html><head><title>${title} - Wiki</title></head><body><div>${menu}</div><h1>${title}</h1>${body}</body></html>`;
  const http = `HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(html)}\r\n\r\n${html}`;
  const date = new Date(Date.UTC(2026, 9, 1) + 1000 * written).toISOString().replace(/\.\d+/, "");
  const record = `WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-${String(written).padStart(12, "0")}>\r\nWARC-Target-URI: ${origin}${path}\r\nWARC-Date: ${date}\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: ${Buffer.byteLength(http)}\r\n\r\n${http}\r\n\r\n`;
  if (!out.write(record)) await once(out, "drain");
}

const paragraphs = (seedText, count) =>
  Array.from({ length: count }, () => `<p>${seedText} ${text(40)}</p>`).join("\n");
let revision = 100;
for (let t = 0; written < Number(pages); t++) {
  const title = `${words[t % words.length]}_${words[(t * 7) % words.length]}${t}`;
  const base = `/index.php?title=${title}`;
  const revisions = [];
  let body = paragraphs(title, 3 + random(6));
  for (let r = 0; r <= random(6); r++) {
    body += `\n<p>${text(30)}</p>`;
    revision += 1 + random(3);
    revisions.push({ id: revision, body, note: text(5) });
  }
  const newest = revisions.at(-1);
  const article = newest.body;
  await page(`/wiki/${title}`, title, article);
  await page(base, title, article);
  for (const extra of ["redirect=no", "useskin=monobook", "mobileaction=toggle_view_desktop", "veswitched=1"]) {
    if (random(3) > 0) await page(`${base}&${extra}`, title, article);
  }
  for (const { id, body: old } of revisions) {
    if (random(3) > 0) await page(`${base}&oldid=${id}`, title, `<p>Revision ${id} of this page</p>${old}`);
    if (random(3) === 0)
      await page(`${base}&direction=prev&oldid=${id}`, title, `<p>Revision ${id} of this page</p>${old}`);
  }
  for (let r = 1; r < revisions.length; r++) {
    const [before, after] = [revisions[r - 1], revisions[r]];
    const change = `<p>Difference between revisions</p><p>${after.body.slice(before.body.length)}</p>${article}`;
    await page(`${base}&diff=${after.id}&oldid=${before.id}`, title, change);
    if (random(2) === 0) await page(`${base}&diff=prev&oldid=${after.id}`, title, change);
  }
  const history = (limit) =>
    `<p>History of ${title}</p>${revisions
      .slice(-limit)
      .map(({ id, note }) => `<p>${id} ${note}</p>`)
      .join("")}`;
  await page(`${base}&action=history`, title, history(50));
  for (const limit of [20, 50, 100, 250, 500]) {
    if (random(2) === 0) await page(`${base}&limit=${limit}&action=history`, title, history(limit));
    if (random(4) === 0) await page(`${base}&offset=&limit=${limit}&action=history`, title, history(limit));
  }
  await page(`${base}&action=edit`, title, `<form>Editing ${title} ${article}</form>`);
  await page(`${base}&action=info`, title, `<p>Information for ${title} ${text(30)}</p>`);
  const list = `<p>Changes related to ${title} ${text(40)}</p>`;
  const special = `/index.php?title=Special:RecentChangesLinked&target=${title}`;
  await page(`/wiki/Special:RecentChangesLinked/${title}`, title, list);
  const flags = ["days=7", "days=30", "limit=50", "limit=500", "hidebots=1", "hidebots=0", "hideliu=1", "hidemyself=1"];
  for (let f = 0; f < 3; f++) {
    const chosen = flags.filter(() => random(3) === 0).join("&");
    if (chosen !== "") await page(`${special}&${chosen}`, title, list);
  }
}
out.end();
await once(out, "finish");
console.log(`${written} pages in ${file}`);
