import { lookup } from "node:dns/promises";
import { isIPv6 } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createAccess } from "#src/fetch/access.js";
import { type AddressKind, addressKind } from "#src/fetch/address.js";
import { requestUrl } from "#src/url/request-url.js";

describe("addressKind", () => {
  const cases: [AddressKind, string[]][] = [
    [
      "public",
      ["1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0"],
    ],
    [
      "public",
      ["169.253.255.255", "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0", "223.255.255.255"],
    ],
    ["loopback", ["127.0.0.1", "127.255.255.255", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1", "::127.0.0.1"]],
    [
      "private",
      ["10.0.0.0", "10.255.255.255", "172.16.0.0", "172.31.255.255", "192.168.0.1", "fc00::1", "fdff::", "fec0::1"],
    ],
    ["shared", ["100.64.0.0", "100.127.255.255"]],
    ["linkLocal", ["169.254.169.254", "fe80::1", "febf::1", "fe80::1%eth0", "[fe80::1%25eth0]", "::ffff:a9fe:a9fe"]],
    ["multicast", ["224.0.0.1", "239.255.255.255", "ff02::1"]],
    ["unspecified", ["0.0.0.0", "0.1.2.3", "::", "::ffff:0.0.0.0"]],
    [
      "reserved",
      ["192.0.2.1", "198.19.0.1", "203.0.113.9", "240.0.0.1", "255.255.255.255", "2001:db8::1", "2001::1", "4000::1"],
    ],
    ["reserved", ["", "forum.test", "127.1", "0x7f000001", "1.2.3.4.5"]],
    ["public", ["2606:4700::1111", "2a00::1", "::ffff:1.1.1.1", "64:ff9b::101:101", "2002:101:101::1"]],
    ["private", ["64:ff9b::10.0.0.1", "64:ff9b:1::1.1.1.1", "2002:a00:1::", "::ffff:0:192.168.0.1"]],
    ["loopback", ["2002:7f00:1::1", "64:ff9b::7f00:1"]],
  ];
  test.each(cases.flatMap(([kind, addresses]) => addresses.map((address) => [address, kind])))(
    "%s is %s",
    (address, kind) => {
      expect(addressKind(address)).toBe(kind);
    },
  );
});

/** Four bytes of an address that must not be asked, among them those at the edges of their ranges. */
const privateBytes = fc
  .oneof(
    fc.tuple(fc.constantFrom(0, 10, 127), fc.nat(255), fc.nat(255), fc.nat(255)),
    fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), fc.nat(255), fc.nat(255)),
    fc.tuple(fc.constant(192), fc.constant(168), fc.nat(255), fc.nat(255)),
    fc.tuple(fc.constant(169), fc.constant(254), fc.nat(255), fc.nat(255)),
    fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), fc.nat(255), fc.nat(255)),
    fc.tuple(fc.integer({ min: 224, max: 255 }), fc.nat(255), fc.nat(255), fc.nat(255)),
  )
  .map((bytes) => bytes as number[]);

/** A number as C's inet_aton reads it: decimal, octal or hexadecimal, with leading zeros and in either case. */
const spelledNumber = (value: number) =>
  fc.tuple(fc.constantFrom(10, 8, 16), fc.nat(3), fc.boolean()).map(([base, zeros, upper]) => {
    const digits = base === 10 ? String(value) : (base === 8 ? "0" : "0x") + "0".repeat(zeros) + value.toString(base);
    return upper ? digits.toUpperCase() : digits;
  });

/** The last part takes all remaining bytes: "127.1", "0x7f000001". */
const spelled4 = (bytes: readonly number[]) =>
  fc.integer({ min: 1, max: 4 }).chain((count) => {
    const parts = bytes.slice(0, count - 1);
    const rest = bytes.slice(count - 1).reduce((value, byte) => value * 256 + byte, 0);
    return fc
      .tuple(fc.tuple(...[...parts, rest].map(spelledNumber)), fc.constantFrom("", "."))
      .map(([numbers, dot]) => numbers.join(".") + dot);
  });

/** What the URL standard maps to ASCII: full-width digits and stops, percent-encoding. */
const disguised = (text: string) =>
  fc
    .array(fc.constantFrom("plain", "wide", "percent"), { minLength: text.length, maxLength: text.length })
    .map((styles) =>
      [...text]
        .map((character, i) => {
          const code = character.charCodeAt(0);
          if (styles[i] === "percent") return `%${code.toString(16).padStart(2, "0")}`;
          return styles[i] === "wide" ? String.fromCharCode(code + 0xfee0) : character;
        })
        .join(""),
    );

const spelled6 = (bytes: readonly number[]) => {
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  const high = ((a << 8) | b).toString(16);
  const low = ((c << 8) | d).toString(16);
  return fc
    .constantFrom(
      `::ffff:${bytes.join(".")}`,
      `::ffff:${high}:${low}`,
      `0:0:0:0:0:FFFF:${high}:${low}`,
      `0000:0000:0000:0000:0000:ffff:${bytes.join(".")}`,
      `64:ff9b::${bytes.join(".")}`,
      `2002:${high}:${low}::1`,
      `::${bytes.join(".")}`,
      `::ffff:0:${high}:${low}`,
    )
    .map((address) => `[${address}]`);
};

// Everything is a site here, so that only the address can be the reason.
const everywhere = (host: string) => createAccess({ sites: [`*.${host}`] }, async () => []);

test("a private address is refused in every spelling that a URL allows", () => {
  const hosts = privateBytes.chain((bytes) =>
    fc.oneof(spelled4(bytes), spelled4(bytes).chain(disguised), spelled6(bytes)).map((host) => ({ host, bytes })),
  );
  let checked = 0;
  fc.assert(
    fc.property(hosts, ({ host, bytes }) => {
      const url = requestUrl(`http://${host}/`)!;
      // The standard's parser reads these spellings as inet_aton does: this is the address a connection would go to.
      if (!host.startsWith("[")) expect(url.hostname).toBe(bytes.join("."));
      else expect(isIPv6(url.hostname.slice(1, -1))).toBe(true);
      expect(everywhere(url.hostname).refusal(url)).toMatch(/^address /);
      checked++;
    }),
    { numRuns: 2000 },
  );
  expect(checked).toBe(2000);
});

test("the URL standard reads numbers as the resolver does", async () => {
  await fc.assert(
    fc.asyncProperty(privateBytes.chain(spelled4), async (host) => {
      // With a final dot the resolver would ask DNS for it.
      const bare = host.replace(/\.$/, "");
      expect((await lookup(bare)).address).toBe(requestUrl(`http://${bare}/`)!.hostname);
    }),
    { numRuns: 200 },
  );
});

test("a public address is not refused", () => {
  fc.assert(
    fc.property(fc.constantFrom([1, 1, 1, 1], [93, 184, 216, 34], [8, 8, 4, 4]).chain(spelled4), (host) => {
      const url = requestUrl(`http://${host}/`)!;
      expect(everywhere(url.hostname).refusal(url)).toBeUndefined();
    }),
  );
});

test("an IPv6 address is read the same in every spelling", () => {
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      const standard = requestUrl(`http://[${address}]/`)!.hostname;
      expect(addressKind(standard)).toBe(addressKind(address));
    }),
    { numRuns: 1000 },
  );
});
