import { describe, expect, it } from "vitest";
import { read, rows } from "../reading.js";

const AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0";
const BOT = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
const JSON_AGENT = JSON.stringify(BOT);

/** One line of each format as its server writes it, and what is to be read from it. */
const CASES: readonly (readonly [format: string, title: string, text: string, expected: object[]])[] = [
  [
    "common",
    "Apache and Tomcat",
    '192.0.2.7 - eve [05/Mar/2021:08:09:10 +0100] "GET /a?b=1 HTTP/1.1" 200 512\n',
    [{ url: "/a?b=1", hits: 1, status: "2", bytes: "512", time: "2021-03-05T07:09:10.000Z" }],
  ],
  [
    "common",
    "Tomcat with thread and duration at the end",
    '192.0.2.7 - - [05/Mar/2021:08:09:10 +0100] "GET /a;jsessionid=9F HTTP/1.1" 200 512 http-nio-8080-exec-1 31\n',
    [{ url: "/a;jsessionid=9F", hits: 1, status: "2", bytes: "512", time: "2021-03-05T07:09:10.000Z" }],
  ],
  [
    "combined",
    "Apache and nginx",
    `192.0.2.7 - - [05/Mar/2021:08:09:10 +0000] "GET /a HTTP/1.1" 404 0 "-" "${BOT}"\n`,
    [{ url: "/a", hits: 1, status: "4", time: "2021-03-05T08:09:10.000Z", crawlers: { Googlebot: 1 } }],
  ],
  [
    "vhost-combined",
    "with port",
    `shop.test:443 192.0.2.7 - - [05/Mar/2021:08:09:10 +0000] "GET /a HTTP/2.0" 200 99 "-" "${AGENT}"\n`,
    [{ url: "https://shop.test/a", hits: 1, status: "2", bytes: "99", time: "2021-03-05T08:09:10.000Z" }],
  ],
  [
    "vhost-combined",
    "with an odd port",
    `shop.test:8080 2001:db8::7 - - [05/Mar/2021:08:09:10 +0000] "GET /a HTTP/2.0" 200 99 "-" "${AGENT}"\n`,
    [{ url: "http://shop.test:8080/a", hits: 1, status: "2", bytes: "99", time: "2021-03-05T08:09:10.000Z" }],
  ],
  [
    "vhost-combined",
    "without port, common",
    'shop.test 192.0.2.7 - - [05/Mar/2021:08:09:10 +0000] "HEAD /a HTTP/1.1" 200 99\n',
    [{ url: "http://shop.test/a", hits: 1, status: "2", time: "2021-03-05T08:09:10.000Z" }],
  ],
  [
    "ovh",
    "virtual host second",
    `192.0.2.7 www.shop.test - [05/Mar/2021:08:09:10 +0000] "GET /a HTTP/1.1" 200 99 "-" "${AGENT}"\n`,
    [{ url: "http://www.shop.test/a", hits: 1, status: "2", bytes: "99", time: "2021-03-05T08:09:10.000Z" }],
  ],
  [
    "gandi",
    "with duration",
    `shop.test 192.0.2.7 - - [05/Mar/2021:08:09:10 +0000] (3 s) "GET /a HTTP/1.1" 200 99 "-" "${AGENT}"\n`,
    [{ url: "http://shop.test/a", hits: 1, status: "2", bytes: "99", time: "2021-03-05T08:09:10.000Z" }],
  ],
  [
    "w3c",
    "IIS, with other columns in the middle",
    [
      "#Software: Microsoft Internet Information Services 10.0",
      "#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs(User-Agent) sc-status sc-bytes",
      "2021-03-05 08:09:10 10.0.0.1 GET /a.aspx id=1&x=2 443 Mozilla/5.0+(compatible;+bingbot/2.0) 200 77",
      "#Fields: date time cs-host cs-method cs-uri-stem cs-uri-query s-port sc-status",
      "2021-03-05 08:09:11 shop.test GET /b.aspx - 443 301",
      "2021-03-05 08:09:12 shop.test POST /b.aspx - 443 200",
      "",
    ].join("\r\n"),
    [
      {
        url: "/a.aspx?id=1&x=2",
        hits: 1,
        status: "2",
        bytes: "77",
        time: "2021-03-05T08:09:10.000Z",
        crawlers: { Bingbot: 1 },
      },
      { url: "https://shop.test/b.aspx", hits: 1, status: "3", time: "2021-03-05T08:09:11.000Z" },
    ],
  ],
  [
    "w3c",
    "quoted values, host in the URL, no answer",
    '#Fields: date time cs(User-Agent) cs-uri cs-method cs-uri-query sc-status\n"2021-03-05" "08:09:10" "a ""quoted"" agent" "shop.test/a.php" "GET" "x=1" ""\n',
    [{ url: "http://shop.test/a.php?x=1", hits: 1, status: "0", time: "2021-03-05T08:09:10.000Z" }],
  ],
  [
    "cloudfront",
    "tabs",
    [
      "#Version: 1.0",
      "#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(User-Agent) cs-uri-query x-host-header cs-protocol",
      "2021-03-05\t08:09:10\tFRA2\t1500\t192.0.2.7\tGET\td1.cloudfront.net\t/a\t200\tMozilla/5.0%20(compatible;%20GPTBot/1.2)\tq=1\tshop.test\thttps",
    ].join("\n"),
    [
      {
        url: "https://shop.test/a?q=1",
        hits: 1,
        status: "2",
        bytes: "1500",
        time: "2021-03-05T08:09:10.000Z",
        crawlers: { GPTBot: 1 },
      },
    ],
  ],
  [
    "alb",
    "application load balancer",
    `h2 2021-03-05T08:09:10.186641Z app/lb/1 192.0.2.7:2817 10.0.0.1:80 0.000 0.001 0.000 200 200 34 366 "GET https://shop.test:443/a HTTP/2.0" "${AGENT}" ECDHE TLSv1.2 arn:x "Root=1" "shop.test" "arn:y" 0 2021-03-05T08:09:10.100000Z "forward" "-" "-"\n`,
    [{ url: "https://shop.test/a", hits: 1, status: "2", bytes: "366", time: "2021-03-05T08:09:10.186Z" }],
  ],
  [
    "elb",
    "classic load balancer, with a TCP connection",
    [
      `2021-03-05T08:09:10.1Z lb 192.0.2.7:2817 10.0.0.1:80 0.1 0.1 0.1 200 200 0 57 "GET http://shop.test:80/a HTTP/1.1" "${AGENT}" - -`,
      '2021-03-05T08:09:11.1Z lb 192.0.2.7:2817 10.0.0.1:80 0.1 0.1 0.1 - - 82 305 "- - - " "-" - -',
      "",
    ].join("\n"),
    [{ url: "http://shop.test/a", hits: 1, status: "2", bytes: "57", time: "2021-03-05T08:09:10.100Z" }],
  ],
  [
    "s3",
    "with and without the Host header",
    [
      `79a5 photos [05/Mar/2021:08:09:10 +0000] 192.0.2.7 - 3E57 REST.GET.OBJECT a.jpg "GET /a.jpg HTTP/1.1" 200 - 113 113 7 - "-" "${AGENT}" -`,
      `79a5 www.shop.test [05/Mar/2021:08:09:11 +0000] 192.0.2.7 - 3E57 WEBSITE.GET.OBJECT b "GET /b HTTP/1.1" 304 - - 113 7 - "-" "${AGENT}" - h= SigV4 ECDHE AuthHeader cdn.shop.test TLSv1.2`,
      "",
    ].join("\n"),
    [
      {
        url: "http://photos.s3.amazonaws.com/a.jpg",
        hits: 1,
        status: "2",
        bytes: "113",
        time: "2021-03-05T08:09:10.000Z",
      },
      { url: "http://cdn.shop.test/b", hits: 1, status: "3", time: "2021-03-05T08:09:11.000Z" },
    ],
  ],
  [
    "haproxy",
    "after syslog, with captured headers, and without either",
    [
      'Mar  5 08:09:10 lb1 haproxy[71]: 192.0.2.7:5008 [05/Mar/2021:08:09:10.584] in~ app/s1 0/0/0/72/72 200 7456 - - ---- 5/4/0/1/0 0/0 {shop.test|x} {} "GET /a HTTP/1.1"',
      '192.0.2.7:5008 [05/Mar/2021:08:09:11.000] in~ app/<NOSRV> -1/-1/-1/-1/0 503 212 - - SC-- 5/4/0/1/0 0/0 "GET https://shop.test/b HTTP/2.0"',
      '192.0.2.7:5008 [05/Mar/2021:08:09:12.000] in~ in/<NOSRV> -1/-1/-1/-1/0 400 187 - - PR-- 5/4/0/1/0 0/0 "<BADREQ>"',
      "",
    ].join("\n"),
    [
      { url: "/a", hits: 1, status: "2", bytes: "7456", time: "2021-03-05T08:09:10.584Z" },
      { url: "https://shop.test/b", hits: 1, status: "5", time: "2021-03-05T08:09:11.000Z" },
    ],
  ],
  [
    "json",
    "nginx' own keys, with its \\x escapes",
    `{"time_iso8601":"2021-03-05T08:09:10+01:00","http_host":"shop.test","scheme":"https","request":"GET /a\\x22b?c HTTP/1.1","status":"200","body_bytes_sent":"12","http_user_agent":${JSON_AGENT}}\n`,
    [
      {
        url: 'https://shop.test/a"b?c',
        hits: 1,
        status: "2",
        bytes: "12",
        time: "2021-03-05T07:09:10.000Z",
        crawlers: { Googlebot: 1 },
      },
    ],
  ],
  [
    "caddy-json",
    "with a redirect",
    `{"ts":1614931750.25,"request":{"method":"GET","host":"shop.test","uri":"/a","headers":{"User-Agent":[${JSON_AGENT}]},"tls":{"version":772}},"size":0,"status":301,"resp_headers":{"Location":["https://shop.test/b"]}}\n`,
    [
      {
        url: "https://shop.test/a",
        hits: 1,
        status: "3",
        time: "2021-03-05T08:09:10.250Z",
        crawlers: { Googlebot: 1 },
        to: "https://shop.test/b",
      },
    ],
  ],
  [
    "json",
    "Cloudflare",
    `{"ClientIP":"192.0.2.7","ClientRequestHost":"shop.test","ClientRequestMethod":"GET","ClientRequestScheme":"https","ClientRequestURI":"/a?b","EdgeResponseBodyBytes":9,"EdgeResponseStatus":200,"EdgeStartTimestamp":1614931750000000000,"ClientRequestUserAgent":${JSON_AGENT}}\n`,
    [
      {
        url: "https://shop.test/a?b",
        hits: 1,
        status: "2",
        bytes: "9",
        time: "2021-03-05T08:09:10.000Z",
        crawlers: { Googlebot: 1 },
      },
    ],
  ],
  [
    "json",
    "Google Cloud",
    '{"httpRequest":{"requestMethod":"HEAD","requestUrl":"https://shop.test/a","status":200,"responseSize":"9","remoteIp":"192.0.2.7"},"timestamp":"2021-03-05T08:09:10Z"}\n',
    [{ url: "https://shop.test/a", hits: 1, status: "2", time: "2021-03-05T08:09:10.000Z" }],
  ],
  [
    "json",
    "Elastic Common Schema",
    '{"@timestamp":"2021-03-05T08:09:10Z","source":{"ip":"192.0.2.7"},"url":{"original":"/a?b","domain":"shop.test","scheme":"https"},"http":{"request":{"method":"GET"},"response":{"status_code":200,"body":{"bytes":9}}}}\n',
    [{ url: "https://shop.test/a?b", hits: 1, status: "2", bytes: "9", time: "2021-03-05T08:09:10.000Z" }],
  ],
  [
    "json",
    "Envoy",
    '{"method":"GET","path":"/a","authority":"shop.test","response_code":200,"bytes_sent":9,"start_time":"2021-03-05T08:09:10.000Z","x_forwarded_for":"192.0.2.7"}\n',
    [{ url: "http://shop.test/a", hits: 1, status: "2", bytes: "9", time: "2021-03-05T08:09:10.000Z" }],
  ],
  [
    "json",
    "pino and bunyan of Node, a line for the request and one for its answer",
    `${JSON.stringify({ level: 30, time: 1614931750773, req: { method: "GET", url: "/a?b" } })}
${JSON.stringify({ level: 25, time: 1614931750773, request: { method: "GET", url: "/a?b" }, status: 200, bytes: { in: 0, out: 15 } })}
${JSON.stringify({ level: 30, time: 1614931750773, req: { method: "GET", url: "/c", headers: { host: "shop.test" } }, res: { statusCode: 200, headers: { "content-length": "16" } } })}
`,
    [
      { url: "/a?b", hits: 1, status: "2", bytes: "15", time: "2021-03-05T08:09:10.773Z" },
      { url: "http://shop.test/c", hits: 1, status: "2", bytes: "16", time: "2021-03-05T08:09:10.773Z" },
    ],
  ],
  [
    "traefik-json",
    "with port",
    `{"DownstreamContentSize":15,"DownstreamStatus":200,"RequestAddr":"shop.test:8443","RequestHost":"shop.test","RequestMethod":"GET","RequestPath":"/a?b","RequestScheme":"https","StartUTC":"2021-03-05T08:09:10.773360139Z","request_User-Agent":${JSON_AGENT}}\n`,
    [
      {
        url: "https://shop.test:8443/a?b",
        hits: 1,
        status: "2",
        bytes: "15",
        time: "2021-03-05T08:09:10.773Z",
        crawlers: { Googlebot: 1 },
      },
    ],
  ],
];

