/**
 * What there is to know about a kind of rules. One entry for each kind: only what writes rules as regular expressions, which
 * browsers do not load, has a line for each kind of its own (export/rewrites/rules.ts), and the compiler misses one that is not there.
 */
import type { RuleAction } from "../../model.js";
import type { UrlParts } from "../../url/parse.js";
import type { Edit } from "../edit.js";
import type { Fields } from "../file/fields.js";
import type { Trigger } from "../trigger.js";
import type { Segment, Shorten } from "../words.js";

/** "ours" skips an occurrence of from that is already inside to; "paper" is thesis figure 5.5 as printed. */
export type CanonPlan = "ours" | "paper";

export type ActionOf<K extends RuleAction["kind"]> = Extract<RuleAction, { kind: K }>;

export interface Problem {
  readonly field: string;
  readonly problem: string;
}

/** A field of the form in which people write a rule. */
export type FormField =
  | { readonly type: "text"; readonly name: string; readonly label: string; readonly hint?: string }
  | { readonly type: "check"; readonly name: string; readonly label: string }
  | {
      readonly type: "choice";
      readonly name: string;
      readonly label: string;
      readonly choices: readonly (readonly [value: string, title: string])[];
    };

export type RuleSubject = "parameters" | "spellings";

export interface RuleKind<A extends RuleAction> {
  /** What such a rule does, for a list of kinds. */
  readonly title: string;
  /** Among rules that merge the same, the one with the lower number is the one that a site's owner would write. */
  readonly precedence: number;
  /** What its rules are about, where people ask for that by name: parameters, or several spellings of one address. */
  readonly about?: RuleSubject;
  /** The action's fields, as the rules file has them. */
  read(fields: Fields): A;
  /** The action alone, its fields in the order of the rules file. */
  plain(action: A): A;
  /** What the rule's id is made of. It never changes, since decisions are kept by the id. */
  content(action: A): readonly (string | boolean | null)[];
  /** What makes the action meaningless or self-contradicting; absent where nothing can. */
  readonly problem?: (action: A) => Problem | undefined;
  /** The URL that the rule makes of this one, or undefined where it changes nothing. */
  apply(action: A, url: string, parts: UrlParts, plan: CanonPlan): string | undefined;
  /** The action in the other direction; absent, or undefined, where there is none. */
  readonly reverse?: (action: A) => A | undefined;
  /** Does it make a URL smaller in the order of `compareByTokens`? Then repeating it ends on every URL. Absent: never. */
  readonly shrinks?: (action: A) => boolean;
  trigger(action: A): Trigger;
  /** The operation that it is in other languages; absent where their runtimes have none, and exports leave it out. */
  readonly edit?: (action: A) => Edit;
  /** A text without which the rule cannot change a URL; "" where there is none. */
  requiredText(action: A): string;
  /** Is every URL that `action` changes changed by `broader` too, to the same end? Both may be the same. */
  isInstance(action: A, broader: A): boolean;
  /** Do the two undo each other, wherever both apply? */
  readonly contradicts?: (a: A, b: A) => boolean;
  words(action: A, shorten: Shorten): readonly Segment[];
  /** A few words for what it changes, the same for all places where it does so. */
  cause(action: A): string;
  /** The action without the secrets that `mask` finds in texts; absent where it has no text of visitors. */
  readonly mask?: (action: A, mask: (text: string) => string) => A;
  readonly form: readonly FormField[];
}
