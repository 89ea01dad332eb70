// Sites on which a validation would prove what is false, if it believed what it sees: each hides a real difference, or shows for
// a while that there is none. What the log holds and what is true stays the same all the time.
import { dropParameter, numbers, siteOf } from "./cases.mjs";
import { diceOf, vocabularyOf } from "./dice.mjs";

const html = (body, head = "") => ({
  status: 200,
  headers: { "content-type": "text/html; charset=utf-8" },
  html: `<!doctype html><html><head><title>s</title>${head}</head><body>${body}</body></html>`,
});
const paragraphs = (...lines) => lines.map((line) => `<p>${line}</p>`).join("\n");
const found = (answer, show) => (answer.status === 200 ? show() : answer);

/** Articles 1 to `count`, with and without a `ref` that means nothing: what every site here has as well. */
const articles = (count) => numbers(count).flatMap((id) => [`/article/${id}`, `/article/${id}?ref=a`]);
const isArticle = ({ pathname }, count) => {
  const id = Number(/^\/article\/(\d+)$/.exec(pathname)?.[1]);
  return id >= 1 && id <= count;
};

/** Where a story has its advertisement, which is another one at every look, `part=2` shows the story's second part. */
function partInsteadOfAdvertisement(seed) {
  const urls = [...articles(60), ...numbers(120).flatMap((id) => [`/story/${id}`, `/story/${id}?part=2`])];
  const truth = (url) => {
    if (isArticle(url, 60)) return url.pathname;
    const id = Number(/^\/story\/(\d+)$/.exec(url.pathname)?.[1]);
    return id >= 1 && id <= 120 ? `story ${id} ${url.searchParams.get("part") === "2" ? 2 : 1}` : null;
  };
  const words = vocabularyOf(`${seed} parts`);
  const site = siteOf(seed, { urls, truth });
  const answer = (url, look, ...rest) =>
    found(site.answer(url, look, ...rest), () => {
      const page = truth(new URL(url));
      const [kind, id, part] = page.split(" ");
      const own = words(`${kind} ${id}`, 120);
      const slot = part === "2" ? words(`second ${id}`, 60) : words(`advertisement ${diceOf(`${look}`).below(40)}`, 40);
      return html(
        paragraphs(words("menu", 20).join(" "), own.slice(0, 60).join(" "), slot.join(" "), own.slice(60).join(" ")),
      );
    });
  return { ...site, answer };
}

/** The pictures of an album stand under the same words, each on a page of its own. */
function gallery(seed) {
  const urls = [
    ...articles(60),
    ...numbers(40).flatMap((id) => [`/album/${id}`, ...[2, 3, 4].map((picture) => `/album/${id}?picture=${picture}`)]),
  ];
  const truth = (url) => {
    if (isArticle(url, 60)) return url.pathname;
    const id = Number(/^\/album\/(\d+)$/.exec(url.pathname)?.[1]);
    return id >= 1 && id <= 40 ? `album ${id} ${url.searchParams.get("picture") ?? "1"}` : null;
  };
  const words = vocabularyOf(`${seed} gallery`);
  const site = siteOf(seed, { urls, truth });
  const answer = (url, look, ...rest) =>
    found(site.answer(url, look, ...rest), () => {
      const [kind, id, picture] = truth(new URL(url)).split(" ");
      const image =
        picture === undefined ? "" : `<img src="/pictures/${1000 + 7 * Number(id)}-${"abcdefg"[picture]}.jpg">`;
      return html(
        `${paragraphs(words("menu", 20).join(" "))}${image}${paragraphs(words(`${kind} ${id}`, 60).join(" "))}`,
      );
    });
  return { ...site, answer };
}

/** "You are being sent on": the same words for every number, and a meta element that says where to. */
function sentOn(seed) {
  const urls = [...articles(80), ...numbers(80).flatMap((id) => [`/go?to=${id}`, `/go?to=${id}&ref=a`]), "/go"];
  const truth = (url) => {
    if (isArticle(url, 80)) return url.pathname;
    if (url.pathname !== "/go") return null;
    const id = Number(url.searchParams.get("to") ?? 1);
    return id >= 1 && id <= 80 ? `/article/${id}` : null;
  };
  const words = vocabularyOf(`${seed} sent`);
  const site = siteOf(seed, { urls, truth });
  const answer = (url, look, ...rest) =>
    found(site.answer(url, look, ...rest), () => {
      if (!url.includes("/go")) return site.answer(url, look, ...rest);
      const head = `<meta http-equiv="refresh" content="0; url=${truth(new URL(url))}">`;
      return html(paragraphs(words("sent on", 45).join(" ")), head);
    });
  return { ...site, answer };
}

/** From some request on all is one page that asks for patience, with a number of its own for each request, in letters too. */
function slowDown(seed) {
  const site = chapters(seed);
  const words = vocabularyOf(`${seed} slow`);
  const dice = diceOf(`${seed} slow`);
  const after = dice.integer(40, 200);
  const answer = (url, look, ...rest) => {
    if (look < after || url.endsWith("/robots.txt")) return site.answer(url, look, ...rest);
    const request = diceOf(`${seed} request ${look}`)
      .below(2 ** 31)
      .toString(36);
    return html(paragraphs(words("patience", 60).join(" "), `Request ${request}`));
  };
  return { ...site, answer };
}

