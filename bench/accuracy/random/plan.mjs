// What a random site is like: drawn from its seed as plain data, so that a failure can be read. Names are drawn from one
// list whatever a parameter does, and so that one name may mean something in one section and nothing in the next: who
// knows the web's names by heart has no advantage here.
import { diceOf, vocabularyOf } from "./dice.mjs";

const PARAMETER_NAMES = [
  "ref",
  "src",
  "hl",
  "lang",
  "tab",
  "view",
  "sort",
  "order",
  "mode",
  "fmt",
  "from",
  "style",
  "layout",
  "show",
  "v",
  "theme",
];
const SESSION_NAMES = ["sid", "PHPSESSID", "sessionid", "s"];
const SECTION_NAMES = [
  "docs",
  "shop",
  "forum",
  "news",
  "wiki",
  "blog",
  "help",
  "items",
  "people",
  "archive",
  "guide",
  "media",
];
const PAIRS = [
  ["user", "uid"],
  ["title", "curid"],
  ["t", "p"],
  ["name", "id"],
];
const ID_NAMES = ["id", "article", "item", "n", "story"];

/** @param {number} seed */
export function planSite(seed) {
  const dice = diceOf(`site ${seed}`);
  const name = `s${seed}.test`;
  const noise = drawNoise(dice);
  const plan = {
    seed,
    name,
    origin: dice.chance(0.5) ? `http://${name}` : `http://www.${name}`,
    boilerplateWords: dice.scale(10, 500),
    noise,
    missing: dice.pick(["404", "404", "410", "soft", "soft echo", "front"]),
    canonical: dice.pick(["none", "none", "none", "right", "some", "self", "front"]),
    shufflesParameters: dice.chance(0.15),
    /** Share of the log that asks for the front page or for what never was. */
    strays: dice.between(0.005, 0.04),
    origins: [],
    language: undefined,
    sections: [],
  };
  const bare = name;
  const hosts = [bare, `www.${bare}`].filter((host) => plan.origin !== `http://${host}`);
  if (dice.chance(0.5)) plan.origins.push({ origin: `http://${hosts[0]}`, ...drawToggle(dice, "www") });
  if (dice.chance(0.2)) {
    plan.origins.push({ origin: `http://${dice.pick(["m", "old", "web2"])}.${bare}`, ...drawToggle(dice, "host") });
  }
  if (dice.chance(0.15)) {
    plan.origins.push({ origin: plan.origin.replace("http:", "https:"), ...drawToggle(dice, "scheme") });
  }
  if (dice.chance(0.25)) {
    plan.language = {
      same: { folder: "en", ...drawToggle(dice, "en") },
      // "/de/" shows a page of its own, or, where it was never translated, the same as without.
      other: {
        folder: "de",
        share: dice.between(0.05, 0.3),
        unit: dice.pick(["item", "folder"]),
        key: "de",
        use: 0.15,
      },
    };
  }
  const names = dice.shuffled(SECTION_NAMES);
  const count = dice.integer(2, 5);
  const large = dice.chance(0.25) ? dice.below(count) : -1;
  for (let i = 0; i < count; i++) plan.sections.push(drawSection(plan, dice, names[i], i === large));
  return plan;
}

/** Something that leads to the same page in another way, for all pages or for most; what happens on the others. */
function drawToggle(dice, key) {
  const holds = dice.chance(0.6);
  return {
    key,
    share: holds ? 1 : dice.between(0.7, 0.95),
    unit: dice.pick(["item", "item", "folder"]),
    miss: dice.pick(["404", "missing", "other", "front"]),
    differs: dice.pick(["all", "few"]),
    redirect: dice.chance(0.2),
    use: dice.between(0.15, 0.5),
  };
}

function drawSection(plan, dice, name, isLarge) {
  const kind = isLarge ? "folder" : dice.pick(["folder", "folder", "script", "script", "pair", "pair", "list"]);
  const key = name;
  const section = {
    key,
    kind,
    base: `/${name}/`,
    style: kind === "list" ? "numbers" : drawStyle(dice),
    words: dice.scale(30, 400),
    gone: dice.chance(0.4) ? dice.between(0.02, 0.3) : 0,
    weight: isLarge ? 3 : dice.between(0.5, 2),
    case: dice.chance(0.15) ? drawToggle(dice, `${key} case`) : undefined,
    alias: dice.chance(0.2) ? { base: `/${name}-old/`, ...drawToggle(dice, `${key} alias`) } : undefined,
    parameters: drawParameters(dice, key),
  };
  switch (kind) {
    case "folder":
      return { ...section, ...drawFolders(plan, dice, name, isLarge) };
    case "script": {
      const script = dice.pick(["view.php", "show", "index.php"]);
      return {
        ...section,
        script,
        id: dice.pick(ID_NAMES),
        items: dice.scale(20, 500),
        hasStart: dice.chance(0.5),
        // "/shop/view.php?id=17" is "/shop/17" or "/shop/view_17" too.
        path: dice.chance(0.35)
          ? { form: dice.pick(["N", "view_N", "N.html"]), ...drawToggle(dice, `${key} path`) }
          : undefined,
      };
    }
    case "pair": {
      const [first, second] = dice.pick(PAIRS);
      return {
        ...section,
        script: dice.pick(["profile", "show.php", "index.php"]),
        first,
        second,
        /** "either": each finds the page; "first": the second is there for people alone. */
        finds: dice.pick(["either", "either", "first"]),
        items: dice.scale(20, 300),
      };
    }
    case "list":
      return {
        ...section,
        script: dice.pick(["list", "browse.php", ""]),
        categories: dice.integer(2, 15),
        pages: dice.integer(3, 25),
        items: 0,
      };
    default:
      throw new Error(`no section of kind ${kind}`);
  }
}

