// Sites with known truth, made from a seed: which page a URL shows (and so which URLs are duplicates), what the server
// answers at each look, and a log of visits. Nothing here knows how rules are mined or proven.
import { diceOf, shareOf } from "./dice.mjs";
import { Pages } from "./pages.mjs";
import { planSite } from "./plan.mjs";

export function randomSite(seed, { lines = 2500, quiet = false } = {}) {
  const drawn = planSite(seed);
  const plan = quiet ? { ...drawn, noise: [] } : drawn;
  const router = new Router(plan);
  const pages = new Pages(plan);
  const truth = (url) => router.truth(url);
  return {
    plan,
    origins: [plan.origin, ...plan.origins.map(({ origin }) => origin)],
    log: visit(plan, router, pages, lines),
    truth,
    /** What the server says the `look`-th time that it is asked anything. */
    answer: (url, look) => pages.answer(url, router.resolve(url, false), look),
  };
}

/** Which page a URL shows. Every way to the same page ends in the same identity. */
class Router {
  constructor(plan) {
    this.plan = plan;
    /** By section: names of items to { folder, item }. */
    this.names = new Map(
      plan.sections.map(({ key, folders = [] }) => [
        key,
        new Map(folders.flatMap(({ name, items }) => items.map((item) => [`${name}${item}`, { folder: name, item }]))),
      ]),
    );
  }

  /** The identity of the page that a person would say this URL shows; null where it shows none. */
  truth(url) {
    const found = this.resolve(url, false);
    if (found.kind === "redirect") return this.truth(found.to);
    return found.kind === "page" ? found.id : null;
  }

  /**
   * { kind: "page", id, section, item, variants } | { kind: "missing", how } | { kind: "redirect", to }. `then`: at the time
   * of the log, when nothing was gone yet.
   */
  resolve(text, then) {
    const { plan } = this;
    const missing = { kind: "missing", how: plan.missing };
    if (!URL.canParse(text)) return missing;
    const url = new URL(text);
    const used = [];
    if (url.origin !== plan.origin) {
      const alias = plan.origins.find(({ origin }) => origin === url.origin);
      if (alias === undefined) return missing;
      used.push(alias);
    }
    let { pathname } = url;
    let lang;
    const [, folder, rest] = /^\/([a-z]{2})(\/.*)$/.exec(pathname) ?? [];
    if (plan.language !== undefined && (folder === "en" || folder === "de")) {
      pathname = rest;
      if (folder === "en") used.push(plan.language.same);
      else lang = plan.language.other;
    }
    const place = pathname === "/" ? front : this.#locate(pathname, url.searchParams);
    if (place === undefined) return missing;
    used.push(...place.used);
    const { section, item } = place;
    const unitKey = { item: `${section.key}/${item}`, folder: `${section.key}/${place.folder}` };
    const holds = ({ key, share, unit }) => share === 1 || shareOf(`${plan.seed} ${key} ${unitKey[unit]}`) < share;

    const variants = variantsOf(section, url.searchParams, holds);
    if (lang !== undefined && !holds(lang)) variants.push({ key: "de", value: "de", differs: "all" });
    let redirects = false;
    for (const toggle of used) {
      if (holds(toggle)) {
        redirects ||= toggle.redirect;
      } else if (toggle.miss === "other") {
        variants.push({ key: toggle.key, value: "other", differs: toggle.differs });
      } else {
        return { kind: "missing", how: toggle.miss === "missing" ? plan.missing : toggle.miss };
      }
    }
    if (!then && section.gone > 0 && shareOf(`${plan.seed} gone ${unitKey.item}`) < section.gone) return missing;
    if (redirects && !variants.some(({ value }) => value === "other")) {
      const to = `${plan.origin}${lang === undefined ? "" : "/de"}${place.path}`;
      return { kind: "redirect", to: to.includes("?") ? to + url.search.replace("?", "&") : to + url.search };
    }
    const id = [unitKey.item, ...variants.map(({ key, value }) => `${key}=${value}`).sort()].join(" ");
    return { kind: "page", id, section, item, variants };
  }

