/** URLs as they stand in pages, logs and mails, before safe normalization: every part of one in spellings that are read in several ways. */
import { readFileSync } from "node:fs";
import { randomNumbers } from "#src/demo/text.js";
import { randomUrls } from "./random-urls.js";

const SCHEMES = [
  "http://",
  "https://",
  "HTTP://",
  "hTTps://",
  "http:/",
  "http:",
  "https:///",
  "ftp://",
  "//",
  "/",
  "",
  " http://",
  "http ://",
];
const USERS = ["u@", "u:p@", "u:p@q@", "@", ":@", "A@", "u%41:@", "http://a@", "u/@", "u?@", "u#@", "\\@", "é@"];
const HOSTS = [
  ..."forum.test|FORUM.Test|www.forum.test|WWW.Forum.TEST|www.www.forum.test|forum.test.|.forum.test|..|-|a_b.test|xn--bcher-kva.test|localhost|".split(
    "|",
  ),
  ..."BÜCHER.test|bücher.test|İ.test|K.test|ſ.test|日本.test|a%2Eb.test|a b.test|a\tb|a<b|a\\b|a^b|a|b|[::1]|[2001:DB8::1]|[::FFFF:1.2.3.4]|[::1|::1]|[]|[:]|[z]|[::1]x".split(
    "|",
  ),
  ..."127.0.0.1|1.2.3|0x7f.1|256.256.256.256|WWW.|www.|www|wWw.a.b|xn--|*|*.forum.test|a\u007fb|a\u0000b|😀.test".split(
    "|",
  ),
];
const PORTS = [
  "",
  ":",
  ":80",
  ":443",
  ":080",
  ":00443",
  ":8080",
  ":0",
  ":65535",
  ":65536",
  ":99999999999999999999",
  ":8a",
  ":-1",
  ":+80",
  ": 80",
  ":80:80",
  ":٣",
];
const PATHS = [
  ..."|/|//|/.|/..|/./|/../|/a/.|/a/..|/a/./b|/a/../b|/../../a|/a//../b|/a/...|/.a/..b|/%2e/|/%2E%2e/a|/a/%2e%2e|/a/b/../../../c|/;a/../b|/a;x=1/..|/..;/a".split(
    "|",
  ),
  ..."/%7e%7E%zz%|/%|/%4|/%c3%a9%C3%A9|/é|/%e9|/a%2fb|/a b|/a\\..\\b|/story?id=7&sid=1|/Story/|/:80/|/@/|/a:b@c/|/\ud83d\ude00".split(
    "|",
  ),
];
const QUERIES = [
  "",
  "?",
  "?sid=1",
  "?a=%aa%AA",
  "?../..",
  "?a/../b",
  "?#",
  "??",
  "?a#b",
  "?a=1&sid=2;sid=3&amp;sid=4",
  "?%73id=1",
  "?a=é",
  "?a= b",
];
const FRAGMENTS = ["", "", "", "#", "#a", "#?sid=1", "#/../a", "##", "#!/x?sid=2"];

/** Each once; no line ends, with which a filter would read two of them. */
export function rawUrls(count: number, seed: number): string[] {
  const random = randomNumbers(seed);
  const oneOf = (list: readonly string[]): string => list[Math.floor(random() * list.length)]!;
  const chance = (share: number) => random() < share;
  const url = () =>
    [
      chance(0.7) ? "http://" : oneOf(SCHEMES),
      chance(0.15) ? oneOf(USERS) : "",
      chance(0.4) ? "forum.test" : oneOf(HOSTS),
      chance(0.3) ? oneOf(PORTS) : "",
      oneOf(PATHS),
      chance(0.3) ? oneOf(PATHS) : "",
      oneOf(QUERIES),
      oneOf(FRAGMENTS),
    ].join("");
  const shared = ["normalize", "parse"].flatMap((name) => {
    const cases: unknown[] = JSON.parse(readFileSync(new URL(`../url/${name}.cases.json`, import.meta.url), "utf8"));
    return JSON.stringify(cases)
      .match(/"(?:[^"\\]|\\.)*"/g)!
      .map((text) => JSON.parse(text) as string);
  });
  const all = [...shared, ...Array.from({ length: count }, url), ...randomUrls(count, seed)];
  return [...new Set(all)].filter((text) => text !== "" && !/[\r\n\p{Surrogate}]/u.test(text));
}
