/**
 * What kind of place an IP address is. A crawler that follows other people's URLs must not become a way into the
 * network it runs in, so everything that is not plainly a public unicast address has a name here.
 */
import { isIPv4, isIPv6 } from "node:net";

export type AddressKind =
  | "public"
  | "loopback"
  | "private"
  | "linkLocal"
  | "shared"
  | "multicast"
  | "unspecified"
  | "reserved";

interface Range {
  readonly kind: AddressKind;
  readonly prefix: bigint;
  /** Bits after the prefix. */
  readonly shift: bigint;
}

/** IANA's special-purpose registry for IPv4 (RFC 6890 and later), the more specific range first. */
const ranges4 = ranges(4, [
  ["unspecified", "0.0.0.0/8"],
  ["private", "10.0.0.0/8"],
  ["shared", "100.64.0.0/10"], // carrier-grade NAT, RFC 6598
  ["loopback", "127.0.0.0/8"],
  ["linkLocal", "169.254.0.0/16"], // cloud metadata services live here
  ["private", "172.16.0.0/12"],
  ["reserved", "192.0.0.0/24"],
  ["reserved", "192.0.2.0/24"],
  ["reserved", "192.88.99.0/24"],
  ["private", "192.168.0.0/16"],
  ["reserved", "198.18.0.0/15"],
  ["reserved", "198.51.100.0/24"],
  ["reserved", "203.0.113.0/24"],
  ["multicast", "224.0.0.0/4"],
  ["reserved", "240.0.0.0/4"],
]);

/** For IPv6 the registry is turned round: only 2000::/3 is handed out, and what lies outside is reserved. */
const ranges6 = ranges(6, [
  ["unspecified", "::/128"],
  ["loopback", "::1/128"],
  ["private", "64:ff9b:1::/48"], // NAT64 inside a network, RFC 8215
  ["reserved", "2001::/23"], // Teredo, benchmarking, ORCHID
  ["reserved", "2001:db8::/32"],
  ["reserved", "3fff::/20"],
  ["public", "2000::/3"],
  ["private", "fc00::/7"],
  ["linkLocal", "fe80::/10"],
  ["private", "fec0::/10"],
  ["multicast", "ff00::/8"],
]);

/** IPv6 addresses that stand for an IPv4 address: where its 32 bits are, counted from the right. */
const embedded4 = [
  { range: range(6, "public", "::ffff:0:0/96"), offset: 0n }, // IPv4-mapped
  { range: range(6, "public", "::ffff:0:0:0/96"), offset: 0n }, // IPv4-translated, RFC 2765
  { range: range(6, "public", "64:ff9b::/96"), offset: 0n }, // NAT64, RFC 6052
  { range: range(6, "public", "2002::/16"), offset: 80n }, // 6to4, RFC 3056
  { range: range(6, "public", "::/96"), offset: 0n }, // IPv4-compatible, deprecated; "::" and "::1" come out right too
];

/**
 * The kind of an address as resolvers and sockets write it (also with brackets or a zone). An IPv6 address that stands
 * for an IPv4 address is what that address is. Text that is not an address is "reserved": it is nowhere to go.
 */
export function addressKind(address: string): AddressKind {
  const bare = bareAddress(address);
  if (isIPv4(bare)) return kindIn(ranges4, parse4(bare)) ?? "public";
  if (!isIPv6(bare)) return "reserved";
  const value = parse6(bare);
  if (value <= 1n) return kindIn(ranges6, value)!;
  for (const { range, offset } of embedded4) {
    if (isIn(range, value)) return kindIn(ranges4, (value >> offset) & 0xffff_ffffn) ?? "public";
  }
  return kindIn(ranges6, value) ?? "reserved";
}

/** Without brackets and zone: "[fe80::1%eth0]" -> "fe80::1". */
export function bareAddress(address: string): string {
  return address.replace(/^\[(.*)\]$/, "$1").replace(/%.*$/, "");
}

function kindIn(table: readonly Range[], value: bigint): AddressKind | undefined {
  return table.find((range) => isIn(range, value))?.kind;
}

function isIn(range: Range, value: bigint): boolean {
  return value >> range.shift === range.prefix;
}

function ranges(version: 4 | 6, table: readonly (readonly [AddressKind, string])[]): Range[] {
  return table.map(([kind, cidr]) => range(version, kind, cidr));
}

function range(version: 4 | 6, kind: AddressKind, cidr: string): Range {
  const [address = "", length = ""] = cidr.split("/");
  const shift = BigInt((version === 4 ? 32 : 128) - Number(length));
  return { kind, shift, prefix: (version === 4 ? parse4(address) : parse6(address)) >> shift };
}

/** A dotted quad, as `isIPv4` accepts it. */
function parse4(address: string): bigint {
  return address.split(".").reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

/** As `isIPv6` accepts it, without a zone. */
function parse6(address: string): bigint {
  const dotted = /[0-9.]+$/.exec(address)?.[0] ?? "";
  const groups = dotted.includes(".")
    ? `${address.slice(0, -dotted.length)}${(parse4(dotted) >> 16n).toString(16)}:${(parse4(dotted) & 0xffffn).toString(16)}`
    : address;
  const [head = "", tail] = groups.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => "0");
  return [...left, ...zeros, ...right].reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n);
}
