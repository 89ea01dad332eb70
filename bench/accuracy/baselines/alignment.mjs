// A baseline in the spirit of DUSTER: URLs of one content class are aligned token by token, and what the alignments of several
// classes have in common becomes a rule from one pattern to another.
//
// Its paper was not at hand. Assumed: tokens as in DustBuster; each URL of a class is aligned (Needleman and Wunsch) with the
// class's canonical one, the shortest, then the smallest; a token that is equal on both sides is kept as it is where at least
// 2% of the learned URLs have it, and otherwise stands for any token of its type (digits, letters and digits); a rule needs
// three classes; it is tried on all learned URLs, and dropped if more than 5% of what can be told is wrong (a URL of another
// class is the result, or two classes become one URL); rules apply in the order of their support, the first that matches, once.
import { tokenize } from "#src/url/tokenize.js";
import { duplicatesOf } from "./sample.mjs";

const LEAST_CLASSES = 3;
const COMMON_SHARE = 0.02;
const MOST_WRONG = 0.05;
const LONGEST = 60;

/** Pairs of positions of equal tokens, in order. */
function align(a, b) {
  const width = b.length + 1;
  const score = new Int32Array((a.length + 1) * width);
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const equal = a[i - 1] === b[j - 1] ? score[(i - 1) * width + j - 1] + 1 : 0;
      score[i * width + j] = Math.max(equal, score[(i - 1) * width + j], score[i * width + j - 1]);
    }
  }
  const pairs = [];
  for (let i = a.length, j = b.length; i > 0 && j > 0; ) {
    if (a[i - 1] === b[j - 1] && score[i * width + j] === score[(i - 1) * width + j - 1] + 1) {
      pairs.push([--i, --j]);
    } else if (score[i * width + j] === score[(i - 1) * width + j]) i--;
    else j--;
  }
  return pairs.reverse();
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
const typeOf = (token) => (/^\d+$/.test(token) ? "(\\d+)" : /^[a-z0-9]+$/i.test(token) ? "([A-Za-z0-9]+)" : undefined);

export function learnByAlignment(classes) {
  const urls = [...classes.keys()];
  const withToken = new Map();
  for (const url of urls)
    for (const token of new Set(tokenize(url))) withToken.set(token, (withToken.get(token) ?? 0) + 1);
  const isCommon = (token) => withToken.get(token) >= COMMON_SHARE * urls.length;
  const found = new Map();
  for (const group of duplicatesOf(classes)) {
    const [canonical, ...others] = group.sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
    const target = tokenize(canonical);
    for (const url of others) {
      const source = tokenize(url);
      if (source.length > LONGEST || target.length > LONGEST) continue;
      const kept = align(source, target);
      const [open, filled] = [new Map(), new Map()];
      for (const [i, j] of kept) {
        const type = typeOf(source[i]);
        if (type === undefined || isCommon(source[i])) continue;
        open.set(i, type);
        filled.set(j, open.size);
      }
      // What only one side has, and is not common text, varies too: on the left it stands for anything of its type.
      for (const [i, token] of source.entries()) {
        const type = typeOf(token);
        if (type !== undefined && !open.has(i) && !isCommon(token) && !kept.some(([k]) => k === i))
          open.set(i, type.replace("(", "(?:"));
      }
      const pattern = source.map((token, i) => open.get(i) ?? escaped(token)).join("");
      const to = target
        .map((token, j) => (filled.has(j) ? `$${filled.get(j)}` : token.replaceAll("$", "$$$$")))
        .join("");
      const key = `${pattern} ${to}`;
      const rule = found.get(key) ?? { from: new RegExp(`^${pattern}$`), to, key, classes: new Set() };
      found.set(key, rule);
      rule.classes.add(classes.get(url));
    }
  }
  const likely = [...found.values()].filter((rule) => rule.classes.size >= LEAST_CLASSES);
  likely.sort((a, b) => b.classes.size - a.classes.size || (a.key < b.key ? -1 : 1));
  return likely.filter((rule) => isRight(rule, classes));
}

function isRight({ from, to }, classes) {
  let [right, wrong] = [0, 0];
  const made = new Map();
  for (const [url, name] of classes) {
    if (!from.test(url)) continue;
    const result = url.replace(from, to);
    if (result === url) continue;
    const there = classes.get(result) ?? made.get(result);
    made.set(result, name);
    if (there === undefined) continue;
    if (there === name) right++;
    else wrong++;
  }
  return right >= LEAST_CLASSES && wrong <= MOST_WRONG * (right + wrong);
}

export function applyAligned(rules) {
  return (url) => {
    const rule = rules.find(({ from }) => from.test(url));
    return rule === undefined ? url : url.replace(rule.from, rule.to);
  };
}
