/** Candidates that are known by name: index pages, trailing slash, scheme, "www.", tracking parameters and session ids. */
import { applyRule } from "../canon/apply.js";
import type { ParameterPlace, RuleAction } from "../model.js";
import { equalBytes } from "./byte-table.js";
import { indexPages, sessionParameters, trackingParameters } from "./known-names.js";
import type { MinedRule } from "./mined-rule.js";
import type { Rewrite } from "./parameters/buckets.js";
import type { Mining } from "./parameters/mining.js";
import { named, removeParameter } from "./parameters/rewrite.js";
import type { UrlScanner } from "./parameters/scan.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * The rules known by name that would merge URLs of the list, however few: a name stands for what support has to show
 * otherwise. All without a scope; what is known of the documents comes with them and vetoes nothing.
 */
export function mineByName(mining: Mining): MinedRule[] {
  return [...parameterRules(mining), ...namedRules(mining)];
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
      const name = decoder.decode(table.nameBytes(id));
      if (!names[place].has(name)) return [];
      return merging(mining, { kind: "parameter", name, place, action: "remove" }, urls, rewrite(id));
    });
  });
}

/** Rules of kinds that have a name of their own; each is asked about the URLs that it may change only. */
function namedRules(mining: Mining): MinedRule[] {
  const { scanner } = mining;
  const { bytes } = scanner;
  const has = (text: string) => {
    const found = encoder.encode(text);
    return (at: number) => equalBytes(bytes, at, at + found.length, found, 0, found.length);
  };
  const [isHttp, isWww, isSlash] = [has("http://"), has("www."), has("/")];
  const candidates: { action: RuleAction; isMember: () => boolean }[] = [
    { action: { kind: "scheme", scheme: "https" }, isMember: () => isHttp(scanner.start) },
    {
      action: { kind: "www", action: "drop" },
      isMember: () => {
        scanner.host();
        return isWww(scanner.hostStart);
      },
    },
    { action: { kind: "trailingSlash", action: "drop" }, isMember: () => isSlash(scanner.pathEnd - 1) },
    ...indexPages.map((name) => {
      const isIndex = has(`/${name}`);
      const action = { kind: "indexPage", name } as const;
      return { action, isMember: () => isIndex(scanner.pathEnd - name.length - 1) };
    }),
  ];
  const all = mining.allUrls();
  return candidates.flatMap(({ action, isMember }) => {
    const members = all.filter((i) => scanner.open(i) && isMember());
    // Where every URL would change, none is left that it could be made one with.
    return members.length === all.length ? [] : merging(mining, action, members, rewriteBy(scanner, action));
  });
}

/** What applying the rule does, on bytes. */
function rewriteBy(scanner: UrlScanner, action: RuleAction): Rewrite {
  const rule = { ...action, scope: {} };
  return (i, image) => {
    scanner.open(i);
    // TextDecoder refuses shared memory.
    const changed = applyRule(rule, decoder.decode(scanner.bytes.slice(scanner.start, scanner.end)));
    if (changed === undefined) return false;
    const encoded = encoder.encode(changed);
    image.append(encoded, 0, encoded.length);
    return true;
  };
}

/** The rule, if it makes one URL of several. */
function merging(mining: Mining, action: RuleAction, members: Uint32Array, rewrite: Rewrite): MinedRule[] {
  const buckets = mining.bucketsOf({ members, rewrite });
  return buckets.count === 0 ? [] : [mining.ruleOf(action, {}, buckets)];
}
