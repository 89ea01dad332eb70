/** "www." before a host. */
import { lowerAscii } from "../../url/normalize.js";
import { OTHER_HOST, WWW_HOST } from "../constants.js";
import { addOrDropField, addOrDropProblem, readAddOrDrop, turned } from "./add-or-drop.js";
import type { ActionOf, RuleKind } from "./kind.js";

const PREFIX = "www.";

export const www: RuleKind<ActionOf<"www">> = {
  title: '"www." before the host',
  precedence: 3,
  about: "spellings",
  read: (fields) => ({ kind: "www", action: readAddOrDrop(fields) }),
  plain: ({ kind, action }) => ({ kind, action }),
  content: ({ kind, action }) => [kind, action],
  problem: addOrDropProblem,
  apply({ action }, url, { hostStart, hostEnd }) {
    if (!isDomain(url, hostStart, hostEnd)) return undefined;
    const hasPrefix = lowerAscii(url.slice(hostStart, hostStart + PREFIX.length)) === PREFIX;
    if (action === "add") return hasPrefix ? undefined : `${url.slice(0, hostStart)}${PREFIX}${url.slice(hostStart)}`;
    // What is left must be a name that can be asked for, without one more "www.", which nobody would expect there.
    const rest = hostStart + PREFIX.length;
    if (!hasPrefix || !isDomain(url, rest, hostEnd)) return undefined;
    if (lowerAscii(url.slice(rest, rest + PREFIX.length)) === PREFIX) return undefined;
    return url.slice(0, hostStart) + url.slice(rest);
  },
  reverse: turned,
  // A literal is found in one letter case only, and hosts are read in any.
  trigger: ({ action }) => ({ shape: action === "drop" ? WWW_HOST : OTHER_HOST }),
  edit: ({ action }) => ({ operation: `${action}-www` }),
  requiredText: ({ action }) => (action === "drop" ? "." : ""),
  isInstance: (action, broader) => action.action === broader.action,
  contradicts: (a, b) => a.action !== b.action,
  words: ({ action }) => [
    { text: `${action} `, as: "quiet" },
    { text: PREFIX, as: action === "drop" ? "removed" : "added" },
    { text: " before the host", as: "quiet" },
  ],
  cause: () => "www.",
  form: [addOrDropField],
};

/** A name with a dot in it that is not an address: "www.localhost" and "www.10.0.0.1" are nobody's. */
function isDomain(url: string, start: number, end: number): boolean {
  const host = url.slice(start, end);
  return host.includes(".") && !/^[\d.]*$|^\.|[[:]/.test(host);
}
