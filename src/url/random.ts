/** Text that no person wrote: keys, digests, session ids. */

/** A shorter text is a word or a number, whatever is in it. */
const MIN_RANDOM_LENGTH = 16;

/**
 * When text is cut into words as in "ReplicatedCollections", random letters of both cases make far shorter words than
 * people do.
 */
const MIN_WORD_LENGTH = 2.75;

/**
 * Long, of the characters that keys are written in, letters mixed with digits. `digitRuns` is how many runs of digits
 * it must have: a word with a number has one, which is enough where a name says "key" already; keys nearly always have
 * three. No word of hexadecimal digits is so long: one run is enough there, too.
 */
export function looksRandom(text: string, digitRuns: number): boolean {
  if (text.length < MIN_RANDOM_LENGTH || !/^[\w+/=.~-]+$/.test(text) || !/[a-z]/i.test(text)) return false;
  const runs = text.match(/\d+/g)?.length ?? 0;
  return runs >= digitRuns || (runs > 0 && /^[\da-f]+$/i.test(text)) || isMixed(text);
}

/** Letters of both cases in no order that a person would write: "kQzTrWmBvXhLpNcA" has no digit at all. */
export function isMixed(text: string): boolean {
  const words = text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? [];
  const length = words.reduce((sum, word) => sum + word.length, 0);
  return /[a-z]/.test(text) && /[A-Z]/.test(text) && length / words.length < MIN_WORD_LENGTH;
}
