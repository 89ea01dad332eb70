import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { AliasTable } from "#src/canon/aliases.js";
import { readAliasTable } from "#src/jobs/canon/read-aliases.js";

const folder = mkdtempSync(path.join(tmpdir(), "dustpan-aliases-"));
afterAll(() => rmSync(folder, { recursive: true }));

const nowMs = Date.UTC(2026, 10, 16);
const head = '{"format":"dustpan-aliases","version":1,"maxAgeDays":90}\n';
/** All in pieces that cut lines, and none of them short. */
const options = { shortFileBytes: 0, pieceBytes: 100 };

const url = fc.oneof(
  fc.constantFrom("", "/a", "/a\r", "http://a.test/é?p=12345", "0123456789abcdef", "0123456789abcdef0123456789abcdef"),
  fc.string({ unit: fc.constantFrom("a", "é", "\u0001", " ", "/"), maxLength: 70 }),
);
const seconds = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom("1794787200", `${nowMs / 1000}`) },
  { weight: 2, arbitrary: fc.constantFrom("0", "7") },
);
const rest = fc.constantFrom("\tredirect", "", "\tredirect\tmore\t", "\tcontent\r");
const line = fc.tuple(url, url, seconds, rest).map(([from, to, seen, tail]) => `${from}\t${to}\t${seen}${tail}`);
const damaged = fc.constantFrom("", "/a", "/a\t/b", "/a\t/b\t", "/a\t/b\tsoon", "/a\t/b\t1x\tredirect");

it("a long file is read into the table that a short one gives, or fails in the same place", async () => {
  const seen = { inKernel: 0, failed: 0, pairs: 0, expired: 0, repeated: 0 };
  const file = path.join(folder, "aliases");
  const oneOf = fc.oneof({ weight: 60, arbitrary: line }, { weight: 1, arbitrary: damaged });
  await fc.assert(
    fc.asyncProperty(fc.array(oneOf, { maxLength: 60 }), fc.boolean(), async (lines, hasEnd) => {
      const bytes = Buffer.from(`${head}${lines.join("\n")}${hasEnd && lines.length > 0 ? "\n" : ""}`);
      writeFileSync(file, bytes);
      let expected: AliasTable | undefined;
      let problem = "";
      try {
        expected = AliasTable.read(bytes, nowMs, file);
      } catch (error) {
        problem = (error as Error).message;
      }
      if (expected === undefined) {
        seen.failed++;
        await expect(readAliasTable(file, nowMs, options)).rejects.toThrow(problem);
        return;
      }
      const { parts } = await readAliasTable(file, nowMs, options);
      // The other way takes memory for each.
      if (parts.slots.buffer === parts.places.buffer) seen.inKernel++;
      seen.pairs += parts.count;
      seen.expired += parts.expired;
      seen.repeated += parts.count - parts.slots.filter((cell, i) => i % 2 === 0 && cell !== 0).length;
      for (const key of ["count", "expired", "maxAgeDays"] as const) expect(parts[key]).toBe(expected.parts[key]);
      for (const key of ["bytes", "places", "slots", "filter"] as const) {
        expect(Buffer.compare(viewOf(parts[key]), viewOf(expected.parts[key])), key).toBe(0);
      }
    }),
    { numRuns: 300 },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(10);
});

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array | Uint32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
