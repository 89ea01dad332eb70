/** Mined rules become part of the rules file, which people own. */
import { existsSync } from "node:fs";
import { mergeRules } from "../canon/file/merge-rules.js";
import type { RulesFile } from "../canon/file/rules-file.js";
import { turned } from "../mine/direction.js";
import type { Rule } from "../model.js";
import { readRulesFile } from "../store/rules-on-disk.js";
import { ALL_SITES, type MineOptions } from "./mine/mined-site.js";
import type { MineResult } from "./mine.js";

/** What was mined, with what people decided and validation proved before. */
export function mergeMined(file: string | undefined, mined: MineResult, options: MineOptions): RulesFile {
  const known = file !== undefined && existsSync(file) ? readRulesFile(file) : undefined;
  const met = new Set((known?.rules ?? []).filter(isMet).map(({ id }) => id));
  const found = mined.sites
    .flatMap(({ rules }): readonly Rule[] => rules)
    .map((rule) => {
      // What was decided about a pair holds for it, whichever way it would be mined today.
      const other = met.size === 0 || met.has(rule.id) ? undefined : turned(rule);
      return other !== undefined && met.has(other.id) ? other : rule;
    });
  const { sites: _, snapshot, ...parameters } = options;
  // What was likely of sites that the workspace no longer has is no longer worth trying.
  const isGone = (site: string) => mined.names?.has(site) === false && site !== ALL_SITES && !site.includes("/");
  const gone = (known?.rules ?? []).map(({ site = "" }) => site).filter(isGone);
  return {
    settings: { ...parameters, ...(snapshot !== undefined && { snapshot }) },
    ...(known?.certificates !== undefined && { certificates: known.certificates }),
    rules: mergeRules(known?.rules ?? [], found, new Set([...mined.sites.map(({ site }) => site), ...gone])),
  };
}

/** Did a person or a validation decide about it? */
const isMet = ({ status, decision }: Rule) => decision !== null || (status !== "likely" && status !== "declared");
