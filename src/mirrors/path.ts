/** Paths as mirrors compare them: slash-separated arcs, without query (Fetterly et al. 2004, section 2). */
import { parseUrl, pathOf } from "../url/parse.js";

/** The most arcs of a suffix when mirrors are verified. */
export const MOST_ARCS = 4;

/** The path without query; "/" where there is none. */
export function pathOfUrl(url: string): string {
  const parts = parseUrl(url);
  const path = parts === undefined ? "" : pathOf(url, parts);
  return path === "" ? "/" : path;
}

/**
 * The last `arcs` arcs of a path, or all if it has fewer, without a leading slash. A directory's last arc is its
 * name with the slash: an empty arc would make all directories alike.
 */
export function suffixOf(path: string, arcs: number): string {
  let slash = path.length - 1;
  for (let arc = 0; arc < arcs && slash > 0; arc++) slash = path.lastIndexOf("/", slash - 1);
  return path.slice(Math.max(0, slash) + 1);
}

/** Arcs of a path: "/" has one, which is empty. */
export function countArcs(path: string): number {
  let arcs = 1;
  for (let at = 1; at < path.length - 1; at++) if (path[at] === "/") arcs++;
  return arcs;
}

/** Every directory above a path, from "/" down: "/a/b" gives "/", "/a/"; "/a/" gives "/", "/a/". */
export function directoriesOf(path: string): string[] {
  const directories: string[] = [];
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) directories.push(path.slice(0, at + 1));
  return directories;
}