/** Whoever has read enough gets the article's title and an appeal to subscribe that is longer than most articles. */
function meteredArticles(seed) {
  const site = chapters(seed);
  const words = vocabularyOf(`${seed} metered`);
  const after = diceOf(`${seed} metered`).integer(40, 200);
  const answer = (url, look, ...rest) => {
    const answer = site.answer(url, look, ...rest);
    if (look < after || answer.status !== 200) return answer;
    return html(paragraphs(words(`title ${site.truth(url)}`, 2).join(" "), words("subscribe", 150).join(" ")));
  };
  return { ...site, answer };
}

/** Articles of several chapters, all different; `ref` means nothing. */
function chapters(seed) {
  const urls = numbers(60).flatMap((id) => [
    `/read/${id}`,
    `/read/${id}?ref=a`,
    ...[2, 3].flatMap((chapter) => [`/read/${id}?chapter=${chapter}`, `/read/${id}?chapter=${chapter}&ref=b`]),
  ]);
  const truth = ({ pathname, searchParams }) => {
    const id = Number(/^\/read\/(\d+)$/.exec(pathname)?.[1]);
    return id >= 1 && id <= 60 ? `read ${id} ${searchParams.get("chapter") ?? "1"}` : null;
  };
  return siteOf(seed, { urls, truth });
}

/** Any of three identifiers finds the profile; nearly all lines have all three. */
function threeIdentifiers(seed) {
  const urls = numbers(150).map((id) => {
    const all = [`user=u${id}x`, `uid=${id + 500}`, `mail=m${id}`];
    return `/profile?${(id % 40 === 0 ? all.slice(1) : id % 41 === 0 ? all.slice(0, 2) : all).join("&")}`;
  });
  const truth = ({ pathname, searchParams }) => {
    const [user, uid, mail] = ["user", "uid", "mail"].map((name) => searchParams.get(name)?.replace(/\D/g, ""));
    const id = user ?? (uid === undefined ? mail : Number(uid) - 500);
    return pathname === "/profile" && id >= 1 && id <= 150 ? `profile ${Number(id)}` : null;
  };
  return siteOf(seed, { urls, truth });
}

/** Three ways to show a page are the same; the fourth, which one line in a hundred asks for, is a summary. */
function rareValue(seed) {
  const dice = diceOf(`rare ${seed}`);
  const paths = numbers(500).map((id) => `/doc/${id}`);
  const urls = paths.flatMap((path) => [
    path,
    `${path}?as=${dice.chance(0.012) ? "summary" : dice.pick(["wide", "narrow", "print"])}`,
  ]);
  const truth = ({ pathname, searchParams }) =>
    /^\/doc\/\d{1,3}$/.test(pathname) ? `${pathname} ${searchParams.get("as") === "summary"}` : null;
  return siteOf(seed, { urls, truth });
}

/** Who has not logged in sees one page under every address of a member's, with 200 and in words that no list of walls knows. */
function membersOnly(seed) {
  const urls = [
    ...articles(80),
    ...numbers(80).flatMap((id) => [`/member?id=${id}`, `/member?id=${id}&tab=likes`]),
    "/member",
  ];
  const truth = (url) => {
    if (isArticle(url, 80)) return url.pathname;
    if (url.pathname !== "/member") return null;
    const id = Number(url.searchParams.get("id") ?? 1);
    return id >= 1 && id <= 80 ? `member ${id} ${url.searchParams.get("tab")}` : null;
  };
  const words = vocabularyOf(`${seed} members`);
  const site = siteOf(seed, { urls, truth });
  const answer = (url, look, ...rest) =>
    found(site.answer(url, look, ...rest), () =>
      url.includes("/member") ? html(paragraphs(words("join", 60).join(" "))) : site.answer(url, look, ...rest),
    );
  return { ...site, answer };
}

/** A calendar without an end, and without entries: a month has a name, its days, and what every month says. */
function calendar(seed) {
  const urls = [
    ...articles(40),
    ...numbers(8).flatMap((year) =>
      numbers(12).flatMap((month) => [
        `/calendar?y=${2019 + year}&m=${month}`,
        `/calendar?y=${2019 + year}&m=${month}&view=grid`,
      ]),
    ),
    "/calendar",
    ...numbers(8).map((year) => `/calendar?y=${2019 + year}`),
  ];
  const truth = (url) => {
    if (isArticle(url, 40)) return url.pathname;
    const [y, m] = [url.searchParams.get("y") ?? "2026", url.searchParams.get("m") ?? "1"];
    return url.pathname === "/calendar" && m >= 1 && m <= 12 ? `calendar ${y} ${m}` : null;
  };
  const words = vocabularyOf(`${seed} calendar`);
  const text = (page) => {
    const [kind, y, m] = page.split(" ");
    if (kind !== "calendar") return [words(page, 60).join(" ")];
    const days = new Date(Number(y), Number(m), 0).getDate();
    const month = words("months", 12)[m - 1];
    return [`${month} ${y}`, numbers(days).join(" "), words("calendar", 30).join(" ")];
  };
  return siteOf(seed, { urls, truth, text });
}

