/** What a server's redirect must not do. */
import type { Rule } from "../model.js";
import type { ExportUse } from "./target.js";

/**
 * A server behind one that ends TLS takes every request for http: sent from there to https, a client would come back as
 * http forever.
 */
export function refuseScheme(rule: Rule, use: ExportUse): string | undefined {
  if (use !== "redirect") return undefined;
  const reason = "it changes the scheme: behind a server that ends TLS, that redirect is a loop";
  if (rule.kind === "scheme") return reason;
  if (rule.kind !== "substring") return undefined;
  const scheme = (text: string) => /^(?:https?|)(?![0-9a-z])/i.exec(text)?.[0];
  return scheme(rule.from) === scheme(rule.to) || (!rule.start && scheme(rule.from) === "") ? undefined : reason;
}
