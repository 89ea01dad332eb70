// The pages of a site's crawl, as sites.sh leaves it: normalized URLs, each once, with the digest of the visible text.
import { openInput } from "#src/input/open.js";
import { normalize } from "#src/url/normalize.js";

export async function readCrawl(file) {
  const input = await openInput(file);
  const chunks = [];
  for await (const chunk of input.chunks(() => {})) chunks.push(Buffer.from(chunk));
  const pages = new Map();
  for (const row of Buffer.concat(chunks).toString("utf8").split("\n").filter(Boolean)) {
    const { url, status, tsha1 } = JSON.parse(row);
    const normalized = normalize(url).url;
    if (status === 200 && tsha1 !== undefined && !pages.has(normalized)) pages.set(normalized, tsha1);
  }
  return pages;
}
