/** Text that no person wrote: keys, digests, session ids. */

/** So short a text is a word or a number, whatever is in it. */
const MIN_RANDOM_LENGTH = 16;

/** Random letters of both cases and digits change between these three at nearly every character, words do not. */
const MAX_RUN_LENGTH = 2;

/**
 * Long, of the characters that keys are written in, letters mixed with digits. `digitRuns` is how well: a word with a number
 * has one run of digits, which is enough where a name says "key" already; keys themselves nearly always have three. In
 * hexadecimal digits no word is so long: one run is enough there, too.
 */
export function looksRandom(text: string, digitRuns: number): boolean {
  if (text.length < MIN_RANDOM_LENGTH || !/^[\w+/=.~-]+$/.test(text) || !/[a-z]/i.test(text)) return false;
  const runs = text.match(/\d+/g)?.length ?? 0;
  return runs >= digitRuns || (runs > 0 && /^[\da-f]+$/i.test(text)) || isMixed(text);
}

/** Letters of both cases in no order that a person would write: "kQzTrWmBvXhLpNcA" has no digit at all. */
export function isMixed(text: string): boolean {
  const runs = text.match(/[a-z]+|[A-Z]+|\d+/g) ?? [];
  const length = runs.reduce((sum, run) => sum + run.length, 0);
  return /[a-z]/.test(text) && /[A-Z]/.test(text) && length / runs.length < MAX_RUN_LENGTH;
}
