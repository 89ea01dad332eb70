import { hashText } from "#src/engine/hash.js";

/** Texts with their hashes, as every engine must give them. The numbers were computed once and are never to change. */
const pinned: readonly (readonly [string, string])[] = [
  ["", "21145846239773149"],
  ["abc", "794037764470669337"],
  ["x.test\n^http://x.test/é😀", "457924551130655486"],
];

export const hashVectors = pinned.map(([text, expected]) => {
  if (String(hashText(text)) !== expected) throw new Error(`hashText(${JSON.stringify(text)}) is ${hashText(text)}`);
  return [text, expected] as const;
});