  /** The item that path and query name, the toggles that its spelling needs, and its first spelling. */
  #locate(pathname, query) {
    for (const section of this.plan.sections) {
      const used = [];
      let path = pathname;
      const lower = path.toLowerCase();
      if (section.case !== undefined && path !== lower) {
        path = lower;
        used.push(section.case);
      }
      if (section.alias !== undefined && path.startsWith(section.alias.base)) {
        path = section.base + path.slice(section.alias.base.length);
        used.push(section.alias);
      }
      if (!path.startsWith(section.base)) continue;
      const found = this.#locateIn(section, path.slice(section.base.length), query);
      if (found === undefined) return undefined;
      return { folder: "", ...found, section, used: [...used, ...(found.used ?? [])], path: section.base + found.path };
    }
    return undefined;
  }

  #locateIn(section, rest, query) {
    switch (section.kind) {
      case "folder":
        return this.#locateInFolder(section, rest);
      case "script": {
        const form = section.path && numberIn(section.path.form, rest);
        const id = form ?? (rest === section.script ? lastValue(query, section.id) : undefined);
        if (id === undefined)
          return rest === section.script && section.hasStart ? { item: "start", path: rest } : undefined;
        if (!isNumberUpTo(id, section.items)) return undefined;
        return form === undefined
          ? { item: id, path: rest }
          : { item: id, path: `${section.script}?${section.id}=${id}`, used: [section.path] };
      }
      case "pair": {
        if (rest !== section.script) return undefined;
        const first = /^[a-z]+_(\d+)$/.exec(lastValue(query, section.first) ?? "")?.[1];
        const second = section.finds === "either" ? lastValue(query, section.second) : undefined;
        const number = first ?? (second === undefined ? undefined : String(Number(second) - 5000));
        return isNumberUpTo(number, section.items) ? { item: number, path: rest } : undefined;
      }
      case "list": {
        if (rest !== section.script) return undefined;
        const category = lastValue(query, "cat") ?? "1";
        const page = lastValue(query, "page") ?? "1";
        if (!isNumberUpTo(category, section.categories) || !isNumberUpTo(page, section.pages)) return undefined;
        return { item: `${category}-${page}`, folder: category, path: rest };
      }
      default:
        throw new Error(`no section of kind ${section.kind}`);
    }
  }

  #locateInFolder(section, rest) {
    const names = this.names.get(section.key);
    const { index } = section;
    const slash = rest.lastIndexOf("/") + 1;
    const isFolder = (folder) => section.folders.some(({ name }) => name === folder);
    if (slash === rest.length && isFolder(rest)) return { item: `${rest}start`, folder: rest, path: rest };
    if (index !== undefined && rest.slice(slash) === index.file && isFolder(rest.slice(0, slash))) {
      const folder = rest.slice(0, slash);
      return { item: `${folder}start`, folder, path: folder, used: [index] };
    }
    for (const { suffix, toggle } of spellings(section)) {
      if (!rest.endsWith(suffix)) continue;
      const found = names.get(rest.slice(0, rest.length - suffix.length));
      if (found === undefined) continue;
      const path = `${found.folder}${found.item}${section.suffix}`;
      return { ...found, path, used: toggle === undefined ? [] : [toggle] };
    }
    return undefined;
  }
}

const front = {
  section: { key: "", parameters: [], gone: 0, style: "full", words: 120 },
  item: "front",
  folder: "",
  used: [],
  path: "/",
};

const spellings = (section) => [
  { suffix: section.suffix, toggle: undefined },
  ...section.suffixes.map((toggle) => ({ suffix: toggle.suffix, toggle })),
];

/** What the parameters make of a page; those that do not matter, or have no value of theirs, make nothing of it. */
function variantsOf({ parameters }, query, holds) {
  const variants = [];
  for (const parameter of parameters) {
    const { name, role, values = [], other, key, differs } = parameter;
    const value = lastValue(query, name);
    if (value === undefined || !values.includes(value)) continue;
    const matters =
      role === "always" ||
      (role === "share" && !holds({ ...parameter, share: 1 - parameter.share })) ||
      (role === "default" && value !== values[0]) ||
      (role === "beside" && query.has(other)) ||
      (role === "without" && !query.has(other));
    if (matters) variants.push({ key, value, differs });
  }
  return variants;
}

/** The last value wins, as in most of the web's languages; an empty one counts for none. */
const lastValue = (query, name) => query.getAll(name).at(-1) || undefined;

