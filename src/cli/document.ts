/** The JSON documents of `--json`. */
import type { FetchPlan } from "../fetch/plan.js";
import { maskDocument, maskSecrets } from "../url/mask.js";
import type { CommandDocuments } from "./command-documents.js";
import type { Terminal } from "./terminal.js";

/** What `--json` prints: one document, versioned, on stdout. */
export function printDocument<F extends keyof CommandDocuments>(
  terminal: Terminal,
  format: F,
  content: CommandDocuments[F],
): void {
  terminal.out(escaped(JSON.stringify({ format, version: 1, ...content }, null, 2)));
}

/** What was found about pages: their URLs and titles are masked, as in text, unless --unmask is given. */
export function documentPages<T>(terminal: Terminal, found: T): T {
  return terminal.unmask ? found : maskDocument(found);
}

/** What would be fetched, and the URLs that would not be: those are the ones that carry tokens. */
export function documentPlan(terminal: Terminal, plan: FetchPlan): FetchPlan {
  if (terminal.unmask) return plan;
  const masked = (omissions: FetchPlan["skipped"]) =>
    omissions.map((each) => ({ ...each, url: maskSecrets(each.url) }));
  return { ...plan, skipped: masked(plan.skipped), refused: masked(plan.refused) };
}

/** JSON may hold characters that must not reach a terminal, as long as they are escaped there. */
export function escaped(json: string): string {
  return json.replace(
    /[\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
