/** What exported JavaScript carries: canonization itself, bundled by scripts/build.mjs into one script. */
import { asTheyAre, compile } from "../canon/compile.js";
import type { Rule } from "../model.js";
import { normalize } from "../url/normalize.js";

export { keyRequests } from "./request-keys.js";

/** Safe normalization, the rules, then the aliases. Text that is not an http(s) URL comes back as it was. */
export function canonizer(
  rules: readonly Rule[],
  aliases: readonly (readonly [from: string, to: string])[] = [],
): (url: string) => string {
  const canon = compile(rules, { use: asTheyAre });
  const table = new Map(aliases);
  return (url) => {
    const canonical = canon(normalize(url).url);
    return table.get(canonical) ?? canonical;
  };
}
