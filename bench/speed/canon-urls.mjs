// The URLs and rules that canonization is measured with: the same on every machine.
import { ruleId } from "#src/canon/index.js";
import { randomNumbers } from "#src/demo/text.js";

const next = randomNumbers(1);
const below = (n) => Math.floor(next() * n);
const pick = (list) => list[below(list.length)];
const hex = (digits) => Array.from({ length: digits }, () => below(16).toString(16)).join("");
const words =
  "news forum topic view story archive product shoes blue large about contact gallery image press team".split(" ");
const slug = () => Array.from({ length: 2 + below(4) }, () => pick(words)).join("-");
const trackers = "utm_source utm_medium utm_campaign utm_term utm_content fbclid gclid msclkid mc_cid mc_eid".split(
  " ",
);

// ------------------------------------------------------------------------------------------------------------ URLs

/** About one in five has something to sweep up, as on the papers' sites. */
export function makeUrl() {
  const host = next() < 0.1 ? `www.site${below(300)}.test` : `site${below(300)}.test`;
  const origin = `${next() < 0.3 ? "http" : "https"}://${host}`;
  switch (below(6)) {
    case 0: {
      const sid = next() < 0.15 ? `${next() < 0.3 ? "&amp;" : "&"}sid=${hex(32)}` : "";
      return `${origin}/forum${below(40)}/viewtopic.php?f=${below(30)}&t=${below(90000)}${sid}`;
    }
    case 1:
      return `${origin}/shop/${slug()}/${slug()}${next() < 0.1 ? `;jsessionid=${hex(24).toUpperCase()}` : ""}?color=${pick(words)}&size=${below(50)}`;
    case 2:
      return `${origin}/${2004 + below(20)}/${1 + below(12)}/${slug()}${next() < 0.1 ? "/index.html" : "/"}`;
    case 3: {
      const tracked = next() < 0.2 ? `?${pick(trackers)}=${pick(words)}&${pick(trackers)}=${hex(8)}` : "";
      return `${origin}/section${below(60)}/story/${below(900000)}/${slug()}.html${tracked}`;
    }
    case 4:
      return `${origin}/wiki/index.php?title=${slug()}&action=${pick(["view", "edit", "history"])}&oldid=${below(90000)}`;
    default:
      return `${origin}/static/img/${hex(2)}/${hex(16)}.jpg`;
  }
}

// ----------------------------------------------------------------------------------------------------------- rules

const rule = (action, scope = {}) => ({ ...action, id: ruleId(action, scope), scope, status: "valid", decision: null });
const substring = (from, to, scope, anchors = {}) =>
  rule({ kind: "substring", from, to, start: false, end: false, ...anchors }, scope);
const remove = (name, scope, place = "query") => rule({ kind: "parameter", name, place, action: "remove" }, scope);

/** Ten of all kinds that most sites have, then the trackers people list, then what each site has for itself. */
export function makeRules() {
  const rules = [
    substring("&amp;", "&"),
    remove("sid"),
    remove("jsessionid", {}, "path"),
    substring("/index.html", "/", {}, { end: true }),
    substring("://www.", "://"),
    rule({ kind: "emptyParameter" }),
    substring("//", "/", { path: "//" }),
    ...trackers.map((name) => remove(name)),
  ];
  for (let i = 0; rules.length < 60; i++) rules.push(remove(`track_${i.toString(36)}${pick(words)}`));
  for (let i = 0; rules.length < 1100; i++) {
    const host = `site${below(300)}.test`;
    const own = [
      () => substring(`/section${below(60)}/story/`, `/s/`, { host }),
      () => substring(`/forum${below(40)}/viewtopic.php?`, `/topic?`, { host }),
      () => remove(`${pick(words)}${i}`, { host, path: `/${pick(words)}` }),
      () => remove("oldid", { host, path: `/wiki/` }),
      () => substring(`/${pick(words)}-${pick(words)}-${pick(words)}/`, `/${i}/`, { host: `*.${host}` }),
      () => rule({ kind: "parameter", name: `view${i}`, place: "query", action: "set", value: "full" }, { host }),
    ];
    rules.push(pick(own)());
  }
  const seen = new Set();
  return rules.filter(({ id }) => !seen.has(id) && seen.add(id)).slice(0, 1000);
}
