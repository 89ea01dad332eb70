/**
 * Canonization in VCL, as Varnish and Fastly both read it. VCL has no loops and forbids recursion, but subroutines may
 * call others: each step of canonization does the next thing, and a few subroutines call it often enough. Whatever a
 * request is given stays in its workspace until the request ends, which is why there are limits.
 */
import type { Rule } from "../model.js";
import { NOT_IN_HOST } from "./redirects.js";
import { ANY_PLACE, placeAfter, placeUpTo, ROUNDS } from "./rewrite-steps.js";
import { type Piece, type RuleRewrites, wholePattern } from "./rewrites/rewrite.js";
import { rewritesOf } from "./rewrites/rules.js";

/** With 16 steps over a URL of 1,500 characters, Varnish's default workspace of 64 kB suffices. */
export const VCL_STEPS = 16;
export const VCL_LENGTH = 1500;

export const VCL_EXPRESSES =
  "all but the order of parameters, letter case and repeated parameters of any name; " +
  `a URL of more than ${VCL_LENGTH} characters, or that needs more than ${VCL_STEPS} steps, keeps its own key`;

export const VCL_NO_TABLE = "VCL has none without a module";

const CANONICAL = "req.http.X-Canonical-URL";
const ASKED = "req.http.X-Asked-URL";
const BEFORE = "req.http.X-Dustpan-Before";
/** How many rules are done in this round, one "!" for each round; absent when it is settled. */
const PLACE = "req.http.X-Dustpan-Place";

export function refuseInVcl(rule: Rule): string | undefined {
  const rewrites = rewritesOf(rule);
  if (typeof rewrites === "string") return rewrites;
  const texts = rewrites.rewrites.flatMap(({ replacement }) =>
    replacement.filter((piece) => typeof piece === "string"),
  );
  if (texts.some((text) => text.includes("\\"))) return "VCL cannot write a backslash";
  return JSON.stringify(rule).includes('\\"}') ? `VCL cannot write "}` : undefined;
}

/** Subroutines, of which `dustpan` is the one to call: it sets X-Canonical-URL. `isSecure` is true of requests that came by https. */
export function canonicalInVcl(rules: readonly Rule[], isSecure: string): string {
  const rewrites = rules.map(rewritesOf).filter((each) => typeof each !== "string");
  const branches = [...rewrites.flatMap(branchesOf), ...endOfRound()];
  return `# The next step of canonization: of the first rule that has something to do, or of the round.
sub dustpan_step {
  ${branches.map(([condition, body]) => `if (${condition}) {\n${body.map((line) => `    ${line}\n`).join("")}  }`).join(" else")}
}

sub dustpan_steps {
  if (${PLACE}) { call dustpan_step; }
  if (${PLACE}) { call dustpan_step; }
  if (${PLACE}) { call dustpan_step; }
  if (${PLACE}) { call dustpan_step; }
}

# Sets X-Canonical-URL, and X-Asked-URL: what was asked for.
sub dustpan {
  set ${ASKED} = "http://" + std.tolower(req.http.Host) + req.url;
  if (${isSecure}) {
    set ${ASKED} = regsub(${ASKED}, "^http://([^/]*?)(:443)?/", "https://\\1/");
  } else {
    set ${ASKED} = regsub(${ASKED}, "^http://([^/]*):80/", "http://\\1/");
  }
  set ${CANONICAL} = ${ASKED};
  if (req.url !~ "^/" || req.http.Host ~ "[${NOT_IN_HOST}]") {
    # No URL: it gets a key that no URL has.
    set ${CANONICAL} = ${ASKED} + " " + req.url;
  } else if (${ASKED} !~ "^.{${VCL_LENGTH + 1}}") {
    set ${BEFORE} = ${ASKED};
    set ${PLACE} = "!";
${"    call dustpan_steps;\n".repeat(VCL_STEPS / 4)}    if (${PLACE}) { set ${CANONICAL} = ${ASKED}; }
    unset ${PLACE};
    unset ${BEFORE};
  }
}
`;
}

type Branch = readonly [condition: string, body: readonly string[]];

function branchesOf({ rewrites, isOnce }: RuleRewrites, number: number): Branch[] {
  const behind = placeAfter(isOnce ? number + 1 : number);
  return rewrites.map((rewrite): Branch => {
    const pattern = quote(wholePattern(rewrite, "$"));
    return [
      `${PLACE} ~ "^${placeUpTo(number)}!" && ${CANONICAL} ~ ${pattern}`,
      [
        `set ${CANONICAL} = regsub(${CANONICAL}, ${pattern}, ${replacementOf(rewrite.replacement)});`,
        `set ${PLACE} = regsub(${PLACE}, "^${ANY_PLACE}", "${behind}");`,
      ],
    ];
  });
}

function endOfRound(): Branch[] {
  return [
    [`${CANONICAL} == ${BEFORE}`, [`unset ${PLACE};`]],
    [
      `${PLACE} !~ "!{${ROUNDS}}"`,
      [`set ${BEFORE} = ${CANONICAL};`, `set ${PLACE} = regsub(${PLACE}, "^${ANY_PLACE}(!+)$", "\\1!");`],
    ],
  ];
}

function replacementOf(pieces: readonly Piece[]): string {
  return quote(pieces.map((piece) => (typeof piece === "number" ? `\\${piece}` : piece)).join(""));
}

/** A long string: nothing in it is read in another way. */
function quote(text: string): string {
  return `{"${text}"}`;
}