const isNumberUpTo = (text, most) => text !== undefined && /^[1-9]\d*$/.test(text) && Number(text) <= most;

function numberIn(form, rest) {
  const [before, after] = form.split("N");
  const number = rest.slice(before.length, rest.length - after.length);
  return rest.startsWith(before) && rest.endsWith(after) && /^[1-9]\d*$/.test(number) ? number : undefined;
}

/** The log: visits to pages in one spelling or another, and a few to what never was. */
function visit(plan, router, pages, lines) {
  const dice = diceOf(`visits ${plan.seed}`);
  const log = [];
  for (let i = 0; i < lines; i++) {
    const section = dice.weighted(plan.sections, ({ weight }) => weight);
    const url = dice.chance(plan.strays)
      ? `${plan.origin}${dice.pick(["/", "/robots", `/${dice.hex(6)}`, `${section.base}${dice.hex(5)}.php`])}`
      : spell(plan, section, dice);
    const { status, headers, html } = pages.answer(url, router.resolve(url, true), -1 - i);
    log.push({
      url,
      status,
      bytes: status === 200 ? html.length : 0,
      ...(headers.location && { location: headers.location }),
    });
  }
  return log;
}

/** One of the spellings of one of the section's pages. */
function spell(plan, section, dice) {
  const uses = (toggle) => toggle !== undefined && dice.chance(toggle.use);
  const origin = plan.origins.find(uses)?.origin ?? plan.origin;
  const language =
    plan.language === undefined ? "" : uses(plan.language.same) ? "/en" : uses(plan.language.other) ? "/de" : "";
  const base = uses(section.alias) ? section.alias.base : section.base;
  const query = [];
  let path = base + spellItem(section, dice, query, uses);
  if (uses(section.case)) path = path.replace(/[a-z]/, (letter) => letter.toUpperCase());
  for (const parameter of section.parameters) {
    const { role, name, values, digits } = parameter;
    if (!uses(parameter)) continue;
    const value =
      role === "session"
        ? dice.hex(digits)
        : values === undefined
          ? String(dice.integer(1, 99_999))
          : dice.pick(values);
    query.push(`${name}=${value}`);
  }
  const ordered = plan.shufflesParameters ? dice.shuffled(query) : query;
  return `${origin}${language}${path}${ordered.length > 0 ? `?${ordered.join("&")}` : ""}`;
}

/** The item's part of the path; what names it in the query is put there. Some items are asked for more than others. */
function spellItem(section, dice, query, uses) {
  const rank = (count) => Math.floor(dice.next() ** 1.6 * count);
  switch (section.kind) {
    case "folder": {
      // A folder is visited as its size says, but small ones are not forgotten.
      const folder = dice.weighted(section.folders, ({ items }) => items.length ** 0.75);
      if (dice.chance(section.folders.length > 5 ? 0.2 : 0.04))
        return folder.name + (uses(section.index) ? section.index.file : "");
      const suffix = section.suffixes.find(uses)?.suffix ?? section.suffix;
      return `${folder.name}${folder.items[rank(folder.items.length)]}${suffix}`;
    }
    case "script": {
      if (section.hasStart && dice.chance(0.02)) return section.script;
      const id = rank(section.items) + 1;
      if (uses(section.path)) return section.path.form.replace("N", id);
      query.push(`${section.id}=${id}`);
      return section.script;
    }
    case "pair": {
      const number = rank(section.items) + 1;
      const first = `${section.first}=${nameOf(number)}_${number}`;
      const second = `${section.second}=${number + 5000}`;
      const way = section.finds === "first" ? dice.pick(["first", "both"]) : dice.pick(["first", "second", "both"]);
      if (way !== "second") query.push(first);
      if (way !== "first") query.push(second);
      return section.script;
    }
    case "list": {
      if (dice.chance(0.9)) query.push(`cat=${dice.integer(1, section.categories)}`);
      if (dice.chance(0.7)) query.push(`page=${rank(section.pages) + 1}`);
      return section.script;
    }
    default:
      throw new Error(`no section of kind ${section.kind}`);
  }
}

const nameOf = (number) => ["ada", "bob", "cy", "dot", "eve", "fay"][number % 6];
