// Servers that make a validation lie if it believes what it sees: they block, fail, change or answer at random while they are
// looked at. The truth stays what it was; nothing may be merged because of what such a server says.
import { diceOf, vocabularyOf } from "./dice.mjs";

const headers = { "content-type": "text/html; charset=utf-8" };
const page = (...lines) => ({
  status: 200,
  headers,
  html: `<!doctype html><html><head><title>s</title></head><body>${lines.map((line) => `<p>${line}</p>`).join("\n")}</body></html>`,
});

/** By name: what becomes of an answer. `history` has the URLs that were asked for, in order. */
const BEHAVIOURS = {
  /** After some requests everything is one page, with 200 and in words that no list of walls knows. */
  blockPage:
    ({ after, words }) =>
    (answer, { look }) =>
      look < after ? answer : page(words("block", 40).join(" ")),
  /** The same page, with the URL that was asked for and a number in it. */
  blockEcho:
    ({ after, words }) =>
    (answer, { look, url, dice }) =>
      look < after
        ? answer
        : page(words("block", 30).join(" "), `${url.replaceAll("&", "&amp;")}`, `${dice.below(10 ** 9)}`),
  /** One request in three is refused with 200 and one page, from the first on. */
  blockSome:
    ({ words }) =>
    (answer, { dice }) =>
      dice.chance(0.33) ? page(words("block", 40).join(" ")) : answer,
  /** 403 for everything. */
  refuse:
    ({ after }) =>
    (answer, { look }) =>
      look < after ? answer : { status: 403, headers, html: "<p>no</p>" },
  /** For a while all is one page of maintenance. */
  maintenance:
    ({ after, words }) =>
    (answer, { look }) =>
      look >= after && look < after + 80 ? page(words("maintenance", 25).join(" ")) : answer,
  /** A new edition: from one request on every page has two new paragraphs, the same everywhere. */
  edition:
    ({ after, words }) =>
    (answer, { look }) =>
      look < after ? answer : withLines(answer, words("edition", 60).join(" "), words("edition more", 60).join(" ")),
  /** The pages that one visited last are listed on each page. */
  trail:
    ({ words }) =>
    (answer, { history }) =>
      withLines(answer, ...history.slice(-4, -1).map((url) => words(`trail ${url}`, 5).join(" "))),
  /** Half of the text is drawn again at each look. */
  random:
    ({ words }) =>
    (answer, { dice }) =>
      withLines(answer, ...Array.from({ length: 12 }, () => words(`random ${dice.below(10 ** 6)}`, 12).join(" "))),
};

function withLines(answer, ...lines) {
  if (answer.status !== 200) return answer;
  const more = lines.map((line) => `<p>${line}</p>`).join("\n");
  return { ...answer, html: answer.html.replace("<footer>", `${more}\n<footer>`) };
}

export const HOSTILE = Object.keys(BEHAVIOURS);

/** The site with one of these behaviours: the seed chooses when, and which unless it is named. */
export function makeHostile(site, seed, name = HOSTILE[seed % HOSTILE.length]) {
  const dice = diceOf(`hostile ${seed}`);
  const behave = BEHAVIOURS[name]({ after: dice.integer(60, 500), words: vocabularyOf(`${seed} hostile`) });
  const history = [];
  return {
    ...site,
    hostile: name,
    answer: (url, look) => {
      history.push(url);
      if (url.endsWith("/robots.txt")) return site.answer(url, look);
      return behave(site.answer(url, look), { url, look, history, dice: diceOf(`${seed} ${look} ${url}`) });
    },
  };
}
