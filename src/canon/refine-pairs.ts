import { isTokenBoundary, tokenEnd } from "../url/tokenize.js";

/** What refinement looks at: two strings, anchored alike. */
export interface SubstringPair {
  readonly alpha: string;
  readonly beta: string;
  readonly start: boolean;
  readonly end: boolean;
}

/**
 * Does pair `a` refine pair `b`: is every instance of a one of b? By lemma 5.3 (Bar-Yossef, Keidar, Schonfeld 2007) exactly
 * if there is an envelope (g, d) with a.alpha = g b.alpha d and a.beta = g b.beta d, on tokens. A pair stands for both its
 * rules; since the larger string is alpha in both pairs and g and d add the same to both, alpha can only meet alpha.
 * Every occurrence is tried. Each pair refines itself.
 */
export function refines(a: SubstringPair, b: SubstringPair): boolean {
  const contextUnits = a.alpha.length - b.alpha.length;
  if (contextUnits < 0 || a.beta.length - b.beta.length !== contextUnits) return false;
  if ((b.start && !a.start) || (b.end && !a.end)) return false;
  // An anchor that only a has is the outermost token of g or d; one that both have leaves no room on its side.
  const first = b.end ? contextUnits : 0;
  const last = b.start ? 0 : contextUnits;
  for (let at = 0; at <= last; at = at < a.alpha.length ? tokenEnd(a.alpha, at) : at + 1) {
    if (at >= first && a.alpha.startsWith(b.alpha, at) && isEnvelope(a, b, at)) return true;
  }
  return false;
}

/** Are the parts of both strings of `a` before `at` and after b's strings equal, cut at tokens, with b.beta at `at`? */
function isEnvelope(a: SubstringPair, b: SubstringPair, at: number): boolean {
  if (!a.beta.startsWith(b.beta, at) || a.alpha.slice(0, at) !== a.beta.slice(0, at)) return false;
  const alphaEnd = at + b.alpha.length;
  const betaEnd = at + b.beta.length;
  if (a.alpha.slice(alphaEnd) !== a.beta.slice(betaEnd)) return false;
  return (
    isTokenBoundary(a.alpha, at) &&
    isTokenBoundary(a.beta, at) &&
    isTokenBoundary(a.alpha, alphaEnd) &&
    isTokenBoundary(a.beta, betaEnd)
  );
}
