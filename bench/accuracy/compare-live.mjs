// Two URLs of a live site, by their whole texts, menus and all, with looks of their own: "same", "different" or "not comparable".
import { readContent } from "#src/http/page-content.js";
import { CommonText } from "#src/validate/looks/common-text.js";
import { samePage } from "#src/validate/looks/same-page.js";

export async function compareLive(fetcher, from, to) {
  const textOf = async (url) => {
    const outcome = await fetcher.fetch(url);
    return outcome.kind === "ok" ? readContent(outcome.finalUrl, outcome.contentType, outcome.body)?.text : undefined;
  };
  const looks = [[], []];
  for (;;) {
    const texts = [await textOf(from), await textOf(to)];
    if (texts.includes(undefined)) return texts[0] === texts[1] ? "not comparable" : "different";
    for (const i of [0, 1]) looks[i].push(texts[i]);
    const [u, v] = [from, to].map((url, i) => ({ url, texts: looks[i] }));
    const { sameness, lookAgain, isClock } = samePage(u, v, new CommonText());
    if (!lookAgain) return sameness;
    if (isClock) await new Promise((resolve) => setTimeout(resolve, 1100));
  }
}
