import { type CollectionOptions, findCollections } from "#src/collections/find-collections.js";
import { describeReplicas } from "#src/collections/replicas.js";
import { trivialFromTable } from "#src/collections/trivial.js";
import { linksFromTable, NONE, type WebPages } from "#src/collections/web-graph.js";
import { columnOf } from "#src/string-column.js";

export function webPages(urls: readonly string[]): WebPages {
  const hosts = new Map<string, number>();
  const site = Uint32Array.from(urls, (url) => {
    const host = new URL(url).host;
    if (!hosts.has(host)) hosts.set(host, hosts.size);
    return hosts.get(host)!;
  });
  return { count: urls.length, site, urls: columnOf(urls) };
}

export interface Page {
  readonly url: string;
  /** Pages with the same number are similar. */
  readonly text: number;
  readonly links: readonly string[];
}

export function webOf(pages: readonly Page[]) {
  const numberOf = new Map(pages.map(({ url }, page) => [url, page]));
  const web = webPages(pages.map(({ url }) => url));
  const rows = pages.flatMap(({ links }, from) => links.map((url) => [from, numberOf.get(url) ?? NONE] as const));
  const { links } = linksFromTable(
    pages.length,
    Uint32Array.from(rows, ([from]) => from),
    Uint32Array.from(rows, ([, to]) => to),
  );
  const trivial = trivialFromTable(
    pages.length,
    Uint32Array.from(pages, ({ text }) => text),
    Uint32Array.from(pages, (_, page) => page),
  );
  return { web, links, trivial, numberOf };
}

/**
 * A web as the paper's figures draw one: "i.a" is a page on host i whose label is a, and pages with equal labels are
 * similar; "i.a#2" is another one with that label on the same host. Links are written "i.a -> i.b ii.c".
 */
export function smallWeb(lines: string) {
  const names: string[] = [];
  const numberOf = new Map<string, number>();
  const page = (name: string) => {
    let number = numberOf.get(name);
    if (number === undefined) {
      number = names.length;
      numberOf.set(name, number);
      names.push(name);
    }
    return number;
  };
  const src: number[] = [];
  const dest: number[] = [];
  for (const line of lines.split("\n")) {
    const [left, right] = line.trim().split("->");
    if (left === undefined || left === "") continue;
    const from = page(left.trim());
    for (const target of right?.trim().split(/\s+/) ?? []) {
      src.push(from);
      dest.push(page(target));
    }
  }
  const labels = new Map<string, number>();
  const rid = Uint32Array.from(names, (name) => {
    const label = name.split(".")[1]!.split("#")[0]!;
    if (!labels.has(label)) labels.set(label, labels.size);
    return labels.get(label)!;
  });
  const web = webPages(
    names.map((name) => `http://${name.split(".")[0]}.test/${name.split(".")[1]!.replace("#", "/")}`),
  );
  const { links, dropped } = linksFromTable(names.length, Uint32Array.from(src), Uint32Array.from(dest));
  const trivial = trivialFromTable(
    names.length,
    rid,
    Uint32Array.from(names, (_, at) => at),
  );
  return { names, numberOf, web, links, dropped, trivial };
}

export type SmallWeb = ReturnType<typeof smallWeb>;

/** Clusters as text, one line each: replicas with the names of their pages, "[i.a i.b] [ii.a ii.b]". */
export function clustersOf(small: SmallWeb, options: CollectionOptions = {}) {
  const collections = findCollections(small.web, small.links, small.trivial, options);
  const { clusters } = collections;
  const replicas = describeReplicas(small.web, small.trivial, collections);
  const text = Array.from({ length: clusters.count }, (_, cluster) => {
    const parts: string[] = [];
    for (let replica = clusters.firstReplica[cluster]!; replica < clusters.firstReplica[cluster + 1]!; replica++) {
      const pages = replicas.pages.pages.subarray(
        replicas.pages.offsets[replica]!,
        replicas.pages.offsets[replica + 1]!,
      );
      parts.push(
        `[${Array.from(pages, (page) => small.names[page]!)
          .sort()
          .join(" ")}]`,
      );
    }
    return parts.sort().join(" ");
  });
  return { text, described: { ...small, collections, replicas } };
}
