// Small sites made for one question each: ways in which a validation was seen to fool itself. Each is a function of a
// seed, so that a rate can be measured over many.
import { diceOf, vocabularyOf } from "./dice.mjs";

const ORIGIN = "http://case.test";

/**
 * A site of its own making. `truth` says which page a path and its parameters show (null: none), `extra` what else stands
 * on it at a look; `urls` are paths with their queries, all of which the log holds.
 */
export function siteOf(seed, { urls, truth, before = truth, words = 60, text, extra = () => [], comment = () => "" }) {
  const vocabulary = vocabularyOf(seed);
  const menu = vocabulary(`${seed} menu`, 20).join(" ");
  const own = text ?? ((page) => [vocabulary(`${seed} page ${page}`, words).join(" ")]);
  const show = (url, page, look) => {
    const dice = diceOf(`${seed} look ${look} ${url}`);
    const lines = [menu, ...own(page), ...extra(dice)].map((line) => `<p>${line}</p>`).join("\n");
    const html = `<!doctype html><html><head><title>Case</title></head><body>\n${lines}\n${comment(dice)}</body></html>`;
    return { status: 200, headers: { "content-type": "text/html" }, html };
  };
  const pageOf = (url, asOf) => (url.startsWith(`${ORIGIN}/`) ? asOf(new URL(url)) : null);
  const answer = (url, look, asOf = truth) => {
    const page = pageOf(url, asOf);
    if (page !== null) return show(url, page, look);
    return { status: 404, headers: { "content-type": "text/html" }, html: "<p>not found</p>" };
  };
  const log = urls.map((path, i) => {
    const url = `${ORIGIN}${path}`;
    const { status, html } = answer(url, -1 - i, before);
    return { url, status, bytes: html.length };
  });
  return { origins: [ORIGIN], log, truth: (url) => pageOf(url, truth), answer };
}

/** A rule as the rules file holds it, not proven yet. */
export function dropParameter(name) {
  return likely({ id: `r-${name}`, kind: "parameter", place: "query", name, action: "remove" });
}

/** Two texts of which one may stand for the other. */
function replaceText(from, to) {
  return likely({ id: `r-${from}-${to}`, kind: "substring", from, to, start: false, end: false });
}

const likely = (action) => ({
  ...action,
  scope: { host: "case.test" },
  site: "case.test",
  status: "likely",
  decision: null,
  source: "mined",
  support: 50,
  confirmed: 50,
  merges: 50,
});

export const numbers = (count) => Array.from({ length: count }, (_, i) => i + 1);

/** Thirty folders of three pages where `ref` means nothing, and one of 1,000 where it does for half of them: false for 46%. */
function thirtySmallFolders(seed) {
  const dice = diceOf(`thirty ${seed}`);
  const matters = new Set(dice.shuffled(numbers(1000)).slice(0, 500));
  const paths = [
    ...numbers(30).flatMap((folder) => numbers(3).map((page) => `/f${folder}/p${page}`)),
    ...numbers(1000).map((page) => `/big/p${page}`),
  ];
  const truth = ({ pathname, searchParams }) =>
    pathname.startsWith("/big/") && matters.has(Number(pathname.slice(6))) && searchParams.has("ref")
      ? `${pathname} ref`
      : pathname;
  return siteOf(seed, { urls: paths.flatMap((path) => [path, `${path}?ref=a`]), truth });
}

/** A rule that is false for one URL in ten, wherever one looks: 12 folders of 100, three more parameters that mean nothing. */
function failuresWithoutStructure(seed) {
  const dice = diceOf(`without ${seed}`);
  const paths = numbers(12).flatMap((folder) => numbers(100).map((page) => `/f${folder}/p${page}`));
  const fails = new Set(paths.filter(() => dice.chance(0.1)));
  const urls = paths.flatMap((path) => {
    const others = ["a", "b", "c"].filter(() => dice.chance(0.4)).map((name) => `${name}=${dice.integer(1, 3)}`);
    return [path, `${path}?${[...others, `ref=${dice.pick(["x", "y", "z"])}`].join("&")}`];
  });
  const truth = ({ pathname, searchParams }) =>
    fails.has(pathname) && searchParams.has("ref") ? `${pathname} ref` : pathname;
  return siteOf(seed, { urls, truth });
}

/** Forty URLs of which 85% answer with an error at present, and a rule that is false for a fifth of all. */
function mostlyUnavailable(seed) {
  const dice = diceOf(`unavailable ${seed}`);
  const paths = numbers(40).map((page) => `/p${page}`);
  const broken = new Set(paths.filter(() => dice.chance(0.85)));
  const fails = new Set(paths.filter(() => dice.chance(0.2)));
  const truth = ({ pathname, searchParams }) =>
    fails.has(pathname) && searchParams.has("ref") ? `${pathname} ref` : pathname;
  const site = siteOf(seed, { urls: paths.flatMap((path) => [path, `${path}?ref=a`]), truth });
  const isBroken = (url) => broken.has(new URL(url).pathname);
  const error = { status: 500, headers: {}, html: "<p>error</p>" };
  return { ...site, answer: (url, look) => (isBroken(url) ? error : site.answer(url, look)) };
}

