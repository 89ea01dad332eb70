/** ClearURLs' list of providers: names of parameters and patterns of URLs, all of them regular expressions. */
import type { Scope } from "../../model.js";
import { scopeOfPattern } from "../url-pattern.js";
import { type Found, remove, texts } from "./draft.js";
import { expandPattern } from "./expand-pattern.js";

interface Provider {
  readonly urlPattern?: unknown;
  readonly rules?: unknown;
  readonly rawRules?: unknown;
  readonly referralMarketing?: unknown;
  readonly exceptions?: unknown;
}

interface ProviderList {
  readonly providers: Readonly<Record<string, Provider | null>>;
}

export function isProviderList(document: unknown): document is ProviderList {
  const providers = (document as Partial<ProviderList> | null)?.providers;
  return typeof providers === "object" && providers !== null;
}

export function* readProviderList({ providers }: ProviderList): Found {
  for (const [name, provider] of Object.entries(providers)) yield* readProvider(name, provider ?? {});
}

function* readProvider(
  provider: string,
  { urlPattern, rules, rawRules, referralMarketing, exceptions }: Provider,
): Found {
  const scopes = scopesOf(String(urlPattern ?? ""));
  const names = [...texts(rules), ...texts(referralMarketing)];
  for (const raw of texts(rawRules)) {
    yield { entry: `${provider}: ${raw}`, why: "a pattern on the whole URL is not a kind of rule here" };
  }
  const note = texts(exceptions).length > 0 ? { note: `ClearURLs has exceptions to it (${provider})` } : {};
  for (const pattern of names) {
    const expanded = expandPattern(literalIfExported(pattern));
    const entry = `${provider}: ${pattern}`;
    if (scopes === undefined) yield { entry, why: "its URLs are not a host with a path" };
    else if (expanded === undefined) yield { entry, why: "it matches too many names" };
    else for (const name of expanded) for (const scope of scopes) yield { action: remove(name), scope, ...note };
  }
}

/** "(?-i:sid)", as exports write a name whose case matters. */
function literalIfExported(pattern: string): string {
  return /^\(\?-i:(.*)\)$/s.exec(pattern)?.[1] ?? pattern;
}

const belowPath = ["(?:[a-z0-9-]+\\.)*?", "(?:[a-z0-9-]+\\.)*", "(?:[^/?#:]*\\.)?"];

/** ".*" is everywhere; otherwise a host, or one with all below it, and how the path begins. */
function scopesOf(pattern: string): Scope[] | undefined {
  if (pattern === ".*") return [{}];
  const own = scopeOfPattern(literalIfExported(pattern));
  if (own !== undefined) return [own];
  const rest = /^\^https\?:(?:\\\/\\\/|\/\/)(.*)$/s.exec(pattern)?.[1]?.replaceAll("\\/", "/");
  if (rest === undefined) return undefined;
  const below = belowPath.find((prefix) => rest.startsWith(prefix));
  const address = below === undefined ? rest : rest.slice(below.length);
  const [hosts, ...path] = address.split("/");
  const expanded = expandPattern(hosts!.replace(/(?<!\\)\./g, "\\."));
  const paths = path.length === 0 ? [""] : expandPattern(literalIfExported(path.join("/")));
  if (expanded === undefined || paths === undefined) return undefined;
  return expanded.flatMap((host) =>
    paths.map((each) => ({
      host: `${below === undefined ? "" : "*."}${host.toLowerCase()}`,
      ...(each !== "" && { path: `/${each}` }),
    })),
  );
}
