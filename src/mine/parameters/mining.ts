import type { RuleAction, Scope, UrlList } from "../../model.js";
import type { LikelySimilarOptions, MinePlan } from "../likely-similar.js";
import type { MinedRule } from "../mined-rule.js";
import { BucketMaker, type Buckets, type Candidate } from "./buckets.js";
import { MAX_COMPARED } from "./rewrite.js";
import { UrlScanner } from "./scan.js";
import { encodeScope, findScopes, holds, isInScope, tallyAll } from "./scopes.js";
import { ParameterTable } from "./table.js";

export interface ParameterMiningOptions extends LikelySimilarOptions {
  /** MS: the smallest support of a likely rule. */
  readonly minSupport: number;
}

/** A rule to look into. What it sets may depend on the URLs that it is for. */
export interface Proposal {
  readonly action: RuleAction;
  readonly candidate: Candidate;
}

/** A list that is being mined: what every kind of rule needs of it. */
export class Mining {
  readonly minSupport: number;
  readonly plan: MinePlan;
  readonly scanner: UrlScanner;
  readonly query: ParameterTable;
  readonly path: ParameterTable;
  readonly #list: UrlList;
  readonly #maker: BucketMaker;

  constructor(list: UrlList, options: ParameterMiningOptions) {
    this.minSupport = options.minSupport;
    this.plan = options.plan;
    this.scanner = new UrlScanner(list.urls);
    this.#list = list;
    this.query = new ParameterTable(list.urls, this.scanner, "query");
    this.path = new ParameterTable(list.urls, this.scanner, "path");
    this.#maker = new BucketMaker(list, options, this.query);
  }

  /** The proposed rule wherever it is likely: everywhere, in some scopes, or nowhere. */
  likelyRules(members: Uint32Array, propose: (members: Uint32Array) => Proposal): MinedRule[] {
    const { action, candidate } = propose(members);
    return this.likelyRulesOf(action, this.bucketsOf(candidate), members, propose);
  }

  /** The same where the buckets of the rule for all its members have been made before. */
  likelyRulesOf(
    action: RuleAction,
    buckets: Buckets,
    members: Uint32Array,
    propose: (members: Uint32Array) => Proposal,
  ): MinedRule[] {
    return findScopes(buckets, this.scanner, this.minSupport).flatMap((scope) => {
      if (isUnscoped(scope)) return [this.ruleOf(action, scope, buckets)];
      const inScope = propose(this.#membersIn(members, scope));
      const bucketsInScope = this.bucketsOf(inScope.candidate);
      // A parameter inside the path can put URLs of several places into one bucket: what is left of it here has to do.
      const tally = tallyAll(bucketsInScope);
      const isLikely = tally.support >= this.minSupport && holds(tally, this.minSupport);
      return isLikely ? [this.ruleOf(inScope.action, scope, bucketsInScope)] : [];
    });
  }

  bucketsOf(candidate: Candidate): Buckets {
    return this.#maker.make(candidate);
  }

  ruleOf(action: RuleAction, scope: Scope, buckets: Buckets): MinedRule {
    const { support, confirmed, unlikely } = tallyAll(buckets);
    const [from, to] = buckets.example;
    const example = { from: this.#urlAt(from), to: this.#urlAt(to) };
    return { ...action, scope, support, confirmed, unlikely, merges: buckets.merges, example };
  }

  allUrls(): Uint32Array {
    return this.#urlsWhere(() => true);
  }

  /** URLs whose query has several parameters. */
  urlsWithSeveral(): Uint32Array {
    const { rows } = this.query;
    return this.#urlsWhere((i) => rows[i + 1]! - rows[i]! >= 2);
  }

  urlsWithRepeated(): Uint32Array {
    return this.#urlsWhere((i) => this.query.hasRepeated(i, MAX_COMPARED));
  }

  urlsWithEmpty(): Uint32Array {
    return this.#urlsWhere((i) => this.query.hasEmpty[i] === 1);
  }

  #urlsWhere(isWanted: (i: number) => boolean): Uint32Array {
    const found = new Uint32Array(this.#list.urls.count);
    let count = 0;
    for (let i = 0; i < found.length; i++) if (isWanted(i)) found[count++] = i;
    return found.slice(0, count);
  }

  #membersIn(members: Uint32Array, scope: Scope): Uint32Array {
    const encoded = encodeScope(scope);
    return members.filter((url) => isInScope(this.scanner, url, encoded));
  }

  #urlAt(i: number): string {
    const { bytes, offsets } = this.#list.urls;
    return new TextDecoder().decode(bytes.subarray(offsets[i]!, offsets[i + 1]!));
  }
}

export function isUnscoped(scope: Scope): boolean {
  return scope.host === undefined && scope.path === undefined && scope.script === undefined;
}