describe("access logs are told apart and read", () => {
  it.each(CASES)("%s: %s", async (format, _title, text, expected) => {
    const result = await read(text);
    expect(result.format).toBe(format);
    expect(result.damage).toEqual([]);
    expect(rows(result.sightings)).toEqual(expected);
  });

  it("takes a format by its name; a log that is another altogether is an error", async () => {
    const line = '192.0.2.7 - - [05/Mar/2021:08:09:10 +0000] "GET /a HTTP/1.1" 200 1\n';
    expect((await read(line, { format: "tomcat" })).format).toBe("common");
    await expect(read(line, { format: "s3" })).rejects.toThrow(
      /nothing in it could be read as s3: 1 damaged record, the line does not match .* \(-:1\); without --format/,
    );
    await expect(read(line, { format: "nonsense" })).rejects.toThrow(/nonsense is unknown; it is one of .*combined/);
  });

  it("says what was tried and shows the first line", async () => {
    await expect(read("neither fish\u001b[2J nor fowl\n")).rejects.toThrow(
      /Tried cloudfront, w3c, .*combined.*first line is:\n {2}neither fish\\x1b\[2J nor fowl\n/s,
    );
  });

  it("reads an empty file as an empty log", async () => {
    const { records, resume } = await read("");
    expect({ records, resume }).toEqual({ records: 0, resume: undefined });
  });
});

describe("origins", () => {
  const line = (request: string) => `192.0.2.7 - - [05/Mar/2021:08:09:10 +0000] "${request}" 200 1\n`;
  const urls = async (text: string, base?: string) =>
    rows((await read(text, base === undefined ? {} : { base })).sightings).map(({ url }) => url);

  it("come from --base, and an absolute request has its own", async () => {
    const text = line("GET /a HTTP/1.1") + line("GET http://other.test/x HTTP/1.1");
    expect(await urls(text, "https://shop.test/")).toEqual(["https://shop.test/a", "http://other.test/x"]);
  });

  it("are left out where nothing is known", async () => {
    expect(await urls(line("GET //a//b HTTP/1.1"))).toEqual(["//a//b"]);
  });

  it("take --base's scheme where the log only knows the host", async () => {
    const text = `shop.test ${line("GET /a HTTP/1.1")}`;
    expect(await urls(text, "https://any.test")).toEqual(["https://shop.test/a"]);
  });

  it("are not made of nonsense in a Host header", async () => {
    const json = (host: string) => `${JSON.stringify({ method: "GET", uri: "/a", status: 200, http_host: host })}\n`;
    const { skipped, sightings } = await read(json("a.test") + json('"><script>'));
    expect(rows(sightings).map(({ url }) => url)).toEqual(["http://a.test/a"]);
    expect(skipped).toEqual({ "the host is not a name or an address": 1 });
  });
});
