/** What a target of `dustpan export` is: a program or format that rules are written for. */
import type { SeenAlias } from "../canon/aliases.js";
import type { Rule } from "../model.js";

/** One URL whose page is another one's, after the rules. */
export type SingleAlias = Pick<SeenAlias, "from" | "to">;

/** "key": the canonical URL only identifies duplicates, which is always safe; "redirect": clients are sent there. */
export const exportUses = ["key", "redirect"] as const;
export type ExportUse = (typeof exportUses)[number];

/**
 * One file in targets/ or servers/ each. What a target cannot say exactly as canonization means it, it refuses: boundaries of
 * tokens, the first occurrence, scopes, the order of rules and their repetition until nothing changes.
 */
export interface Target {
  /** What --to takes. */
  readonly name: string;
  /** The program and the form, for people: "nginx: the cache key, or redirects". */
  readonly title: string;
  /** What it can say, in a sentence or two for --list. */
  readonly expresses: string;
  /** The first is the default. */
  readonly uses: readonly ExportUse[];
  /** What the file is called where people put it, such as "dustpan.conf". */
  readonly file: string;
  /** The URLs that it reads as canonization does, if these are not all: for the notes, and as a test. */
  readonly covers?: { readonly words: string; readonly test: (url: string) => boolean };
  /**
   * Why the rule cannot be said exactly, in a list after the rules that were taken before it; undefined where it can.
   * A kind of rule that the target does not know is refused.
   */
  readonly refuse: (rule: Rule, taken: readonly Rule[], use: ExportUse) => string | undefined;
  /** Why it has no table for single URLs, if it has none: aliases are written only for targets that have one. */
  readonly noTable?: string;
  /** Why a pair cannot stand in the table exactly; undefined where it can. Without this, all can. */
  readonly refuseAlias?: (alias: SingleAlias) => string | undefined;
  /** The file's text. It begins with the notes, as comments, where the format has any. */
  readonly write: (
    rules: readonly Rule[],
    notes: readonly string[],
    use: ExportUse,
    aliases: readonly SingleAlias[],
  ) => string;
}

/** Notes as a block of comments: each line after the mark. Line ends inside a note would end the comment. */
export function commented(mark: string, notes: readonly string[]): string {
  return notes.map((note) => `${mark} ${oneLine(note)}`.trimEnd()).join("\n");
}

/** Short enough for a comment line to fit into the buffer of 4,096 bytes with which nginx reads its configuration. */
const MAX_COMMENT_CHARS = 1000;

/** Text from rules, which may hold anything, made fit for one line of a comment, whatever the language. */
export function oneLine(text: string): string {
  const short = text.length > MAX_COMMENT_CHARS ? `${text.slice(0, MAX_COMMENT_CHARS)}...` : text;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these would end a line, or hide it
  const visible = short.replace(/[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g, "\ufffd");
  return visible.replaceAll("*/", "* /").replaceAll("\\u", "\\ u");
}
