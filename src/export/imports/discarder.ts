/** Rules of duplicate-url-discarder: a JSON array of processors with patterns of URLs. */
import type { Scope } from "../../model.js";
import { type Draft, type Found, remove, texts } from "./draft.js";

interface Entry {
  readonly processor?: unknown;
  readonly args?: unknown;
  readonly urlPattern?: { readonly include?: unknown; readonly exclude?: unknown };
}

export function isDiscarderList(document: unknown): document is readonly Entry[] {
  return Array.isArray(document) && document.every((entry) => typeof entry?.processor === "string");
}

export function* readDiscarderList(entries: readonly Entry[]): Found {
  for (const entry of entries) yield* readEntry(entry);
}

function* readEntry({ processor, args, urlPattern }: Entry): Found {
  const includes = texts(urlPattern?.include);
  const actions = actionsOf(String(processor), texts(args));
  const problem =
    texts(urlPattern?.exclude).length > 0
      ? "it has exceptions"
      : actions === undefined
        ? `${processor} is not a kind of rule here`
        : undefined;
  for (const include of problem !== undefined && includes.length === 0 ? [""] : includes) {
    const scope = scopeOf(include);
    const why = problem ?? (scope === undefined ? "its pattern has a wildcard or a query" : undefined);
    if (why !== undefined) yield { entry: `${processor} ${include}`.trim(), why };
    else for (const action of actions!) yield { action, scope: scope! };
  }
}

function actionsOf(processor: string, args: readonly string[]): Draft["action"][] | undefined {
  if (processor === "queryRemoval") return args.map(remove);
  if (processor !== "normalizer") return undefined;
  return [
    { kind: "www", action: "drop" },
    { kind: "trailingSlash", action: "drop" },
  ];
}

/** "" is everywhere, "shop.test" that domain with all hosts below it, "shop.test/a" URLs there that begin so. */
function scopeOf(include: string): Scope | undefined {
  if (include === "") return {};
  const match = /^([^/*?#:]+)(\/[^*?#|]*)?$/.exec(include);
  if (match === null) return undefined;
  return {
    host: `*.${match[1]!.toLowerCase()}`,
    ...(match[2] !== undefined && match[2] !== "/" && { path: match[2] }),
  };
}
