// A baseline in the spirit of rewrite rules from a pattern tree: URLs are lists of keys and values (host, segments of the path,
// parameters); a tree divides them by the keys with the fewest values; in each node a key whose values do not matter is found
// by content, and its value is dropped or made one.
//
// Its paper was not at hand. Assumed: the key that divides a node is the one with the lowest entropy of its values, among those
// that all URLs of the node have and that have at most twenty values; other values stand for anything; nodes of fewer than ten URLs, and
// nodes five levels down, are leaves; a key does not matter in a node where at least three groups of URLs that are equal in all
// other keys have two values or more, and 95% of these groups show one page; then a parameter is dropped, and a segment or an
// origin that was seen in such a group becomes the most frequent of those. The highest node of the tree where that holds has the rule.
import { duplicatesOf } from "./sample.mjs";

const LEAST_URLS = 10;
const DEEPEST = 5;
const MOST_VALUES = 20;
const LEAST_GROUPS = 3;
const RIGHT_SHARE = 0.95;

/** Key to value; undefined where the text is no URL. */
function keysOf(text) {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const keys = new Map([["origin", url.origin]]);
  const segments = url.pathname.slice(1).split("/");
  keys.set("depth", String(segments.length));
  for (const [i, segment] of segments.entries()) keys.set(`path ${i}`, segment);
  for (const [name, value] of url.searchParams) if (!keys.has(`query ${name}`)) keys.set(`query ${name}`, value);
  return keys;
}

function textOf(keys) {
  const segments = [];
  const parameters = [];
  for (const [key, value] of keys) {
    if (key.startsWith("path ")) segments.push(value);
    if (key.startsWith("query ")) parameters.push(`${encodeURIComponent(key.slice(6))}=${encodeURIComponent(value)}`);
  }
  return `${keys.get("origin")}/${segments.join("/")}${parameters.length > 0 ? `?${parameters.join("&")}` : ""}`;
}

export function learnPatternTree(classes) {
  // Without two URLs of one class there is nothing to learn.
  if (duplicatesOf(classes).length === 0) return [];
  const rows = [...classes].flatMap(([url, name]) => {
    const keys = keysOf(url);
    return keys === undefined ? [] : [{ keys, name }];
  });
  const rules = [];
  grow(rows, [], new Set(), rules);
  return rules;
}

function grow(rows, conditions, settled, rules) {
  const names = new Set(rows.flatMap(({ keys }) => [...keys.keys()]));
  const here = new Set(settled);
  for (const key of names) {
    if (here.has(key) || key === "depth" || conditions.some(([name]) => name === key)) continue;
    const rule = ruleOf(key, rows);
    if (rule === undefined) continue;
    rules.push({ conditions, key, ...rule });
    here.add(key);
  }
  if (conditions.length >= DEEPEST || rows.length < LEAST_URLS) return;
  let best;
  for (const key of names) {
    if (here.has(key) || conditions.some(([name]) => name === key)) continue;
    const counts = new Map();
    for (const { keys } of rows) counts.set(keys.get(key), (counts.get(keys.get(key)) ?? 0) + 1);
    if (counts.has(undefined) || counts.size < 2 || counts.size > MOST_VALUES) continue;
    const entropy = [...counts.values()].reduce((sum, n) => sum - (n / rows.length) * Math.log2(n / rows.length), 0);
    if (best === undefined || entropy < best.entropy) best = { key, entropy, values: [...counts.keys()] };
  }
  for (const value of best?.values ?? []) {
    const some = rows.filter(({ keys }) => keys.get(best.key) === value);
    grow(some, [...conditions, [best.key, value]], here, rules);
  }
}

function ruleOf(key, rows) {
  const groups = new Map();
  for (const { keys, name } of rows) {
    const rest = JSON.stringify([...keys].filter(([other]) => other !== key).sort());
    const group = groups.get(rest) ?? { values: [], classes: new Set() };
    groups.set(rest, group);
    group.values.push(keys.get(key));
    group.classes.add(name);
  }
  const telling = [...groups.values()].filter((group) => new Set(group.values).size > 1);
  const right = telling.filter((group) => group.classes.size === 1);
  if (telling.length < LEAST_GROUPS || right.length < RIGHT_SHARE * telling.length) return undefined;
  if (key.startsWith("query ")) return { action: "drop" };
  const values = new Map();
  for (const value of right.flatMap((group) => group.values)) values.set(value, (values.get(value) ?? 0) + 1);
  const [value] = [...values].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0];
  return { action: "set", value, values: new Set(values.keys()) };
}

export function applyPatternTree(rules) {
  return (url) => {
    const keys = keysOf(url);
    if (keys === undefined) return url;
    let isChanged = false;
    for (const { conditions, key, action, value, values } of rules) {
      if (!keys.has(key) || !conditions.every(([name, wanted]) => keys.get(name) === wanted)) continue;
      if (action === "drop") isChanged = keys.delete(key) || isChanged;
      else if (keys.get(key) !== value && values.has(keys.get(key))) {
        keys.set(key, value);
        isChanged = true;
      }
    }
    return isChanged ? textOf(keys) : url;
  };
}
