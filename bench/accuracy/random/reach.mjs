// What could be merged: the duplicates that rules of our kinds merge which are exact on a scope, by the truth alone. A
// scope is a host (or any), a prefix of the path, and at most two conditions on parameters (there, not there, one value);
// a rule is exact on it if every live URL of the list that it changes there shows the same page afterwards. Rules may
// follow each other: what one has made of the list is what the next is tried on.
import { applyRule } from "#src/canon/index.js";
import { parseUrl } from "#src/url/parse.js";
import { tokenize } from "#src/url/tokenize.js";

/** URLs of the list that a rule has to change on a scope: of fewer no one would make a rule. */
export const FEWEST_URLS = 10;
/** Pages on which two spellings differ in one and the same way, before that way is tried. */
const FEWEST_PAGES = 4;
const MOST_SUBSTRINGS = 250;
const MOST_ROUNDS = 6;

/** What a truth says of a URL that it does not know, as a crawl does not know every URL. */
export const UNKNOWN = Symbol("unknown");

/**
 * `site.truth` names the page that a URL shows, undefined where it shows none. At an unknown URL what the first URL shows
 * that is taken there counts. `isAllowed` leaves rules out that nobody would write.
 */
export function reachOf(site, live, isAllowed = () => true) {
  const truths = new Map();
  const truth = (url) => {
    if (!truths.has(url)) truths.set(url, site.truth(url));
    return truths.get(url);
  };
  /** Where each URL has got to, and by which rules. */
  const trails = new Map(live.map((url) => [url, [{ url, by: "" }]]));
  const formOf = (url) => trails.get(url).at(-1).url;
  const used = [];

  for (let round = 0; round < MOST_ROUNDS; round++) {
    let hasChanged = false;
    const weights = weigh(live.map(formOf));
    const ranked = actionsFor([...weights.keys()], truth)
      .filter(isAllowed)
      .map((action) => ({ action, gain: mergesOf(movesOf(action, weights, truth), weights) }))
      .filter(({ action, gain }) => gain > 0 || simplifies(action))
      .sort((a, b) => b.gain - a.gain);
    for (const { action } of ranked) {
      const now = weigh(live.map(formOf));
      const moves = movesOf(action, now, truth);
      const gain = mergesOf(moves, now);
      if (moves.size === 0 || (gain === 0 && !simplifies(action))) continue;
      hasChanged = true;
      used.push({ rule: nameOf(action), gain });
      for (const trail of trails.values()) {
        const from = trail.at(-1).url;
        const to = moves.get(from);
        if (to === undefined) continue;
        if (truth(to) === UNKNOWN) truths.set(to, truth(from));
        trail.push({ url: to, by: nameOf(action) });
      }
    }
    if (!hasChanged) break;
  }
  return {
    merged: live.length - new Set(live.map(formOf)).size,
    formOf,
    rules: used.filter(({ gain }) => gain > 0),
    missedBy: (canon) => missedBy(canon, [...trails.values()]),
  };
}

/** By rule: the duplicates that it takes to others and that canonization leaves apart from them, each text of a group once. */
function missedBy(canon, trails) {
  const groups = new Map();
  for (const trail of trails) {
    const end = trail.at(-1).url;
    const forms = groups.get(end) ?? new Map();
    groups.set(end, forms);
    const form = canon(trail[0].url);
    if (!forms.has(form)) forms.set(form, trail);
  }
  const missed = new Map();
  for (const [end, forms] of groups) {
    // One of them stays; any of the others comes to another end somewhere on its way.
    const others = [...forms].filter(([form]) => form !== canon(end)).map(([, trail]) => trail);
    for (const trail of others.slice(others.length === forms.size ? 1 : 0)) {
      const at = trail.findIndex(({ url }, i) => i > 0 && canon(url) !== canon(trail[i - 1].url));
      const rule = trail[at].by;
      const entry = missed.get(rule) ?? { rule, urls: 0, example: [trail[at - 1].url, trail[at].url] };
      entry.urls++;
      missed.set(rule, entry);
    }
  }
  return [...missed.values()].sort((a, b) => b.urls - a.urls);
}

function weigh(forms) {
  const weights = new Map();
  for (const form of forms) weights.set(form, (weights.get(form) ?? 0) + 1);
  return weights;
}

/** How many URLs fewer there are after these moves. */
function mergesOf(moves, weights) {
  const after = new Set();
  for (const form of weights.keys()) after.add(moves.get(form) ?? form);
  return weights.size - after.size;
}

/** Worth doing for what it uncovers, even where it merges nothing by itself. */
const simplifies = ({ kind, action }) => kind !== "substring" && action !== "set";

