// Sites whose pages are told apart by what a comparison of texts easily passes over: numbers next to a counter, the end of a
// long page, a first answer that is not the page, words that the URL has too. What the log holds and what is true stays the same.

import { gzipSync } from "node:zlib";
import { dropParameter, numbers, siteOf } from "./cases.mjs";
import { diceOf, vocabularyOf } from "./dice.mjs";

export const HTML = { "content-type": "text/html; charset=utf-8" };
export const html = (body, head = "<title>s</title>") => ({
  status: 200,
  headers: HTML,
  html: `<!doctype html><html><head>${head}</head><body>${body}</body></html>`,
});
export const paragraphs = (...lines) => lines.map((line) => `<p>${line}</p>`).join("\n");

/**
 * Things 1 to `count` under `/thing/`, each in several ways that `name` chooses and that are pages of their own; `ref` means
 * nothing. `show` makes the answer of a thing, the way in which it is asked for ("" where the URL names none) and a look.
 */
export function thingsOf(seed, { count = 80, name, values, show }) {
  const urls = numbers(count).flatMap((id) => [
    `/thing/${id}`,
    `/thing/${id}?ref=a`,
    ...values.flatMap((value) => [`/thing/${id}?${name}=${value}`, `/thing/${id}?${name}=${value}&ref=b`]),
  ]);
  const truth = ({ pathname, searchParams }) => {
    const id = Number(/^\/thing\/(\d+)$/.exec(pathname)?.[1]);
    if (!(id >= 1 && id <= count)) return null;
    return `${id} ${searchParams.get(name) ?? ""}`;
  };
  const site = siteOf(seed, { urls, truth });
  const answer = (url, look, ...rest) => {
    const plain = site.answer(url, look, ...rest);
    if (plain.status !== 200) return plain;
    const [id, value] = truth(new URL(url)).split(" ");
    return show({ id, value, url, look, dice: diceOf(`${seed} disguise ${look} ${url}`) });
  };
  return { ...site, answer };
}

/** A thing's figures of a year, each beside a number that is counted up all the time. */
function figuresBesideCounters(seed) {
  const words = vocabularyOf(`${seed} figures`);
  return thingsOf(seed, {
    name: "year",
    values: ["2019", "2020"],
    show: ({ id, value, dice }) => {
      const own = diceOf(`${seed} figures ${id} ${value}`);
      const rows = numbers(30).map(
        (row) => `${words(`row ${row}`, 6).join(" ")} ${own.integer(100, 999)} ${dice.integer(10_000, 99_999)}`,
      );
      return html(paragraphs(words("menu", 20).join(" "), words(`thing ${id}`, 60).join(" "), ...rows));
    },
  });
}

/** The first request for each URL is answered from the thing's cached teaser, every further one with the page. */
function teaserAtFirst(seed) {
  const words = vocabularyOf(`${seed} teaser`);
  const asked = new Set();
  return thingsOf(seed, {
    name: "chapter",
    values: ["2", "3"],
    show: ({ id, value, url, look }) => {
      const isFirst = look >= 0 && !asked.has(url);
      if (look >= 0) asked.add(url);
      const own = isFirst ? words(`teaser ${id}`, 40) : words(`thing ${id} ${value}`, 80);
      return html(paragraphs(words("menu", 20).join(" "), own.join(" ")));
    },
  });
}

/** Half of the answers are of the old software, which does not know `variant`. */
function oldSoftware(seed) {
  const words = vocabularyOf(`${seed} old`);
  return thingsOf(seed, {
    name: "variant",
    values: ["b"],
    show: ({ id, value, dice }) => {
      const isOld = dice.chance(0.5);
      return html(paragraphs(words("menu", 20).join(" "), words(`thing ${id} ${isOld ? "" : value}`, 70).join(" ")));
    },
  });
}

/** Text about a trade in a town, the same for each town but for its name. */
function oneTextForAllTowns(seed) {
  const words = vocabularyOf(`${seed} towns`);
  return thingsOf(seed, {
    name: "town",
    values: ["boston", "denver"],
    show: ({ id, value }) => {
      const name = value === "" ? "everywhere" : value;
      const text = numbers(12).map((i) => `${words(`thing ${id} ${i}`, 6).join(" ")} ${name}`);
      return html(paragraphs(words("menu", 20).join(" "), text.join(" ")));
    },
  });
}