/** What tells the section's pages apart: all of their text, 8 words of 200, numbers alone; or they have hardly any text. */
function drawStyle(dice) {
  return dice.chance(0.07) ? "short" : dice.pick(["full", "full", "full", "few", "numbers"]);
}

function drawFolders(plan, dice, name, isLarge) {
  const sizes = isLarge
    ? [1000, ...Array.from({ length: 30 }, () => dice.integer(3, 12))]
    : Array.from({ length: dice.pick([1, 1, 3, 8, 20]) }, () => dice.scale(5, 120));
  const suffix = dice.pick(["", ".html", "/"]);
  const others = ["", ".html", "/"].filter((other) => other !== suffix);
  const words = vocabularyOf(`${plan.seed} names ${name}`, 400);
  const hasNumbers = dice.chance(0.5);
  const folders = sizes.map((size, f) => ({
    name: sizes.length === 1 ? "" : `${words(`folder ${f}`, 1)[0]}${f}/`,
    items: Array.from({ length: size }, (_, i) =>
      hasNumbers
        ? `${name}-${f * 1000 + i + 7}`
        : `${words(`item ${f} ${i}`, 2).join("-")}-${(f * 1000 + i).toString(36)}x`,
    ),
  }));
  return {
    folders,
    suffix,
    suffixes: others
      .filter(() => dice.chance(0.3))
      .map((other) => ({ suffix: other, ...drawToggle(dice, `${name} "${other}"`) })),
    index: dice.chance(0.4)
      ? { file: dice.pick(["index.html", "index.php", "default.aspx"]), ...drawToggle(dice, `${name} index`) }
      : undefined,
  };
}

/** What parameters do besides naming the page. */
function drawParameters(dice, section) {
  const names = dice.shuffled(PARAMETER_NAMES);
  const parameters = [];
  const values = () =>
    dice
      .shuffled(["a", "full", "2", "dark", "en", "de", "asc", "x7", "print", "beta", "eps"])
      .slice(0, dice.integer(2, 4));
  const add = (role, more = {}) => {
    const name = names.pop();
    const differs = dice.pick(["all", "all", "few", "numbers"]);
    parameters.push({
      key: `${section} ${name}`,
      name,
      role,
      differs,
      use: dice.between(0.1, 0.4),
      values: values(),
      ...more,
    });
    return name;
  };
  if (dice.chance(0.35)) {
    const name = dice.pick(SESSION_NAMES);
    parameters.push({
      key: `${section} ${name}`,
      name,
      role: "session",
      digits: dice.pick([8, 16, 32]),
      echoed: dice.chance(0.7),
      use: dice.between(0.2, 0.6),
    });
  }
  const never = dice.chance(0.6) ? add("never", dice.chance(0.4) ? { values: undefined } : {}) : undefined;
  if (dice.chance(0.3)) add("never");
  const always = dice.chance(0.3) ? add("always") : undefined;
  if (dice.chance(0.35)) add("share", { share: dice.between(0.05, 0.5), unit: dice.pick(["item", "item", "folder"]) });
  if (dice.chance(0.3)) add("default");
  const other = dice.chance(0.5) ? (never ?? always) : (always ?? never);
  if (other !== undefined && dice.chance(0.35)) add("beside", { other });
  else if (other !== undefined && dice.chance(0.15)) add("without", { other });
  return parameters;
}

function drawNoise(dice) {
  const kinds = ["counter", "clock", "line", "block", "item", "size", "teasers"];
  const some = dice.shuffled(kinds).slice(0, dice.pick([0, 0, 0, 1, 1, 1, 2, 3]));
  if (dice.chance(0.08)) some.push("echo");
  return some.map((kind) => ({
    kind,
    place: dice.pick(["top", "middle", "bottom"]),
    choices: dice.integer(3, 20),
    words: dice.scale(8, 60),
  }));
}
