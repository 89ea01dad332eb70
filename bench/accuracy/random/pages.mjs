// What the pages of a random site look like, as HTML: menu and footer, the page's own text, what changes at every look.
import { diceOf, shareOf, vocabularyOf } from "./dice.mjs";

/** Requests come a second apart, from here on. */
const FIRST_LOOK_MS = Date.UTC(2026, 0, 5, 8);

export class Pages {
  #own = new Map();

  constructor(plan) {
    this.plan = plan;
    this.words = vocabularyOf(plan.seed);
    const half = Math.floor(plan.boilerplateWords / 3);
    this.menu = linesOf(this.words(`${plan.seed} menu`, plan.boilerplateWords - half), 4);
    this.footer = linesOf(this.words(`${plan.seed} footer`, half), 12);
  }

  /** The answer to a request for `url`, of which the router said `found`. */
  answer(url, found, look) {
    if (found.kind === "redirect") return { status: 301, headers: { location: found.to }, html: "" };
    if (found.kind === "missing") return this.#missing(url, found.how, look);
    const { section, id } = found;
    const own = this.#ownLines(found);
    const title = section.style === "full" ? own[0].split(" ").slice(0, 4).join(" ") : section.key;
    const links = this.#links(url, section);
    const html = this.#html(url, look, title, own, links, this.#canonical(url, id));
    return { status: 200, headers: { "content-type": "text/html; charset=utf-8" }, html };
  }