const nameOf = ({ kind, name, action, value, from, to, start, end, keep }) =>
  kind === "substring"
    ? `${start ? "^" : ""}${from}${end ? "$" : ""} -> ${start ? "^" : ""}${to}${end ? "$" : ""}`
    : [kind, action, name, value, keep].filter((part) => part !== undefined).join(" ");

/** Where the action takes the URLs of all scopes on which it is exact. */
function movesOf(action, weights, truth) {
  const changed = [];
  const firstThere = new Map();
  for (const [form, weight] of weights) {
    const to = applyRule(action, form);
    if (to === undefined) continue;
    const page = truth(form);
    if (truth(to) === UNKNOWN && !firstThere.has(to)) firstThere.set(to, page);
    const there = firstThere.has(to) ? firstThere.get(to) : truth(to);
    changed.push({ form, to, weight, isRight: there === page });
  }
  const moves = new Map();
  const weight = changed.reduce((sum, { weight }) => sum + weight, 0);
  if (weight < FEWEST_URLS) return moves;
  const exact = changed.every(({ isRight }) => isRight) ? changed : exactlyChanged(changed);
  for (const { form, to } of exact) moves.set(form, to);
  return moves;
}

/** Of the changed URLs those that a scope without a wrong one admits. */
function exactlyChanged(changed) {
  const facts = changed.map(({ form }) => factsOf(form));
  const index = new BitSets(changed.map(({ weight }) => weight));
  const wrong = index.where((i) => !changed[i].isRight);
  const enough = (sets) => index.distinct(sets).filter((set) => index.weightOf(set) >= FEWEST_URLS);
  const hosts = enough([index.all, ...index.by((i) => [facts[i].origin])]);
  const prefixes = enough(index.by((i) => facts[i].folders));
  const withName = index.by((i) => facts[i].names);
  const conditions = enough([
    index.all,
    ...withName,
    ...withName.map((set) => index.without(set)),
    ...index.by((i) => facts[i].pairs),
  ]);
  const covered = index.none();
  for (const host of hosts) {
    for (const prefix of prefixes) {
      const box = index.both(host, prefix);
      const inBox = conditions.map((condition) => index.both(box, condition)).filter((set) => index.adds(covered, set));
      for (let a = 0; a < inBox.length; a++) {
        // The set itself comes first: one condition, or none.
        for (let b = a; b < inBox.length && index.adds(covered, inBox[a]); b++) {
          const scope = index.both(inBox[a], inBox[b]);
          if (index.meets(scope, wrong) || !index.adds(covered, scope)) continue;
          if (index.weightOf(scope) >= FEWEST_URLS) index.add(covered, scope);
        }
      }
    }
  }
  return changed.filter((_, i) => index.has(covered, i));
}

/** Sets of the numbers of weights, as bits. */
class BitSets {
  constructor(weights) {
    this.weights = weights;
    this.count = weights.length;
    this.words = Math.ceil(this.count / 32);
    this.all = this.where(() => true);
  }
  none() {
    return new Uint32Array(this.words);
  }
  put(set, i) {
    set[i >> 5] |= 1 << (i & 31);
  }
  where(holds) {
    const set = this.none();
    for (let i = 0; i < this.count; i++) if (holds(i)) this.put(set, i);
    return set;
  }
  /** By each of the values that numbers have: the numbers that have it. */
  by(valuesOf) {
    const members = new Map();
    for (let i = 0; i < this.count; i++) {
      for (const value of valuesOf(i)) {
        const some = members.get(value);
        if (some === undefined) members.set(value, [i]);
        else some.push(i);
      }
    }
    return [...members.values()].map((some) => {
      const set = this.none();
      for (const i of some) this.put(set, i);
      return set;
    });
  }
  has(set, i) {
    return ((set[i >> 5] >>> (i & 31)) & 1) === 1;
  }
  weightOf(set) {
    let weight = 0;
    for (let i = 0; i < this.count; i++) if (this.has(set, i)) weight += this.weights[i];
    return weight;
  }
  without(set) {
    return set.map((word, i) => ~word & this.all[i]);
  }
  both(a, b) {
    const set = this.none();
    for (let i = 0; i < this.words; i++) set[i] = a[i] & b[i];
    return set;
  }
  meets(a, b) {
    for (let i = 0; i < this.words; i++) if ((a[i] & b[i]) !== 0) return true;
    return false;
  }
  adds(known, set) {
    for (let i = 0; i < this.words; i++) if ((set[i] & ~known[i]) !== 0) return true;
    return false;
  }
  add(known, set) {
    for (let i = 0; i < this.words; i++) known[i] |= set[i];
  }
  distinct(sets) {
    return [...new Map(sets.map((set) => [set.join(), set])).values()];
  }
}

