/** What was shown about all rules of a site together, for the terminal. */

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