/** The end of a page that is as long as a book is another one in each edition. */
function longPages(seed) {
  const words = vocabularyOf(`${seed} long`);
  const books = new Map();
  const bookOf = (id) => {
    if (!books.has(id))
      books.set(
        id,
        words(`book ${id}`, 6000)
          .map((word) => word.repeat(8))
          .join(" "),
      );
    return books.get(id);
  };
  return thingsOf(seed, {
    count: 20,
    name: "edition",
    values: ["2"],
    show: ({ id, value }) =>
      html(paragraphs(words("menu", 20).join(" "), bookOf(id), words(`end ${id} ${value}`, 100).join(" "))),
  });
}

/** The paragraphs of a page stand in another order at each look; two of ten are another view's own. */
function shuffledParagraphs(seed) {
  const words = vocabularyOf(`${seed} shuffled`);
  return thingsOf(seed, {
    name: "view",
    values: ["b"],
    show: ({ id, value, dice }) => {
      const lines = numbers(10).map((i) => words(`thing ${id} ${i} ${i <= 2 ? value : ""}`, 20).join(" "));
      return html(paragraphs(words("menu", 20).join(" "), ...dice.shuffled(lines)));
    },
  });
}

/** Positions of a game: the same words, and a board in signs that are no letters. */
function boards(seed) {
  const words = vocabularyOf(`${seed} boards`);
  const signs = [..."♔♕♖♗♘♙♚♛♜♝♞♟"];
  return thingsOf(seed, {
    name: "move",
    values: ["1", "2"],
    show: ({ id, value }) => {
      const dice = diceOf(`${seed} board ${id} ${value}`);
      const rows = numbers(8).map(() =>
        numbers(8)
          .map(() => dice.pick(signs))
          .join(" "),
      );
      return html(paragraphs(words("menu", 20).join(" "), words(`thing ${id}`, 60).join(" "), ...rows));
    },
  });
}

/** Every page calls the thing's first page canonical, as do many that got it wrong. */
function canonicalThatLies(seed) {
  const words = vocabularyOf(`${seed} canonical`);
  return thingsOf(seed, {
    name: "page",
    values: ["2", "3"],
    show: ({ id, value }) =>
      html(
        paragraphs(words("menu", 20).join(" "), words(`thing ${id} ${value}`, 60).join(" ")),
        `<title>s</title><link rel="canonical" href="http://case.test/thing/${id}">`,
      ),
  });
}

/** Twenty items a page; the next page begins five items further on, and without `from` there is a featured item before all. */
function overlappingLists(seed) {
  const words = vocabularyOf(`${seed} overlapping`);
  return thingsOf(seed, {
    name: "from",
    values: ["0", "5"],
    show: ({ id, value }) => {
      const from = Number(value || 0);
      const items = numbers(20).map((i) => words(`item ${id} ${i + from}`, 5).join(" "));
      const lines = value === "" ? [words(`featured ${id}`, 5).join(" "), ...items.slice(0, 19)] : items;
      return html(paragraphs(words("menu", 20).join(" "), ...lines));
    },
  });
}

/** What a page shows comes with a script; its words are those of the thing, whatever part of it is asked for. */
function shellOfAnApplication(seed) {
  const words = vocabularyOf(`${seed} shell`);
  return thingsOf(seed, {
    name: "part",
    values: ["2"],
    show: ({ id, value }) =>
      html(
        `<div id="root"></div><noscript>${words("noscript", 30).join(" ")}</noscript>` +
          `<script>window.data = ${JSON.stringify(words(`thing ${id} ${value}`, 60))}</script>`,
      ),
  });
}

/** A page that leads on by a script, under the same words for every part. */
function ledByScript(seed) {
  const words = vocabularyOf(`${seed} led`);
  return thingsOf(seed, {
    name: "to",
    values: ["x", "y"],
    show: ({ id, value }) =>
      value === ""
        ? html(paragraphs(words("menu", 20).join(" "), words(`thing ${id}`, 60).join(" ")))
        : html(`${paragraphs(words("leaving", 40).join(" "))}<script>location.replace("/out/${id}-${value}")</script>`),
  });
}