  #missing(url, how, look) {
    const headers = { "content-type": "text/html; charset=utf-8" };
    if (how === "front") return { status: 302, headers: { location: `${this.plan.origin}/` }, html: "" };
    const text = this.words(`${this.plan.seed} not found`, 14).join(" ");
    const lines = how === "soft echo" ? [text, `Nothing is at ${escapeHtml(decoded(url))} any more`] : [text];
    const html = this.#html(url, look, "Not found", lines, [], undefined);
    return { status: how === "410" ? 410 : how.startsWith("soft") ? 200 : 404, headers, html };
  }

  /** The page's own text, which is the same at every look. */
  #ownLines({ id, section, item, variants }) {
    const known = this.#own.get(id);
    if (known !== undefined) return known;
    const { seed } = this.plan;
    const { key, style } = section;
    const salt = variants
      .filter(({ differs }) => differs === "all")
      .map((variant) => `${variant.key}=${variant.value}`)
      .sort()
      .join(" ");
    const itemKey = `${seed} ${key} ${item} ${salt}`;
    let lines;
    if (style === "numbers") {
      lines = itemLines(itemKey, 12 + Math.floor(12 * shareOf(itemKey)), this.words(`${seed} ${key} words`, 3));
    } else {
      const count = Math.round(section.words * (0.6 + 0.8 * shareOf(`length ${itemKey}`)));
      let words = this.words(style === "few" ? `${seed} ${key}` : itemKey, style === "few" ? 200 : count);
      if (style === "short") words = words.slice(0, 5 + Math.floor(13 * shareOf(`length ${itemKey}`)));
      if (style === "few") words = this.#changeFew(words, itemKey);
      for (const variant of variants) {
        if (variant.differs === "few") words = this.#changeFew(words, `${itemKey} ${variant.key}=${variant.value}`);
      }
      lines = linesOf(words, 11);
    }
    for (const { key: name, value, differs } of variants) {
      if (differs === "numbers" || (differs === "few" && style === "numbers")) {
        lines = [...lines, ...itemLines(`${itemKey} ${name}=${value}`, 12, this.words(`${seed} ${key} words`, 3))];
      }
    }
    this.#own.set(id, lines);
    return lines;
  }

  /** Eight words, or 5% of more than 160, replaced by others: side by side or here and there. */
  #changeFew(words, key) {
    const dice = diceOf(`few ${key}`);
    const count = Math.min(words.length, Math.max(8, Math.ceil(0.05 * words.length)));
    const changed = [...words];
    const start = dice.below(words.length - count + 1);
    const places = dice.chance(0.5)
      ? Array.from({ length: count }, (_, i) => start + i)
      : dice.shuffled(words.map((_, i) => i)).slice(0, count);
    for (const place of places)
      changed[place] = `${dice.pick(["ba", "ko", "mi", "tu"])}${dice.below(10 ** 6).toString(36)}`;
    return changed;
  }

  #canonical(url, id) {
    const { canonical, origin, seed } = this.plan;
    if (canonical === "self") return url;
    if (canonical === "front") return `${origin}/`;
    if (canonical === "right" || (canonical === "some" && shareOf(`${seed} canonical ${id}`) < 0.5)) {
      return `${origin}/-/${encodeURIComponent(id)}`;
    }
    return undefined;
  }

  /** Links carry the session on. Their text says nothing. */
  #links(url, section) {
    const echoed = section.parameters.filter(({ echoed }) => echoed).map(({ name }) => name);
    const query = new URL(url).searchParams;
    const session = echoed.filter((name) => query.has(name)).map((name) => `${name}=${query.get(name)}`);
    return Array.from({ length: 12 }, (_, i) => {
      const more = [`go=${i}`, ...session].join("&amp;");
      return `<a href="/${section.key}/${i}?${more}">more</a>`;
    });
  }

  #html(url, look, title, own, links, canonical) {
    const { plan } = this;
    const parts = { top: [], middle: [], bottom: [], comment: "" };
    for (const noise of plan.noise) {
      const { lines, comment } = this.#noise(noise, url, look);
      parts[noise.place].push(...lines);
      parts.comment += comment;
    }
    const cut = Math.ceil(own.length / 2);
    const paragraphs = (lines) => lines.map((line) => `<p>${line}</p>`).join("\n");
    return `<!doctype html><html><head><title>${title}</title>${canonical === undefined ? "" : `<link rel="canonical" href="${escapeHtml(canonical)}">`}</head><body>
<ul>${this.menu.map((line, i) => `<li><a href="/${i}">${line}</a></li>`).join("\n")}</ul>
${paragraphs(parts.top)}
${paragraphs(own.slice(0, cut))}
${paragraphs(parts.middle)}
${paragraphs(own.slice(cut))}
<div>${links.join(" ")}</div>
${paragraphs(parts.bottom)}
${parts.comment}<footer>${paragraphs(this.footer)}</footer></body></html>`;
  }

  /** What changes at every look. */
  #noise({ kind, choices, words }, url, look) {
    const { seed } = this.plan;
    const dice = diceOf(`${seed} ${kind} ${look} ${url}`);
    const pool = (name, count) => this.words(`${seed} ${name} ${dice.below(choices)}`, count).join(" ");
    const shows = (...lines) => ({ lines, comment: "" });
    switch (kind) {
      case "counter":
        return shows(`This page was seen ${dice.below(100_000)} times`);
      case "clock":
        return shows(`Made ${new Date(FIRST_LOOK_MS + 1000 * look).toISOString()} in ${dice.below(900)} ms`);
      case "line":
        return shows(pool("advertisement", 9));
      case "block":
        return shows(...linesOf(pool("block", words).split(" "), 10));
      case "item":
        return shows(`Item ${100_000 + dice.below(900)}`);
      case "teasers":
        return shows(pool("teaser", 5), pool("teaser", 5), pool("teaser", 5));
      case "echo":
        return shows(`You are at ${escapeHtml(decoded(url))}`);
      case "size":
        return { lines: [], comment: `<!-- ${"x".repeat(dice.below(1500))} -->\n` };
      default:
        throw new Error(`no noise of kind ${kind}`);
    }
  }
}

/** A list of goods whose entries differ in their numbers alone. */
function itemLines(key, count, words) {
  const dice = diceOf(`items ${key}`);
  const line = () => `Item ${100_000 + dice.below(800_000)}`;
  return [words.join(" "), ...Array.from({ length: count }, line)];
}

function linesOf(words, length) {
  const lines = [];
  for (let i = 0; i < words.length; i += length) lines.push(words.slice(i, i + length).join(" "));
  return lines;
}

function decoded(url) {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

const escapeHtml = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
