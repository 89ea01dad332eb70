import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileLogFormat } from "#src/input/logs/log-format.js";
import { read, rows } from "../reading.js";

const explain = (format: string, line: string) => compileLogFormat(format).explain(Buffer.from(line, "latin1"));

describe("format strings", () => {
  it("of Apache, as in the configuration", () => {
    const format = String.raw`LogFormat "%{X-Forwarded-For}i %v:%p [%{%Y-%m-%d %H:%M:%S}t] \"%m %U%q\" %>s %B %D \"%{User-agent}i\"" mine`;
    const line = '192.0.2.1, 10.0.0.1 shop.test:80 [2021-03-05 08:09:10] "GET /a?b=1" 200 12 331 "curl/8"';
    expect(explain(format, line)).toMatchObject({ host: "shop.test", port: "80", pathquery: "/a?b=1", size: "12" });
  });

  it("of nginx, as in the configuration", () => {
    const format = `log_format main escape=json '$remote_addr - $remote_user [$time_local] '
      '"$request_method $scheme://$host$request_uri" $status $body_bytes_sent '
      '"$http_user_agent" rt=$request_time';`;
    const line = '192.0.2.1 - - [05/Mar/2021:08:09:10 +0000] "GET https://shop.test/a?b" 200 12 "curl/8" rt=0.1';
    expect(explain(format, line)).toMatchObject({ scheme: "https", "hostrequest uri": "shop.test/a?b", status: "200" });
  });

  it("read whole logs", async () => {
    const apache = '%{%d/%b/%Y}t %{%H:%M:%S}t %V "%r" %s %O %{Location}o\n';
    const text =
      '05/Mar/2021 08:09:10 shop.test "GET /a HTTP/1.1" 302 12 /b\n' +
      '05/Mar/2021 08:09:11 - "GET /c HTTP/1.1" 200 9 -\n';
    const { sightings, damage } = await read(text, { logFormat: apache });
    expect(damage).toEqual([]);
    expect(rows(sightings)).toMatchObject([
      { url: "http://shop.test/a", status: "3", to: "http://shop.test/b" },
      { url: "/c", status: "2", bytes: "9", time: "2021-03-05T08:09:11.000Z" },
    ]);
  });

  it("with the time as a number, and fields in any order", async () => {
    const text = "200 1614931750.250 12 /a?b shop.test\n200 1614931751.000 13 /a?b shop.test\n";
    const { sightings } = await read(text, { logFormat: "$status $msec $body_bytes_sent $request_uri $http_host" });
    expect(rows(sightings)).toEqual([
      {
        url: "http://shop.test/a?b",
        hits: 2,
        status: "2",
        bytes: "12-13",
        time: "2021-03-05T08:09:10.250Z 2021-03-05T08:09:11.000Z",
      },
    ]);
  });

  it("that cannot work are refused", () => {
    expect(() => compileLogFormat("%h %>s")).toThrow(/no field for the URL: %r or %U is needed/);
    expect(() => compileLogFormat("$remote_addr $status")).toThrow(/\$request, \$request_uri or \$uri/);
    expect(() => compileLogFormat("%h%r")).toThrow(/nothing between client and request/);
  });
});

describe("the field program equals a regular expression", () => {
  // Values as servers escape them: a quote or a backslash only after a backslash.
  const word = fc.stringMatching(/^[a-z0-9/.?=&%-]{1,12}$/);
  const quoted = fc
    .array(fc.constantFrom("a", " ", "/", "?x=1", '\\"', "\\\\", "\\x16", "[", "]", "-", "é"), { maxLength: 8 })
    .map((parts) => parts.join(""));
  const directives = fc.uniqueArray(
    fc.constantFrom("%h", "%l", "%u", "%>s", "%b", "%D", "%v", '"%r"', '"%{Referer}i"', '"%{User-Agent}i"'),
    {
      minLength: 2,
    },
  );
  const NAMES: Record<string, string> = {
    "%h": "client",
    "%l": "identity",
    "%u": "user",
    "%>s": "status",
    "%b": "size",
    "%D": "%D",
    "%v": "host",
    '"%r"': "request",
    '"%{Referer}i"': "Referer",
    '"%{User-Agent}i"': "user agent",
  };

  it("on random formats and lines", () => {
    let matched = 0;
    let escaped = 0;
    fc.assert(
      fc.property(
        directives
          .filter((parts) => parts.includes('"%r"'))
          .chain((parts) =>
            fc.tuple(fc.constant(parts), fc.tuple(...parts.map((part) => (part.startsWith('"') ? quoted : word)))),
          ),
        fc.boolean(),
        ([parts, values], cut) => {
          const format = parts.join(" ");
          const whole = parts.map((part, i) => (part.startsWith('"') ? `"${values[i]}"` : values[i])).join(" ");
          const line = cut ? whole.slice(0, Math.floor(whole.length / 2)) : whole;
          const oracle = new RegExp(
            `^${parts.map((part) => (part.startsWith('"') ? '"((?:[^"\\\\]|\\\\.)*)"' : "([^ ]+)")).join(" ")}$`,
            "s",
          ).exec(line);
          const found = explain(format, line);
          // The regular expression takes a line whole; the program may do without what adds nothing.
          if (oracle === null) return;
          matched++;
          if (line.includes("\\")) escaped++;
          expect(found).toEqual(Object.fromEntries(parts.map((part, i) => [NAMES[part], oracle[i + 1]])));
        },
      ),
      { numRuns: 500 },
    );
    expect(matched).toBeGreaterThan(200);
    expect(escaped).toBeGreaterThan(50);
  });
});