/** `sort` means nothing, whatever its value; three of four pages are gone by now. */
function sortedAndGone(seed) {
  const dice = diceOf(`sorted ${seed}`);
  const orders = ["alpha", "beta", "gamma", "delta", "eps"];
  const paths = numbers(160).map((page) => `/list/${page}`);
  const gone = new Set(paths.filter(() => dice.chance(0.75)));
  const urls = paths.flatMap((path) => [
    path,
    ...orders.filter(() => dice.chance(0.6)).map((order) => `${path}?sort=${order}`),
  ]);
  const truth = ({ pathname }) => (gone.has(pathname) ? null : pathname);
  return siteOf(seed, { urls, truth, before: ({ pathname }) => pathname });
}

/** A profile is found by `user` or by `uid`, and every log line carries both: either may go, not both. */
function twoIdentifiers(seed) {
  const urls = numbers(100).map((id) => `/profile?user=u${id}x&uid=${id + 500}`);
  const truth = ({ pathname, searchParams }) => {
    const user = /^u(\d+)x$/.exec(searchParams.get("user") ?? "")?.[1];
    const id = user === undefined ? Number(searchParams.get("uid") ?? 0) - 500 : Number(user);
    return pathname === "/profile" && id >= 1 && id <= 100 ? `profile ${id}` : null;
  };
  return siteOf(seed, { urls, truth });
}

/**
 * `hl` and `x` mean nothing; `lang` means something next to `q` alone, and in the log comes right after the "?" only where there is
 * no `q`. What is true of every URL with "?lang=" is false of what dropping `hl` leaves.
 */
function languageBesideQuery(seed) {
  const dice = diceOf(`language ${seed}`);
  const urls = numbers(60).flatMap((page) => {
    const path = `/p${page}`;
    const hl = `hl=${dice.pick(["en", "de", "fr"])}`;
    return [
      path,
      `${path}?${hl}`,
      `${path}?lang=de&x=1`,
      `${path}?x=1`,
      `${path}?${hl}&lang=de&q=a`,
      `${path}?${hl}&q=a`,
    ];
  });
  const truth = ({ pathname, searchParams }) => {
    if (!/^\/p([1-9]|[1-5]\d|60)$/.test(pathname)) return null;
    const q = searchParams.get("q");
    return `${pathname} ${q} ${q === null ? "" : searchParams.get("lang")}`;
  };
  return siteOf(seed, { urls, truth });
}

/**
 * Lists whose pages differ in their numbers alone ("Item 100037"), with one item of the day that changes at every look;
 * and articles, which have words.
 */
function rotatingItem(seed) {
  const lists = numbers(8);
  const urls = [
    ...lists.flatMap((list) =>
      numbers(12).flatMap((page) => [`/list/${list}?page=${page}`, `/list/${list}?page=${page}&ref=${page}a`]),
    ),
    ...lists.map((list) => `/list/${list}`),
    ...numbers(60).flatMap((page) => [`/article/${page}`, `/article/${page}?ref=b`]),
  ];
  const truth = ({ pathname, searchParams }) => {
    if (/^\/article\/\d+$/.test(pathname)) return pathname;
    return /^\/list\/[1-8]$/.test(pathname) ? `${pathname} ${searchParams.get("page") ?? "1"}` : null;
  };
  const words = vocabularyOf(`${seed} articles`);
  const text = (page) => {
    if (page.startsWith("/article")) return [words(page, 60).join(" ")];
    const dice = diceOf(`${seed} items ${page}`);
    return numbers(20).map(() => `Item ${dice.integer(100_000, 999_999)}`);
  };
  return siteOf(seed, { urls, truth, text, extra: (dice) => [`Item ${dice.integer(100_000, 999_999)}`] });
}

/** A block that changes at every look, and padding: no two answers have one size. Three parameters and a slash mean nothing. */
function varyingSizes(seed) {
  const dice = diceOf(`varying ${seed}`);
  const urls = numbers(150).flatMap((page) =>
    numbers(4).map(() => {
      const query = ["a", "b", "c"].filter(() => dice.chance(0.4)).map((name) => `${name}=${dice.integer(1, 9)}`);
      return `/docs/p${page}${dice.chance(0.3) ? "/" : ""}${query.length > 0 ? `?${query.join("&")}` : ""}`;
    }),
  );
  const truth = ({ pathname }) => /^(\/docs\/p\d+)\/?$/.exec(pathname)?.[1] ?? null;
  const pool = vocabularyOf(`${seed} pool`);
  return siteOf(seed, {
    urls: [...new Set(urls)],
    truth,
    words: 120,
    extra: (look) => [pool(`block ${look.below(50)}`, 30).join(" ")],
    comment: (look) => `<!-- ${"x".repeat(look.below(3000))} -->`,
  });
}

