/** Makes the alias table: URLs that show one page and that the rules do not make one. */
import { type Alias, type AliasReason, settleAliases } from "../canon/aliases.js";
import { asTheyAre, compile } from "../canon/compile.js";
import { rulesInUse } from "../canon/cycles.js";
import { skipReason } from "../fetch/skip-reason.js";
import type { JobContext, Rule } from "../model.js";
import { pause } from "../progress.js";
import { readSameTexts, readSeenPairs, type SameText, type SeenPair } from "../store/pages/alias-pairs.js";
import type { Workspace } from "../store/workspace.js";
import { isErrorText, wallOfText } from "../validate/looks/walls.js";

export interface AliasOptions {
  readonly snapshot?: string;
  readonly rules: readonly Rule[];
  /** Take rel=canonical at its word, also where the two pages were not seen to be alike. */
  readonly trustSite: boolean;
}

export interface AliasResult {
  readonly aliases: readonly Alias[];
  readonly counts: Readonly<Record<AliasReason, number>>;
  /** Left out: what looks like an action or carries a token. */
  readonly secrets: number;
  /** A URL of each circle that was refused. */
  readonly circles: readonly string[];
}

const REMAINDER = "no table was written";

export async function makeAliases(
  workspace: Workspace,
  options: AliasOptions,
  context: JobContext,
): Promise<AliasResult> {
  const step = async (done: number) => {
    context.onProgress({ step: "aliases", done, total: 3, unit: "steps" });
    await pause(context, REMAINDER);
  };
  await step(0);
  const said = await readSeenPairs(workspace, options.snapshot);
  await step(1);
  const same = await readSameTexts(workspace, options.snapshot);
  await step(2);
  const canon = compile(rulesInUse(options.rules).rules, { use: asTheyAre });
  const pairs = [
    ...said.filter(({ why }) => why === "redirect" || options.trustSite),
    ...pairsOfTexts(same, said, canon),
  ];
  const harmless = pairs.filter(({ from, to }) => isHarmless(from) && isHarmless(to));
  const { aliases, circles } = settleAliases(harmless, canon);
  const counts = { redirect: 0, canonical: 0, content: 0 };
  for (const { why } of aliases) counts[why]++;
  return { aliases, counts, secrets: pairs.length - harmless.length, circles };
}

function isHarmless(url: string): boolean {
  return URL.canParse(url) && skipReason(new URL(url)) === undefined;
}

/** Each URL with the best one of those that showed the same text. */
function* pairsOfTexts(
  same: readonly SameText[],
  said: readonly SeenPair[],
  canon: (url: string) => string,
): Generator<Alias> {
  const named = new Map<string, number>();
  for (const { to } of said) named.set(canon(to), (named.get(canon(to)) ?? 0) + 1);
  for (let from = 0; from < same.length; ) {
    let end = from + 1;
    while (end < same.length && same[end]!.group === same[from]!.group) end++;
    const members = same.slice(from, end);
    from = end;
    const { text } = members[0]!;
    if (text !== undefined && (isErrorText(text) || wallOfText(text) !== undefined)) continue;
    const hits = new Map<string, number>();
    for (const member of members) hits.set(canon(member.url), (hits.get(canon(member.url)) ?? 0) + member.hits);
    // What the site says, then what is asked for most, then the more readable, then the shorter.
    const [best] = [...hits.keys()].sort(
      (a, b) =>
        (named.get(b) ?? 0) - (named.get(a) ?? 0) ||
        hits.get(b)! - hits.get(a)! ||
        Number(a.includes("?")) - Number(b.includes("?")) ||
        a.length - b.length ||
        (a < b ? -1 : 1),
    );
    for (const { url, seenMs } of members) {
      if (canon(url) !== best) yield { from: url, to: best!, seenMs, why: "content" };
    }
  }
}
