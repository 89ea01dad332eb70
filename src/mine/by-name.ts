/**
 * Candidates that are known by name: index pages, trailing and repeated slashes, percent-encoding, scheme, "www.", tracking
 * parameters and session ids.
 */
import { applyRule } from "../canon/apply.js";
import type { ParameterPlace, RuleAction } from "../model.js";
import { equalBytes } from "./byte-ranges.js";
import { indexPages, sessionParameters, trackingParameters } from "./known-names.js";
import type { MinedRule } from "./mined-rule.js";
import type { Image, Rewrite } from "./parameters/buckets.js";
import type { Mining } from "./parameters/mining.js";
import { named, removeParameter } from "./parameters/rewrite.js";
import { SLASH, type UrlScanner } from "./parameters/scan.js";

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

/** A rule of a kind that has a name of its own, the URLs that it may change, and what it does to one. */
interface NamedCandidate {
  readonly action: RuleAction;
  /** Of the URL that the scanner is at. */
  readonly isMember: () => boolean;
  readonly rewrite: Rewrite;
}

function namedRules(mining: Mining): MinedRule[] {
  const { scanner } = mining;
  const candidates = namedCandidates(scanner);
  const all = mining.allUrls();
  const members = candidates.map(() => new Uint32Array(all.length));
  const counts = candidates.map(() => 0);
  for (const i of all) {
    if (!scanner.open(i)) continue;
    for (let c = 0; c < candidates.length; c++) if (candidates[c]!.isMember()) members[c]![counts[c]!++] = i;
  }
  return candidates.flatMap(({ action, rewrite }, c) =>
    // Where every URL would change, none is left that it could be made one with.
    counts[c] === all.length ? [] : merging(mining, action, members[c]!.subarray(0, counts[c]), rewrite),
  );
}

function namedCandidates(scanner: UrlScanner): NamedCandidate[] {
  const { bytes } = scanner;
  const has = (text: string) => {
    const found = encoder.encode(text);
    return (at: number) => equalBytes(bytes, at, at + found.length, found, 0, found.length);
  };
  const [isHttp, isWww] = [has("http://"), has("www.")];
  const ofOrigin = (action: RuleAction, isMember: () => boolean) => ({
    ...{ action, isMember },
    rewrite: rewriteOrigin(scanner, action),
  });
  /** The URLs that lose this much at the end of their path. */
  const ofEnd = (action: RuleAction, cut: number, isMember: () => boolean) => ({
    ...{ action, isMember },
    rewrite: (i: number, image: Image) => {
      scanner.open(i);
      if (!isMember()) return false;
      image.append(bytes, scanner.start, scanner.pathEnd - cut);
      image.append(bytes, scanner.pathEnd, scanner.end);
      return true;
    },
  });
  const ofWhole = (action: RuleAction, isMember: () => boolean) => ({
    ...{ action, isMember },
    rewrite: rewriteWhole(scanner, action),
  });
  return [
    ofWhole({ kind: "repeatedSlash" }, () => hasTwice(bytes, SLASH, scanner.pathStart, scanner.pathEnd)),
    ofWhole({ kind: "percentEncoding" }, () => bytes.subarray(scanner.pathStart, scanner.end).includes(PERCENT)),
    ofOrigin({ kind: "scheme", scheme: "https" }, () => isHttp(scanner.start)),
    ofOrigin({ kind: "www", action: "drop" }, () => {
      scanner.host();
      return isWww(scanner.hostStart);
    }),
    ofEnd({ kind: "trailingSlash", action: "drop" }, 1, () => {
      const { pathStart, pathEnd } = scanner;
      return pathEnd - pathStart > 1 && bytes[pathEnd - 1] === SLASH && bytes[pathEnd - 2] !== SLASH;
    }),
    ...indexPages.map((name) => {
      const isIndex = has(`/${name}`);
      const length = name.length + 1;
      return ofEnd(
        { kind: "indexPage", name },
        name.length,
        () => scanner.pathEnd - scanner.pathStart >= length && isIndex(scanner.pathEnd - length),
      );
    }),
  ];
}

const PERCENT = 0x25;

/** Does the byte follow itself there? */
function hasTwice(bytes: Uint8Array, byte: number, start: number, end: number): boolean {
  for (let at = start + 1; at < end; at++) if (bytes[at] === byte && bytes[at - 1] === byte) return true;
  return false;
}

/** What applying a rule to the whole URL does, on bytes: for those that change few. */
function rewriteWhole(scanner: UrlScanner, action: RuleAction): Rewrite {
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

/** What applying a rule that looks at scheme and host alone does, on bytes. A list has few origins: each is asked about once. */
function rewriteOrigin(scanner: UrlScanner, action: RuleAction): Rewrite {
  const { bytes } = scanner;
  const rule = { ...action, scope: {} };
  const images = new Map<number, Uint8Array | undefined>();
  return (i, image) => {
    scanner.open(i);
    const { start, pathStart, end } = scanner;
    const origin = scanner.origin();
    if (!images.has(origin)) {
      // TextDecoder refuses shared memory.
      const changed = applyRule(rule, decoder.decode(bytes.slice(start, pathStart)));
      images.set(origin, changed === undefined ? undefined : encoder.encode(changed));
    }
    const changed = images.get(origin);
    if (changed === undefined) return false;
    image.append(changed, 0, changed.length);
    image.append(bytes, pathStart, end);
    return true;
  };
}

/** The rule, if it makes one URL of several. */
function merging(mining: Mining, action: RuleAction, members: Uint32Array, rewrite: Rewrite): MinedRule[] {
  const buckets = mining.bucketsOf({ members, rewrite });
  return buckets.count === 0 ? [] : [mining.ruleOf(action, {}, buckets)];
}