/** The same words around a frame, in which the part is. */
function framedParts(seed) {
  const words = vocabularyOf(`${seed} framed`);
  return thingsOf(seed, {
    name: "part",
    values: ["2", "3"],
    show: ({ id, value }) =>
      html(
        `${paragraphs(words("menu", 20).join(" "), words(`thing ${id}`, 60).join(" "))}<iframe src="/inner/${id}${"abc"[value || 0]}"></iframe>`,
      ),
  });
}

/** Data for programs, half of it with a time in it. */
function dataForPrograms(seed) {
  return thingsOf(seed, {
    name: "fields",
    values: ["all", "few"],
    show: ({ id, value, look }) => {
      const dice = diceOf(`${seed} data ${id} ${value}`);
      const data = { id, rows: numbers(20).map(() => dice.integer(1000, 9999)), ...(id % 2 === 0 && { at: look }) };
      return { status: 200, headers: { "content-type": "application/json" }, html: JSON.stringify(data) };
    },
  });
}

/** A third of the answers breaks off after what all parts of a thing have in common, with and without a coding. */
function brokenOff(seed) {
  const words = vocabularyOf(`${seed} broken`);
  return thingsOf(seed, {
    name: "part",
    values: ["2"],
    show: ({ id, value, dice }) => {
      const whole = html(
        paragraphs(
          words("menu", 20).join(" "),
          words(`thing ${id}`, 60).join(" "),
          words(`part ${id} ${value}`, 60).join(" "),
        ),
      );
      const isBroken = dice.chance(0.34);
      const at = whole.html.lastIndexOf("<p>");
      if (id % 2 === 0) return isBroken ? { ...whole, html: whole.html.slice(0, at) } : whole;
      const packed = gzipSync(whole.html);
      const headers = { ...HTML, "content-encoding": "gzip" };
      return { status: 200, headers, html: isBroken ? packed.subarray(0, packed.length * 0.6) : packed };
    },
  });
}

/** A table of numbers alone, of which each month has its own; the words around are the thing's. */
function tablesOfNumbers(seed) {
  const words = vocabularyOf(`${seed} tables`);
  return thingsOf(seed, {
    name: "month",
    values: ["5", "6"],
    show: ({ id, value, look }) => {
      const dice = diceOf(`${seed} table ${id} ${value}`);
      const rows = numbers(25).map((day) => `${day} ${dice.integer(10, 99)}`);
      const clock = new Date(Date.UTC(2026, 0, 5, 8, 0, Math.max(0, look))).toISOString();
      return html(paragraphs(words("menu", 20).join(" "), words(`thing ${id}`, 200).join(" "), ...rows, clock));
    },
  });
}

/** A sentence of a long page, 24 words of 900, is another one. */
function oneSentence(seed) {
  const words = vocabularyOf(`${seed} sentence`);
  return thingsOf(seed, {
    name: "version",
    values: ["2"],
    show: ({ id, value, dice }) =>
      html(
        paragraphs(
          words("menu", 20).join(" "),
          words(`thing ${id}`, 450).join(" "),
          words(`sentence ${id} ${value}`, 24).join(" "),
          words(`more ${id}`, 450).join(" "),
          words(`advertisement ${dice.below(30)}`, 15).join(" "),
        ),
      ),
  });
}

export const things = (site, name) => ({ site, rules: [dropParameter("ref"), dropParameter(name)] });

/** By name: the site that a seed makes, and the rules to prove on it, of which the first is true; or they are mined. */
export const DISGUISES = {
  figuresBesideCounters: things(figuresBesideCounters, "year"),
  teaserAtFirst: things(teaserAtFirst, "chapter"),
  oldSoftware: things(oldSoftware, "variant"),
  oneTextForAllTowns: { site: oneTextForAllTowns },
  longPages: things(longPages, "edition"),
  shuffledParagraphs: things(shuffledParagraphs, "view"),
  boards: things(boards, "move"),
  canonicalThatLies: things(canonicalThatLies, "page"),
  overlappingLists: things(overlappingLists, "from"),
  shellOfAnApplication: things(shellOfAnApplication, "part"),
  ledByScript: things(ledByScript, "to"),
  framedParts: things(framedParts, "part"),
  dataForPrograms: things(dataForPrograms, "fields"),
  brokenOff: things(brokenOff, "part"),
  tablesOfNumbers: things(tablesOfNumbers, "month"),
  oneSentence: things(oneSentence, "version"),
};
