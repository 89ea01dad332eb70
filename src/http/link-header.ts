/** The Link header (RFC 8288), read once from left to right: the canonical URL that an answer names (RFC 6596). */
import { resolveUrl } from "./values.js";

/** The rel=canonical target, absolute and without credentials, or undefined. */
export function canonicalOf(header: string, base: string): string | undefined {
  for (const { target, parameters } of parseLinks(header)) {
    const relations = parameters.get("rel")?.toLowerCase().split(/\s+/) ?? [];
    // A link with an anchor is about a page other than the one that carries it.
    if (relations.includes("canonical") && !parameters.has("anchor")) return resolveUrl(target, base);
  }
  return undefined;
}

interface Link {
  readonly target: string;
  /** By lower-case name; the first of repeated ones, as RFC 8288 says for rel. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** The links up to the first that is malformed. No character is looked at more than a fixed number of times. */
function* parseLinks(header: string): Generator<Link> {
  let at = 0;
  const skip = (characters: string) => {
    while (at < header.length && characters.includes(header[at]!)) at++;
  };
  const takeUntil = (characters: string) => {
    const start = at;
    while (at < header.length && !characters.includes(header[at]!)) at++;
    return header.slice(start, at).trim();
  };
  const takeQuoted = () => {
    const start = ++at;
    while (at < header.length && header[at] !== '"') at += header[at] === "\\" ? 2 : 1;
    const value = header.slice(start, at).replace(/\\(.)/gs, "$1");
    at++;
    return value;
  };

  for (;;) {
    skip(" \t,");
    if (header[at] !== "<") return;
    const end = header.indexOf(">", at);
    if (end < 0) return;
    const target = header.slice(at + 1, end).trim();
    at = end + 1;
    const parameters = new Map<string, string>();
    for (;;) {
      skip(" \t");
      if (header[at] !== ";") break;
      skip(" \t;");
      const name = takeUntil("=;,").toLowerCase();
      let value = "";
      if (header[at] === "=") {
        at++;
        skip(" \t");
        value = header[at] === '"' ? takeQuoted() : takeUntil(";,");
      }
      if (name !== "" && !parameters.has(name)) parameters.set(name, value);
    }
    yield { target, parameters };
  }
}
