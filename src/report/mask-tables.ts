/** The site by its parts, as the report shows it. */
import { byStanding, verdictOf } from "../canon/legend.js";
import type { Rule } from "../model.js";
import { MASK, maskSecrets } from "../url/mask.js";
import { looksRandom } from "../url/random.js";
import type { SiteTables } from "./data.js";

/** With verdicts on parameters, and without anybody's secrets. */
export function maskTables(tables: SiteTables, rules: readonly Rule[], mask: (text: string) => string): SiteTables {
  const { parameters, directories, spellings, said } = tables;
  const origin = "http://";
  return {
    directories: directories.map(({ directory, ...rest }) => ({
      directory: mask(`${origin}${directory}`).slice(origin.length),
      ...rest,
    })),
    parameters: parameters.map((entry) => {
      const verdict = parameterVerdict(rules, entry.name);
      const name = looksRandom(entry.name, 1) && mask === maskSecrets ? MASK : entry.name;
      return { ...entry, name, example: mask(entry.example), ...(verdict !== undefined && { verdict }) };
    }),
    spellings: spellings.map(({ example, ...rest }) => ({
      ...rest,
      example: { from: mask(example.from), to: mask(example.to) },
    })),
    said: { ...said, links: said.links.map((link) => ({ ...link, url: mask(link.url), target: mask(link.target) })) },
  };
}

/** The best verdict on any rule about a parameter. */
function parameterVerdict(rules: readonly Rule[], name: string): string | undefined {
  const about = byStanding(rules.filter((rule) => rule.kind === "parameter" && rule.name === name));
  const [best] = about;
  if (best?.kind !== "parameter") return undefined;
  const verdict = best.decision ?? verdictOf(best);
  const words = {
    valid: "proven",
    declared: "the site says so",
    likely: "likely, not tried",
    undecided: "undecided",
    refuted: "it matters",
  };
  const what = best.action === "remove" ? "may go" : "may be set to one value";
  if (verdict === "accepted" || verdict === "rejected") return `${what}: ${verdict}`;
  return verdict === "refuted" ? words.refuted : `${what}: ${words[verdict]}`;
}
