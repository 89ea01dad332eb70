import { describe, expect, it } from "vitest";
import { isMixed, looksRandom } from "#src/url/random.js";

describe("text that no person wrote", () => {
  it("is long, and letters are mixed with digits", () => {
    for (const key of [
      "d41d8cd98f00b204e9800998ecf8427e",
      "A1b2C3d4E5f6G7h8",
      "bfafced83019855616",
      "q8Zr-2bX_9fLw.71cT",
    ]) {
      expect(looksRandom(key, 3), key).toBe(true);
    }
    for (const text of ["international", "replicated-collections-of-pages", "1234567890123456", "a1b2c3d4e5f6g7"]) {
      expect(looksRandom(text, 3), text).toBe(false);
    }
  });

  it("may have one run of digits where a name says that it is a key", () => {
    expect(looksRandom("annual-report-2019", 1)).toBe(true);
    expect(looksRandom("annual-report-2019", 3)).toBe(false);
  });

  it("may have no digit, if its letters change their case all the time", () => {
    expect(isMixed("kQzTrWmBvXhLpNcA")).toBe(true);
    expect(looksRandom("kQzTrWmBvXhLpNcA", 3)).toBe(true);
    for (const key of [
      "UCdWWhMPNVGrgySFJfCYZsEw",
      "UCcLlN7fMTWKiURCCLQKiaeg",
      "uht8LlhTqZGekhju",
      "TNxodlv8QRRu5dzW",
    ]) {
      expect(looksRandom(key, 3), key).toBe(true);
    }
    for (const name of ["ReplicatedCollections", "IFoundAWorldSoNew", "2FGreatPlaceToWork", "findSimilarPagesBySql"]) {
      expect(isMixed(name), name).toBe(false);
    }
    expect(isMixed("KQZTRWMBVXHLPNCA")).toBe(false);
  });

  it("has no character that keys are not written in", () => {
    expect(looksRandom("A1b2 C3d4 E5f6 G7h8", 3)).toBe(false);
    expect(looksRandom("A1b2%20C3d4E5f6G7h8", 3)).toBe(false);
  });
});
