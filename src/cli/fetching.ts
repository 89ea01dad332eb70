/** The flags that say where and how to fetch, read into options. */
import { UserError } from "../errors.js";
import type { FetcherOptions } from "../fetch/fetcher.js";
import { skipReason } from "../fetch/skip-reason.js";
import type { ValidateJobOptions } from "../jobs/validate.js";
import { DEFAULT_SIMILARITY } from "../sketch/similarity.js";
import { withoutCredentials } from "../url/credentials.js";
import { TEXT_SIMILARITY } from "../validate/looks/same-page.js";
import type { Arguments } from "./parse.js";

/** The flags that say where and how to fetch. */
export function fetchOptions(args: Arguments): Omit<FetcherOptions, "signal"> {
  const contact = args.text("contact");
  const allowed = args.texts("allow");
  return {
    // They are kept with what was fetched.
    sites: args.texts("site").map(withoutCredentials),
    resolve: args.texts("resolve"),
    allowPrivate: args.has("allow-private"),
    ...(allowed.length > 0 && { skip: unlessAllowed(allowed) }),
    delayMs: 1000 * args.number("delay")!,
    maxRequests: args.integer("budget", 1)!,
    timeoutMs: 1000 * args.number("timeout", 0.1)!,
    ...(contact !== undefined && { contact }),
  };
}

function unlessAllowed(allowed: readonly string[]) {
  return (url: URL) => (allowed.some((text) => url.href.includes(text)) ? undefined : skipReason(url));
}

/** The flags of `validate`, which `run` has too; offline where no site is named. */
export function validateOptions(args: Arguments, offline: boolean): ValidateJobOptions {
  if (offline && args.texts("site").length > 0) {
    throw new UserError("--offline and --site cannot be given together: one means no network, the other names it");
  }
  const snapshot = args.text("snapshot");
  const plan = args.choice("plan", ["sequential", "paper"])!;
  return {
    plan,
    count: args.integer("count")!,
    epsilon: args.number("epsilon", 0, 1)!,
    seed: args.integer("seed")!,
    similarity: args.text("similarity") ?? (plan === "paper" ? DEFAULT_SIMILARITY : TEXT_SIMILARITY),
    assurance: args.share("assurance")!,
    text: !args.has("no-text"),
    ...(offline ? {} : { fetch: fetchOptions(args) }),
    ...(snapshot !== undefined && { snapshot }),
  };
}
