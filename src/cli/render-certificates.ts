/** What was shown about all rules of a site together, for the terminal. */

import { rulesInUse } from "../canon/cycles.js";
import type { RulesFile } from "../canon/file/rules-file.js";
import { usableRule } from "../canon/kinds.js";
import { certificateState, toldCertificates } from "../validate/certificate-state.js";
import { paint, printable, type Terminal } from "./terminal.js";

/** A line for each site whose URLs change; `onlyDoubts` leaves out what is certified. `use`: the rules that are in use, if not those that usually are. */
export function certificateLines(
  terminal: Terminal,
  { rules, certificates = [] }: Pick<RulesFile, "rules" | "certificates">,
  onlyDoubts = false,
  use = usableRule,
): string[] {
  return toldCertificates(certificates).flatMap((certificate) => {
    const { certified, text } = certificateState(certificate, rules, use);
    if (certified && onlyDoubts) return [];
    const site = certificates.length > 1 || onlyDoubts ? `${printable(certificate.site || "all URLs")}: ` : "";
    return [`${site}${certified ? text : paint(terminal, "yellow", text)}`];
  });
}

/** A line for the sites whose rules in use were never tried together, if there are any. */
export function uncertifiedLines(
  terminal: Terminal,
  { rules, certificates = [] }: Pick<RulesFile, "rules" | "certificates">,
  use = usableRule,
): string[] {
  const told = new Set(toldCertificates(certificates).map(({ site }) => site));
  const sites = new Set(rulesInUse(rules, use).rules.map(({ site = "" }) => site));
  // Rules of no site are used on all, and the certificate of any speaks of them.
  const without = [...sites].filter((site) => !told.has(site) && (site !== "" || told.size === 0));
  if (without.length === 0) return [];
  const named = without.slice(0, SITES_NAMED).map((site) => printable(site || "all URLs"));
  const more = without.length > SITES_NAMED ? ` and ${without.length - SITES_NAMED} more` : "";
  const text = "not certified: the rules in use were never tried together";
  return [`${named.join(", ")}${more}: ${paint(terminal, "yellow", text)}`];
}

const SITES_NAMED = 3;