const knownFacts = new Map();

/** What scopes ask of a URL. */
function factsOf(url) {
  const known = knownFacts.get(url);
  if (known !== undefined) return known;
  const { origin, pathname, searchParams } = new URL(url);
  const segments = pathname.split("/");
  const folders = segments.slice(1).map((_, i) => `${segments.slice(0, i + 1).join("/")}/`);
  const facts = {
    origin,
    folders: [...folders, pathname],
    names: new Set(searchParams.keys()),
    pairs: new Set([...searchParams].map(([name, value]) => `${name}=${value}`)),
  };
  if (knownFacts.size > 50_000) knownFacts.clear();
  knownFacts.set(url, facts);
  return facts;
}

/** All rules that are worth a try on this list. */
function actionsFor(urls, truth) {
  const values = new Map();
  for (const url of urls) {
    for (const [name, value] of new URL(url).searchParams) values.set(name, (values.get(name) ?? new Set()).add(value));
  }
  const scope = {};
  const actions = [
    { kind: "parameterOrder", scope },
    { kind: "emptyParameter", scope },
    { kind: "repeatedParameter", keep: "last", scope },
    { kind: "repeatedParameter", keep: "first", scope },
    { kind: "case", scope },
  ];
  for (const [name, some] of values) {
    actions.push({ kind: "parameter", place: "query", name, action: "remove", scope });
    if (some.size > 4) continue;
    for (const value of some) actions.push({ kind: "parameter", place: "query", name, action: "set", value, scope });
  }
  return [...actions, ...substringsFor(urls, truth)];
}

/** The ways in which two spellings of one page differ, with and without what stands around the difference. */
function substringsFor(urls, truth) {
  const groups = new Map();
  for (const url of urls) {
    const page = truth(url);
    const group = groups.get(page);
    if (group === undefined) groups.set(page, [url]);
    else group.push(url);
  }
  const pagesOf = new Map();
  for (const [page, group] of groups) {
    // Spellings that differ little are neighbours, or nearly so, in one of these orders.
    const orders = [[...group].sort(), [...group].sort((a, b) => (reversed(a) < reversed(b) ? -1 : 1))];
    for (const order of orders) {
      for (let i = 0; i < order.length; i++) {
        for (let j = i + 1; j < Math.min(order.length, i + 4); j++) {
          for (const text of differences(order[i], order[j]))
            pagesOf.set(text, (pagesOf.get(text) ?? new Set()).add(page));
        }
      }
    }
  }
  return [...pagesOf]
    .filter(([, pages]) => pages.size >= FEWEST_PAGES)
    .sort((a, b) => b[1].size - a[1].size)
    .slice(0, MOST_SUBSTRINGS)
    .map(([text]) => ({ ...JSON.parse(text), scope: {} }));
}

const reversed = (text) => [...text].reverse().join("");

function* differences(a, b) {
  const [first, second] = [tokensOf(a), tokensOf(b)];
  const most = Math.min(first.length, second.length);
  let before = 0;
  while (before < most && first[before] === second[before]) before++;
  let after = 0;
  while (after < most - before && first[first.length - 1 - after] === second[second.length - 1 - after]) after++;
  if (first.length - before - after > 12 || second.length - before - after > 12) return;
  for (let left = 0; left <= Math.min(4, before); left++) {
    for (let right = 0; right <= Math.min(2, after); right++) {
      const [start, end] = [left === before, right === after];
      const cut = (tokens) => tokens.slice(before - left, tokens.length - after + right).join("");
      const [from, to] = [cut(first), cut(second)];
      for (const [one, other] of [
        [from, to],
        [to, from],
      ]) {
        // Nobody would add a parameter so that URLs are alike.
        if (other.split("=").length > one.split("=").length) continue;
        for (const [isStart, isEnd] of new Set([
          [false, false],
          ...(start ? [[true, false]] : []),
          ...(end ? [[false, true]] : []),
        ])) {
          if (one === "" && !isStart && !isEnd) continue;
          yield JSON.stringify({ kind: "substring", from: one, to: other, start: isStart, end: isEnd });
        }
      }
    }
  }
}

const knownTokens = new Map();
function tokensOf(url) {
  let tokens = knownTokens.get(url);
  if (tokens === undefined) {
    tokens = parseUrl(url) === undefined ? [url] : tokenize(url);
    if (knownTokens.size > 50_000) knownTokens.clear();
    knownTokens.set(url, tokens);
  }
  return tokens;
}
