/** What was shown about all rules of a site together, for the terminal. */

import type { RulesFile } from "../canon/file/rules-file.js";
import { certificateState, toldCertificates, uncertifiedSites } from "../validate/certificate-state.js";
import { paint, printable, type Terminal } from "./terminal.js";

type Tried = Pick<RulesFile, "rules" | "certificates">;

/** A line for each site whose URLs change. */
export function certificateLines(terminal: Terminal, { rules, certificates = [] }: Tried): string[] {
  return toldCertificates(certificates).map((certificate) => {
    const { certified, text } = certificateState(certificate, rules);
    const site = certificates.length > 1 ? `${siteName(certificate.site)}: ` : "";
    return `${site}${certified ? text : paint(terminal, "yellow", text)}`;
  });
}

/**
 * A line for each reason why no certificate covers the rules in use, with its sites. `inUse`: as `uncertifiedSites`
 * takes it.
 */
export function doubtLines(terminal: Terminal, ...inUse: Parameters<typeof uncertifiedSites>): string[] {
  const sitesOf = new Map<string, string[]>();
  for (const { site, text } of uncertifiedSites(...inUse)) {
    sitesOf.set(text, [...(sitesOf.get(text) ?? []), siteName(site)]);
  }
  return [...sitesOf].map(([text, sites]) => {
    const more = sites.length > SITES_NAMED ? ` and ${sites.length - SITES_NAMED} more` : "";
    return `${sites.slice(0, SITES_NAMED).join(", ")}${more}: ${paint(terminal, "yellow", text)}`;
  });
}

const SITES_NAMED = 3;

const siteName = (site: string) => printable(site || "all URLs");