/** Goods whose pages differ in two numbers of some seventy words, and name themselves as the URL does; and articles. */
function twoNumbers(seed) {
  const urls = [
    ...numbers(120).flatMap((id) => [`/goods?id=${id}`, `/goods?id=${id}&ref=a`]),
    ...numbers(120).flatMap((page) => [`/article/${page}`, `/article/${page}?ref=b`]),
  ];
  const truth = ({ pathname, searchParams }) => {
    if (/^\/article\/\d+$/.test(pathname)) return pathname;
    const id = Number(searchParams.get("id"));
    return pathname === "/goods" && id >= 1 && id <= 120 ? `goods ${id}` : null;
  };
  const words = vocabularyOf(`${seed} goods`);
  const text = (page) => {
    if (page.startsWith("/article")) return [words(page, 70).join(" ")];
    const dice = diceOf(`${seed} ${page}`);
    const shared = words("goods", 60);
    return [
      `${shared.slice(0, 30).join(" ")} at ${dice.integer(1000, 9999)} each`,
      `${page} of 120, ${dice.integer(1000, 9999)} left`,
      shared.slice(30).join(" "),
    ];
  };
  return siteOf(seed, { urls, truth, text });
}

/** What does not exist is answered with 200, the URL, and suggestions that are other ones at each look. */
function suggestions(seed) {
  const dice = diceOf(`suggestions ${seed}`);
  const urls = numbers(120).flatMap((id) => {
    const tab = dice.pick(["a", "b"]);
    return [
      `/show?id=${id}&tab=${tab}`,
      `/show?id=${id}&tab=${tab}&ref=${dice.pick(["x", "y"])}`,
      `/show?tab=${tab}&id=${id}`,
    ];
  });
  // Without its tab there is no page.
  const truth = ({ pathname, searchParams }) => {
    const id = Number(searchParams.get("id"));
    const tab = searchParams.get("tab");
    return pathname === "/show" && id >= 1 && id <= 120 && (tab === "a" || tab === "b") ? `${id} ${tab}` : null;
  };
  const words = vocabularyOf(`${seed} suggestions`);
  const site = siteOf(seed, { urls, truth });
  const answer = (url, look) => {
    const found = site.answer(url, look);
    if (found.status === 200) return found;
    const drawn = diceOf(`${seed} suggestions ${look}`);
    const lines = numbers(8).map(() => `<p>${words(`title ${drawn.below(120)}`, 6).join(" ")}</p>`);
    const html = `<!doctype html><title>Case</title><p>Did you mean one of these instead of ${url.replaceAll("&", "&amp;")}</p>${lines.join("")}`;
    return { status: 200, headers: { "content-type": "text/html" }, html };
  };
  return { ...site, answer };
}

/** Each page shows a dozen lines at random from a pool of its own: nothing but the menu stays. */
function liveLists(seed) {
  const urls = numbers(100).flatMap((page) => [`/live?list=${page}`, `/live?list=${page}&ref=a`]);
  const truth = ({ pathname, searchParams }) =>
    pathname === "/live" && /^([1-9]\d?|100)$/.test(searchParams.get("list") ?? "")
      ? `list ${searchParams.get("list")}`
      : null;
  const words = vocabularyOf(`${seed} live`);
  const site = siteOf(seed, { urls, truth });
  const answer = (url, look) => {
    const found = site.answer(url, look);
    if (found.status !== 200) return found;
    const dice = diceOf(`${seed} live ${look} ${url}`);
    const lines = numbers(12).map(() => `<p>${words(`${truth(new URL(url))} ${dice.below(300)}`, 9).join(" ")}</p>`);
    return {
      ...found,
      html: `<!doctype html><title>Case</title><p>${words("menu", 20).join(" ")}</p>${lines.join("\n")}`,
    };
  };
  return { ...site, answer };
}

/** By name: the site that a seed makes, and the rules to prove on it where they are not mined. */
export const CASES = {
  thirtySmallFolders: { site: thirtySmallFolders, rules: [dropParameter("ref")] },
  failuresWithoutStructure: { site: failuresWithoutStructure, rules: [dropParameter("ref")] },
  mostlyUnavailable: { site: mostlyUnavailable, rules: [dropParameter("ref")] },
  sortedAndGone: { site: sortedAndGone },
  twoIdentifiers: { site: twoIdentifiers, rules: [dropParameter("user"), dropParameter("uid")] },
  languageBesideQuery: { site: languageBesideQuery, rules: [dropParameter("hl"), replaceText("?lang=de&", "?")] },
  rotatingItem: { site: rotatingItem },
  varyingSizes: { site: varyingSizes },
  twoNumbers: { site: twoNumbers },
  suggestions: { site: suggestions },
  liveLists: { site: liveLists },
};