/** Every second request is shown the new layout; `variant` shows another product, in fifteen words of eighty. */
function everySecondRequest(seed) {
  const urls = numbers(100).flatMap((id) => [
    `/product/${id}`,
    `/product/${id}?ref=a`,
    ...(id % 2 === 0 ? [`/product/${id}?variant=b`] : []),
  ]);
  const truth = ({ pathname, searchParams }) => {
    const id = Number(/^\/product\/(\d+)$/.exec(pathname)?.[1]);
    return id >= 1 && id <= 100 ? `product ${id} ${searchParams.get("variant") ?? "a"}` : null;
  };
  const words = vocabularyOf(`${seed} products`);
  const site = siteOf(seed, { urls, truth });
  const answer = (url, look, ...rest) =>
    found(site.answer(url, look, ...rest), () => {
      const [kind, id, variant] = truth(new URL(url)).split(" ");
      const own = words(`${kind} ${id}`, 65).join(" ");
      const few = words(`${kind} ${id} ${variant}`, 15).join(" ");
      const layout = words(`layout ${Math.abs(look) % 2}`, 30).join(" ");
      return html(
        paragraphs(words("menu", 20).join(" "), ...(look % 2 === 0 ? [layout, few, own] : [few, layout, own])),
      );
    });
  return { ...site, answer };
}

/** Answers come and go: one look in four finds nothing. `part` matters on a third of the pages. */
function flicker(seed) {
  const urls = numbers(150).flatMap((id) => [`/p/${id}`, `/p/${id}?part=b`]);
  const truth = ({ pathname, searchParams }) => {
    const id = Number(/^\/p\/(\d+)$/.exec(pathname)?.[1]);
    if (!(id >= 1 && id <= 150)) return null;
    return `${pathname} ${id % 3 === 0 && searchParams.get("part")}`;
  };
  const site = siteOf(seed, { urls, truth });
  const answer = (url, look, ...rest) => {
    const isAway = look >= 0 && !url.endsWith("/robots.txt") && diceOf(`${seed} flicker ${look}`).chance(0.25);
    return isAway
      ? { status: 404, headers: { "content-type": "text/html" }, html: "<p>not here</p>" }
      : site.answer(url, look, ...rest);
  };
  return { ...site, answer };
}

/** `as=text` has the page's words, and nothing else: for people who save it, another document. */
function plainText(seed) {
  const urls = [...articles(40), ...numbers(100).flatMap((id) => [`/paper/${id}`, `/paper/${id}?as=text`])];
  const truth = (url) => {
    if (isArticle(url, 40)) return url.pathname;
    const id = Number(/^\/paper\/(\d+)$/.exec(url.pathname)?.[1]);
    return id >= 1 && id <= 100 ? `paper ${id} ${url.searchParams.get("as")}` : null;
  };
  const words = vocabularyOf(`${seed} papers`);
  const text = (page) => [words(page.split(" ").slice(0, 2).join(" "), 90).join(" ")];
  const site = siteOf(seed, { urls, truth, text });
  const answer = (url, look, ...rest) =>
    found(site.answer(url, look, ...rest), () => {
      const shown = site.answer(url, look, ...rest);
      if (!url.includes("as=text")) return shown;
      const plain = shown.html
        .replace(/<title>.*<\/title>/, "")
        .replace(/<[^>]*>/g, "")
        .trim();
      return { ...shown, headers: { "content-type": "text/plain" }, html: plain };
    });
  return { ...site, answer };
}

/** By name: the site that a seed makes, and the rules to prove on it where they are not mined. */
export const TRICKS = {
  partInsteadOfAdvertisement: { site: partInsteadOfAdvertisement },
  gallery: { site: gallery, rules: [dropParameter("ref"), dropParameter("picture")] },
  sentOn: { site: sentOn, rules: [dropParameter("ref"), dropParameter("to")] },
  slowDown: { site: slowDown },
  meteredArticles: { site: meteredArticles, rules: [dropParameter("ref"), dropParameter("chapter")] },
  threeIdentifiers: { site: threeIdentifiers, rules: ["user", "uid", "mail"].map(dropParameter) },
  rareValue: { site: rareValue, rules: [dropParameter("as")] },
  membersOnly: { site: membersOnly, rules: ["ref", "id", "tab"].map(dropParameter) },
  calendar: { site: calendar, rules: ["ref", "m", "y", "view"].map(dropParameter) },
  everySecondRequest: { site: everySecondRequest, rules: [dropParameter("ref"), dropParameter("variant")] },
  flicker: { site: flicker, rules: [dropParameter("part")] },
  plainText: { site: plainText, rules: [dropParameter("ref"), dropParameter("as")] },
};
