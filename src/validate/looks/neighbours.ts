/** The URLs of a list that stand nearest to one of them, and name other things: those of one script, or of one folder. */
import { parseUrl, pathOf } from "../../url/parse.js";

/** As many tell whether a page's text is its own. */
const NEIGHBOURS = 12;

export class Neighbours {
  /** By path, and by folder: URLs that differ in the query, or in the path. One more than are asked for: the URL's own. */
  readonly #near = new Map<string, Map<string, string>>();

  /** In the order in which they are to be taken. */
  constructor(urls: readonly string[]) {
    for (const url of urls) {
      const place = placeOf(url);
      if (place === undefined) continue;
      const { path, query, folders } = place;
      this.#add(path, query, url);
      for (const folder of folders) this.#add(folder, path, url);
    }
  }

  /** From the nearest place that has enough of them. */
  of(url: string): string[] {
    const place = placeOf(url);
    if (place === undefined) return [];
    const { path, query, folders } = place;
    // A name with digits in it is one thing's, whatever its parameters are.
    const isScript = query !== "" && !/\d/.test(path.slice(path.lastIndexOf("/")));
    const places = [...(isScript ? [[path, query] as const] : []), ...folders.map((folder) => [folder, path] as const)];
    let nearest: string[] = [];
    for (const [near, own] of places) {
      const others = [...(this.#near.get(near) ?? [])].filter(([name]) => name !== own).map(([, other]) => other);
      nearest = others.slice(0, NEIGHBOURS);
      if (nearest.length === NEIGHBOURS) break;
    }
    return nearest;
  }

  #add(place: string, name: string, url: string): void {
    const near = this.#near.get(place) ?? new Map<string, string>();
    this.#near.set(place, near);
    if (near.size <= NEIGHBOURS && !near.has(name)) near.set(name, url);
  }
}

/** The URL's path and query, and the folders that it lies in, the innermost first. */
function placeOf(url: string): { path: string; query: string; folders: string[] } | undefined {
  const parts = parseUrl(url);
  if (parts === undefined) return undefined;
  const path = pathOf(url, parts);
  const folders: string[] = [];
  for (let at = path.lastIndexOf("/"); at >= 0; at = at === 0 ? -1 : path.lastIndexOf("/", at - 1)) {
    folders.push(path.slice(0, at + 1));
  }
  return { path, query: url.slice(parts.queryStart, parts.queryEnd), folders };
}
