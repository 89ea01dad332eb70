import { createHash } from "node:crypto";
import { mentions, type Step } from "./engine.js";

/**
 * What a finished step is recognised by: its SQL and the digests of the steps that it reads, so that after a change anywhere
 * before it, it is made again. `made` has the digests of the tables so far, inputs included.
 */
export function stepDigest({ name, select }: Step, made: ReadonlyMap<string, string>): string {
  const hash = createHash("sha256").update(name).update("\0").update(select);
  for (const [table, digest] of made) {
    if (table !== name && mentions(select, table)) hash.update(`\0${table}\0${digest}`);
  }
  return hash.digest("hex").slice(0, 32);
}
