/** The manual page (docs/dustpan.1), from the flag table. */

import type { Command } from "../parse.js";
import { examplesOf, flagText, flagUsage, sentence } from "./help.js";

/** Text for roff, where a backslash is an escape, and a dot or apostrophe at the start of a line is a request. */
function roff(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^(?=[.'])/gm, "\\&");
}

export function manPage(commands: readonly Command[], version: string): string {
  const command = (entry: Command) => [
    `.SH ${entry.name.toUpperCase()}`,
    `.B ${roff(`dustpan ${entry.name} ${entry.usage}`.trimEnd())}`,
    ".PP",
    roff(sentence(entry.summary)),
    ...(entry.details ?? []).flatMap((paragraph) => [".PP", roff(paragraph)]),
    ".PP",
    ".nf",
    ...examplesOf(entry).map(roff),
    ".fi",
    ...entry.flags.flatMap((flag) => [".TP", `.B ${roff(flagUsage(flag).trim())}`, roff(flagText(flag))]),
  ];
  return `${[
    `.TH DUSTPAN 1 "" "dustpan ${version}" "User Commands"`,
    ".SH NAME",
    "dustpan \\- different URLs with similar text, found and swept up",
    ".SH SYNOPSIS",
    ".B dustpan",
    "COMMAND [ARGUMENTS]",
    ".SH DESCRIPTION",
    roff(
      "From an access log or a crawl dustpan learns the rules by which a site serves one page under many URLs, proves them on a small sample, and canonizes URLs with what holds. From page contents it finds near-duplicate clusters, mirrors and replicated collections.",
    ),
    ...commands.flatMap(command),
    ".SH EXIT STATUS",
    roff("0 done, 1 a check that did not hold, 2 error, 3 interrupted and resumable."),
  ].join("\n")}\n`;
}
