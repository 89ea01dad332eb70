/** Candidates that are known by name: index pages, trailing slash, scheme, "www.", tracking parameters and session ids. */
import type { ParameterPlace, RuleAction } from "../model.js";
import { equalBytes } from "./byte-table.js";
import { indexPages, sessionParameters, trackingParameters } from "./known-names.js";
import type { MinedRule } from "./mined-rule.js";
import type { Rewrite } from "./parameters/buckets.js";
import type { Mining } from "./parameters/mining.js";
import { named, removeParameter } from "./parameters/rewrite.js";
import type { UrlScanner } from "./parameters/scan.js";

/**
 * The rules known by name that would merge URLs of the list, however few: a name stands for what support has to show
 * otherwise. All without a scope; what is known of the documents comes with them and vetoes nothing.
 */
export function mineByName(mining: Mining): MinedRule[] {
  return [...parameterRules(mining), ...anchoredRules(mining)];
}

function parameterRules(mining: Mining): MinedRule[] {
  const names: Record<ParameterPlace, ReadonlySet<string>> = {
    query: new Set([...trackingParameters, ...sessionParameters.query]),
    path: new Set(sessionParameters.path),
  };
  return (["query", "path"] as const).flatMap((place) => {
    const table = mining[place];
    const rewrite = (id: number) =>
      removeParameter(mining.scanner, place, named(mining.scanner.bytes, [table.nameBytes(id)]));
    return table.popularNames(1).flatMap(({ id, urls }) => {
      const name = new TextDecoder().decode(table.nameBytes(id));
      if (!names[place].has(name)) return [];
      return merging(mining, { kind: "parameter", name, place, action: "remove" }, urls, rewrite(id));
    });
  });
}

type AnchoredAction = Extract<RuleAction, { kind: "substring" }>;

function anchoredRules(mining: Mining): MinedRule[] {
  const at = (from: string, to: string, start: boolean): AnchoredAction => ({
    ...{ kind: "substring", from, to },
    ...{ start, end: !start },
  });
  const actions = [
    at("https://", "http://", true),
    ...["http", "https"].map((scheme) => at(`${scheme}://www.`, `${scheme}://`, true)),
    ...indexPages.map((page) => at(`/${page}`, "/", false)),
    at("/", "", false),
  ];
  const all = mining.allUrls();
  return actions.flatMap((action) => {
    const rewrite = replaceAnchored(mining.scanner, action);
    return merging(mining, action, all, rewrite);
  });
}

/** The rule, if it makes one URL of several. */
function merging(mining: Mining, action: RuleAction, members: Uint32Array, rewrite: Rewrite): MinedRule[] {
  const buckets = mining.bucketsOf({ members, rewrite });
  return buckets.count === 0 ? [] : [mining.ruleOf(action, {}, buckets)];
}

/** What canon/apply does for these actions: their ends are no letters or digits, so that no tokens fuse. */
function replaceAnchored(scanner: UrlScanner, { from, to, start }: AnchoredAction): Rewrite {
  const [old, replacement] = [from, to].map((text) => new TextEncoder().encode(text)) as [Uint8Array, Uint8Array];
  return (i, image) => {
    if (!scanner.open(i)) return false;
    const { bytes } = scanner;
    const at = start ? scanner.start : scanner.end - old.length;
    // Nothing is replaced across the border between host and path, and something is left.
    const isInside = start
      ? at + old.length <= scanner.pathStart
      : at >= scanner.pathStart && at + replacement.length > scanner.start;
    if (!isInside || !equalBytes(bytes, at, at + old.length, old, 0, old.length)) return false;
    image.append(bytes, scanner.start, at);
    image.append(replacement, 0, replacement.length);
    image.append(bytes, at + old.length, scanner.end);
    return true;
  };
}
