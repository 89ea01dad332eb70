import { expect, test } from "vitest";
import { formatRulesFile } from "#src/canon/file/write-rules-file.js";
import { holdsSecret } from "#src/canon/mask-rule.js";
import { makeRule } from "./make-rule.js";

const secrets = [
  "http://a.test/x?access_token=8f3a91c0d2",
  "http://a.test/x?password=hunter2hunter",
  "http://a.test/x?api_key=abcdef123456",
  "http://a.test/x?email=ann%40example.com",
  "http://a.test/x?u=ann@example.com",
  "http://a.test/x?jwt=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc",
  "http://a.test/x?sid=5601c567fbb5522e",
  "http://a.test/x?pin=12345678",
  "http://a.test/x?phone=00441234567",
  "http://a.test/x?code=a8f3a91c0",
  "http://a.test/x?ssn=078051120",
  "http://a.test/password/reset/8f3a91c0d2e4",
  "http://a.test/x?whatever=Zk3j9Qm2Lp8Xw4Rt7",
];

test.each(secrets)("a rules file does not hold what a visitor's URL holds: %s", (url) => {
  const pair = { from: url, to: "http://a.test/x" };
  const text = formatRulesFile({
    settings: {},
    rules: [
      {
        ...makeRule({ from: "/b", to: "/c" }),
        example: pair,
        evidence: {
          positive: 1,
          negative: 1,

          similarity: "text",
          redirected: 0,
          canonicalised: 0,
          canonicalConflicts: 0,
          examples: [pair],
          counterExamples: [{ ...pair, why: "404" }],
          checkedAt: "2026-01-01T00:00:00Z",
        },
      },
    ],
  });
  const secret = /[^=/]+$/.exec(url)![0];
  expect(text).not.toContain(secret);
  expect(text).toContain("•••");
});

test("a rule that is somebody's secret is known", () => {
  expect(holdsSecret(makeRule({ from: "?sid=5601c567fbb5522e", to: "?sid=77a1c567fbb5aa01" }))).toBe(true);
  expect(holdsSecret(makeRule({ kind: "parameter", name: "token", action: "set", value: "8f3a91c0d2" }))).toBe(true);
  expect(holdsSecret(makeRule({ from: "/story_", to: "/story?id=" }))).toBe(false);
  expect(holdsSecret(makeRule({ kind: "parameter", name: "sid", action: "remove" }))).toBe(false);
});
