// Sites whose pages say the same and show something else: data for scripts, charts, files, forms, links elsewhere; and answers that
// depend on who asks, and when. What the log holds and what is true stays the same.
import { dropParameter, numbers, siteOf } from "./cases.mjs";
import { diceOf, vocabularyOf } from "./dice.mjs";
import { HTML, html, paragraphs, things, thingsOf } from "./disguises.mjs";

/** Things that say the same in every way in which they are asked for, and `beside` that. */
function sameWords(seed, { name, values, beside, head }) {
  const words = vocabularyOf(`${seed} ${name}`);
  return thingsOf(seed, {
    ...{ name, values, count: 50 },
    show: ({ id, value, look, url }) => {
      const own = diceOf(`${seed} ${name} ${id} ${value}`);
      const text = paragraphs(words("menu", 20).join(" "), words(`thing ${id}`, 60).join(" "));
      const given = { id, value, look, url, own, words };
      return html(`${text}${beside(given)}`, `<title>s</title>${head?.(given) ?? ""}`);
    },
  });
}

/** The comments of a thing come as data for a script. */
const dataForScripts = (seed) =>
  sameWords(seed, {
    ...{ name: "part", values: ["2", "3"] },
    beside: ({ id, value, words }) => {
      const comments = numbers(5).map((i) => ({
        by: `u${i}`,
        text: words(`comment ${id} ${value} ${i}`, 15).join(" "),
      }));
      return `<script id="data" type="application/json">${JSON.stringify({ props: { comments } })}</script>`;
    },
  });

/** The same in an attribute, as some frameworks have it. */
const dataInAttributes = (seed) =>
  sameWords(seed, {
    ...{ name: "part", values: ["2"] },
    beside: ({ id, value, words }) => {
      const data = JSON.stringify({
        reviews: numbers(4).map((i) => words(`review ${id} ${value} ${i}`, 12).join(" ")),
      });
      return `<div id="app" data-page="${data.replaceAll('"', "&quot;")}"></div>`;
    },
  });

/** A chart that a script draws. */
const chartsByScript = (seed) =>
  sameWords(seed, {
    ...{ name: "year", values: ["2019", "2020"] },
    beside: ({ own }) =>
      `<canvas id="c"></canvas><script>draw("c", [${numbers(12)
        .map(() => own.integer(10, 99))
        .join(", ")}])</script>`,
  });

/** A chart that is drawn in the page. */
const drawnCharts = (seed) =>
  sameWords(seed, {
    ...{ name: "year", values: ["2019", "2020"] },
    beside: ({ own }) =>
      `<svg viewBox="0 0 120 99"><path d="M0 0 ${numbers(12)
        .map((i) => `L${10 * i} ${own.integer(10, 99)}`)
        .join(" ")}"/></svg>`,
  });

/** Below the same words stands another file to download. */
const downloads = (seed) =>
  sameWords(seed, {
    ...{ name: "release", values: ["2", "3"] },
    beside: ({ id, own }) => `<p><a href="/files/${id}-${own.hex(6)}.zip">Download</a></p>`,
  });

/** "You are leaving us", and a link to go on. */
const linksElsewhere = (seed) =>
  sameWords(seed, {
    ...{ name: "to", values: ["x", "y"] },
    beside: ({ own, words }) =>
      `<p><a href="https://www.elsewhere.example/${words(own.hex(8), 3).join("-")}">Go on</a></p>`,
  });

/** What is to be edited stands in the fields of a form. */
const filledForms = (seed) =>
  sameWords(seed, {
    ...{ name: "revision", values: ["2"] },
    beside: ({ own, words }) =>
      `<form>${numbers(6)
        .map((i) => `<input name="f${i}" value="${words(own.hex(8), 2).join(" ")}">`)
        .join("")}</form>`,
  });

/** Pictures that are loaded once they are scrolled to, and one for all until then. */
const lazyPictures = (seed) =>
  sameWords(seed, {
    ...{ name: "picture", values: ["2", "3"] },
    beside: ({ own }) => `<img src="/blank.gif" class="lazy" data-src="/photos/${own.hex(8)}.jpg">`,
  });

/** Pictures for screens of several sizes, in a style, and in the page itself. */
const otherPictures = (seed) =>
  sameWords(seed, {
    ...{ name: "picture", values: ["2"] },
    beside: ({ id, own }) =>
      [
        `<picture><source srcset="/s/${own.hex(8)}.webp 1x, /l/${own.hex(8)}.webp 2x"></picture>`,
        `<div style="background-image: url('/photos/${own.hex(8)}.jpg')"></div>`,
        `<img src="data:image/png;base64,iVBORw0KGgo${own.hex(60)}">`,
      ][id % 3],
  });

/** A page of frames, with words for those who have none. */
const frameSets = (seed) =>
  sameWords(seed, {
    ...{ name: "page", values: ["2", "3"] },
    beside: ({ own }) => `<frameset><frame src="/inner/${own.hex(6)}.html"></frameset>`,
  });

