/** Rules of duplicate-url-discarder: a JSON array of processors with patterns of URLs. */
import type { Scope } from "../../model.js";
import { type Draft, type Drafts, joinDrafts, remove, type Skipped } from "./draft.js";

interface Entry {
  readonly processor?: unknown;
  readonly args?: unknown;
  readonly urlPattern?: { readonly include?: unknown; readonly exclude?: unknown };
}

export function isDiscarderList(document: unknown): document is readonly Entry[] {
  return Array.isArray(document) && document.every((entry) => typeof entry?.processor === "string");
}

export function readDiscarderList(entries: readonly Entry[]): Drafts {
  return joinDrafts(entries.map(readEntry));
}

function readEntry({ processor, args, urlPattern }: Entry): Drafts {
  const includes = texts(urlPattern?.include);
  const skip = (why: string): Drafts => ({
    drafts: [],
    skipped: (includes.length === 0 ? [""] : includes).map((entry) => ({ entry: `${processor} ${entry}`.trim(), why })),
  });
  if (texts(urlPattern?.exclude).length > 0) return skip("it has exceptions");
  const actions = actionsOf(String(processor), texts(args));
  if (actions === undefined) return skip(`${processor} is not a kind of rule here`);
  const drafts: Draft[] = [];
  const skipped: Skipped[] = [];
  for (const include of includes) {
    const scope = scopeOf(include);
    if (scope === undefined)
      skipped.push({ entry: `${processor} ${include}`, why: "its pattern has a wildcard or a query" });
    else drafts.push(...actions.map((action) => ({ action, scope })));
  }
  return { drafts, skipped };
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

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : [];
}
