import { parameterName, queryParameters } from "../url/parameters.js";
import { hostOf, parseUrl, pathOf } from "../url/parse.js";

/** A sort with fewer URLs is an odd one. */
const LEAST_OF_SORT = 3;
const MOST_SORTS = 60;
const ODD_SORTS = 20;

/**
 * The same URLs with one of each sort first, some of the odd ones among them, then a second of each sort, and so on. A
 * rule that holds for nine tenths of its URLs fails for the rest for a reason, and the reason shows in the URL: another
 * script, another set of parameters. URLs that are `isApart` make sorts of their own. `sorts` is how many draws it takes to
 * have seen one of each.
 */
export function oneOfEachSort(
  urls: readonly string[],
  isApart: (url: string) => boolean,
): { readonly urls: string[]; readonly sorts: number } {
  const sorts = sortsOf(urls, isApart);
  const large = [...sorts.values()].filter((sort) => sort.length >= LEAST_OF_SORT);
  const small = [...sorts.values()].filter((sort) => sort.length < LEAST_OF_SORT);
  const odd = small.slice(0, ODD_SORTS).map(([first]) => first!);
  const ordered = [...large.map(([first]) => first!), ...odd];
  for (let turn = 1; large.some((sort) => turn < sort.length); turn++) {
    for (const sort of large) if (turn < sort.length) ordered.push(sort[turn]!);
  }
  const rest = small.flat().filter((url) => !odd.includes(url));
  return { urls: [...ordered, ...rest], sorts: Math.min(large.length, MOST_SORTS) + odd.length };
}

/** The URLs by sort. */
export function sortsOf(
  urls: readonly string[],
  isApart: (url: string) => boolean = () => false,
): Map<string, string[]> {
  const sorts = new Map<string, string[]>();
  for (const url of urls) {
    const key = `${isApart(url) ? "!" : ""}${sortOf(url)}`;
    const found = sorts.get(key);
    if (found === undefined) sorts.set(key, [url]);
    else found.push(url);
  }
  return sorts;
}

/** Host, first and last name in the path, its depth, and the names of the parameters: what a server distinguishes kinds of pages by. */
export function sortOf(url: string): string {
  const parts = parseUrl(url);
  if (parts === undefined) return "";
  const segments = pathOf(url, parts).split("/").slice(1);
  const last = segments.findLast((segment) => segment !== "") ?? "";
  const names = queryParameters(url, parts).map((parameter) => parameterName(url, parameter));
  const extension = /\.[A-Za-z]+$/.exec(last)?.[0];
  // A name with digits in it, a long one, or a file's without parameters is an item's, not a kind's: only its extension counts.
  const isKind = /^[A-Za-z_.-]{1,16}$/.test(last) && (extension === undefined || names.length > 0);
  const kind = isKind ? last : `*${extension ?? ""}`;
  return [hostOf(url, parts), segments[0], segments.length, kind, ...names.sort()].join(" ");
}