/** Sent on by a header, under the same words. */
function refreshHeader(seed) {
  const site = sameWords(seed, { name: "to", values: ["x", "y"], beside: () => "" });
  const answer = (url, look, ...rest) => {
    const answer = site.answer(url, look, ...rest);
    const to = new URL(url).searchParams.get("to");
    if (answer.status !== 200 || to === null) return answer;
    const id = Number(/\d+/.exec(new URL(url).pathname)[0]);
    return {
      ...answer,
      headers: { ...HTML, refresh: `0; url=/thing/${to === "x" ? (id % 50) + 1 : ((id + 1) % 50) + 1}` },
    };
  };
  const truth = (url) => {
    const parsed = new URL(url);
    const page = site.truth(url);
    const to = parsed.searchParams.get("to");
    if (page === null || to === null) return page;
    const id = Number(page.split(" ")[0]);
    return `${to === "x" ? (id % 50) + 1 : ((id + 1) % 50) + 1} `;
  };
  return { ...site, answer, truth };
}

/** A price, and next to it how many are left, which changes all the time. */
function priceBesideCounter(seed) {
  const words = vocabularyOf(`${seed} prices`);
  return thingsOf(seed, {
    name: "size",
    values: ["s", "m"],
    show: ({ id, value, dice }) => {
      const own = diceOf(`${seed} price ${id} ${value}`);
      return html(
        paragraphs(
          words("menu", 20).join(" "),
          words(`thing ${id}`, 60).join(" "),
          `only ${own.integer(100, 999)}, ${dice.integer(100, 999)} left`,
        ),
      );
    },
  });
}

/** The page of a thing is in the reader's language; `lang` is for those who want another one. */
function byLanguage(seed) {
  const words = vocabularyOf(`${seed} languages`);
  const site = thingsOf(seed, {
    name: "lang",
    values: ["en", "de"],
    show: ({ id, value }) => ({
      ...html(paragraphs(words("menu", 20).join(" "), words(`thing ${id} ${value || "en"}`, 60).join(" "))),
      headers: { ...HTML, vary: value === "" ? "Accept-Language" : "Accept-Encoding" },
    }),
  });
  return site;
}

/** Who does not pay sees how an article begins, and the parts of a series begin alike; its data for search engines name them. */
const previews = (seed) =>
  sameWords(seed, {
    ...{ name: "part", values: ["2", "3"] },
    head: ({ own, words }) =>
      `<script type="application/ld+json">${JSON.stringify({ "@type": "Article", headline: words(own.hex(8), 7).join(" "), isAccessibleForFree: false })}</script>`,
    beside: () => "<p>Subscribe to read on</p>",
  });

/** What is being made is promised, with 202, in the same words for every kind of report. */
function reportsInTheMaking(seed) {
  const words = vocabularyOf(`${seed} reports`);
  const urls = numbers(80).flatMap((id) =>
    ["a", "b", "c"]
      .flatMap((kind) => [`/report/${id}?kind=${kind}`, `/report/${id}?kind=${kind}&ref=a`])
      .concat(`/report/${id}`),
  );
  const truth = ({ pathname, searchParams }) => {
    const id = Number(/^\/report\/(\d+)$/.exec(pathname)?.[1]);
    return id >= 1 && id <= 80 ? `report ${id} ${searchParams.get("kind") ?? ""}` : null;
  };
  const site = siteOf(seed, { urls, truth });
  const answer = (url, look, ...rest) => {
    const answer = site.answer(url, look, ...rest);
    if (answer.status !== 200) return answer;
    const id = truth(new URL(url)).split(" ")[1];
    return {
      ...html(paragraphs(words("menu", 20).join(" "), words(`making ${id}`, 50).join(" "))),
      status: look < 0 ? 200 : 202,
    };
  };
  return { ...site, answer };
}

/** By name: the site that a seed makes, and the rules to prove on it, of which the first is true; or they are mined. */
export const BEYOND_TEXT = {
  dataForScripts: things(dataForScripts, "part"),
  dataInAttributes: things(dataInAttributes, "part"),
  chartsByScript: things(chartsByScript, "year"),
  drawnCharts: things(drawnCharts, "year"),
  downloads: things(downloads, "release"),
  linksElsewhere: things(linksElsewhere, "to"),
  filledForms: things(filledForms, "revision"),
  lazyPictures: things(lazyPictures, "picture"),
  otherPictures: things(otherPictures, "picture"),
  frameSets: things(frameSets, "page"),
  refreshHeader: things(refreshHeader, "to"),
  priceBesideCounter: things(priceBesideCounter, "size"),
  byLanguage: things(byLanguage, "lang"),
  previews: things(previews, "part"),
  reportsInTheMaking: { site: reportsInTheMaking, rules: [dropParameter("ref"), dropParameter("kind")] },
};
