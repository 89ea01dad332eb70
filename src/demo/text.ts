/** Text for the example site: readable enough to look at, and the same for the same seed. */

/** A small generator of numbers in [0, 1) (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function pick<T>(random: () => number, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)]!;
}

const subjects =
  "the crew|our editor|a reader from Haifa|the committee|every second visitor|the director|an old friend|the minister|the projectionist|a critic|the opposition|our correspondent|the jury|the archivist|nobody in the hall|the mayor".split(
    "|",
  );
const verbs =
  "remembers|denies|has finally seen|wrote about|would rather forget|keeps comparing|is waiting for|cannot explain|paid for|quietly supports|misquotes|celebrates|postponed|reviewed|doubts|defends".split(
    "|",
  );
const objects =
  "the second reel|a plan for the harbour|the lost footage|the budget of last spring|an interview from the nineties|the long cut|that speech about trains|the new seats|a poster on the wall|the vote on Tuesday|a letter without a sender|the closing scene|every rumour about the sequel|the report on water|the missing chapter|the night bus".split(
    "|",
  );
const endings =
  "before the lights went out|although it rained|with more patience than usual|and nobody laughed|in front of the old station|for the third time this year|while the phones were ringing|without a single note|as the minutes show|on the way to the airport|after a very long lunch|and asked for the money back|in two languages|to the surprise of the neighbours|when the doors opened|because of the noise".split(
    "|",
  );

export function sentence(random: () => number): string {
  const text = `${pick(random, subjects)} ${pick(random, verbs)} ${pick(random, objects)} ${pick(random, endings)}`;
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

export function paragraph(random: () => number, sentences: number): string {
  return Array.from({ length: sentences }, () => sentence(random)).join(" ");
}

export function title(random: () => number): string {
  const words = `${pick(random, objects).replace(/^(the|a|an|that|every) /, "")}, ${pick(random, endings)}`;
  return `${words[0]!.toUpperCase()}${words.slice(1)}`;
}
