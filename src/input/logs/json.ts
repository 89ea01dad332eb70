/**
 * JSON access logs, one object per line: nginx (whatever the keys are called), Caddy, Traefik, Envoy, Cloudflare,
 * Google Cloud, Elastic Common Schema, loggers of Node (pino, bunyan). Known key names are tried in turn.
 */
import { isUtf8 } from "node:buffer";
import { CrawlerFamilies, OWN_FAMILY } from "../crawlers.js";
import type { LineReader, LogSink } from "../format.js";
import { originFor } from "./origin.js";
import { damageReasons, skipReasons } from "./recorder.js";
import { epochMs, Timestamps } from "./time.js";

type JsonObject = { readonly [key: string]: unknown };

/** Dots lead into objects; of a list, the first entry is taken. */
const keysOfRole = {
  request: ["request", "request_line"],
  method: [
    "request.method",
    "RequestMethod",
    "request_method",
    "method",
    "http_method",
    "verb",
    "ClientRequestMethod",
    "httpRequest.requestMethod",
    "http.request.method",
    "req.method",
  ],
  url: [
    "request.uri",
    "RequestPath",
    "request_uri",
    "uri",
    "path",
    "url",
    "request_path",
    "ClientRequestURI",
    "httpRequest.requestUrl",
    "url.original",
    "request.url",
    "req.url",
  ],
  path: ["uri_path", "document_uri"],
  query: ["args", "query_string", "query", "request_query"],
  host: [
    "request.host",
    "RequestAddr",
    "RequestHost",
    "http_host",
    "host",
    "vhost",
    "server_name",
    "domain",
    "authority",
    "ClientRequestHost",
    "url.domain",
    "req.headers.host",
  ],
  scheme: ["RequestScheme", "scheme", "protocol", "http_x_forwarded_proto", "ClientRequestScheme", "url.scheme"],
  status: [
    "DownstreamStatus",
    "status",
    "status_code",
    "response_status",
    "response_code",
    "response",
    "code",
    "EdgeResponseStatus",
    "httpRequest.status",
    "http.response.status_code",
    "res.statusCode",
  ],
  bytes: [
    "DownstreamContentSize",
    "size",
    "body_bytes_sent",
    "bytes_sent",
    "bytes",
    "response_size",
    "response_body_size",
    "length",
    "EdgeResponseBodyBytes",
    "EdgeResponseBytes",
    "httpRequest.responseSize",
    "http.response.body.bytes",
    "bytes.out",
    "res.headers.content-length",
  ],
  time: [
    "StartUTC",
    "ts",
    "msec",
    "time_iso8601",
    "@timestamp",
    "timestamp",
    "time_local",
    "time",
    "date",
    "start_time",
    "EdgeStartTimestamp",
  ],
  agent: [
    "request.headers.User-Agent",
    "request_User-Agent",
    "http_user_agent",
    "user_agent",
    "userAgent",
    "agent",
    "ClientRequestUserAgent",
    "httpRequest.userAgent",
    "user_agent.original",
    "req.headers.user-agent",
  ],
  location: ["resp_headers.Location", "downstream_Location", "sent_http_location", "location", "res.headers.location"],
} as const;

type Key = keyof typeof keysOfRole;

const pathsOfRole = Object.fromEntries(
  Object.entries(keysOfRole).map(([key, names]) => [key, names.map((name) => name.split("."))]),
) as Record<Key, string[][]>;

export function parseJsonLine(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    // nginx without escape=json writes \x22, which is not valid JSON.
    return text.includes("\\x") ? parseJsonLine(text.replace(/\\x/g, "\\u00")) : undefined;
  }
}

/** The first of the key's names that is there, as text; undefined also for "-" and "". */
export function jsonField(line: JsonObject, key: Key): string | undefined {
  for (const path of pathsOfRole[key]) {
    let value: unknown = line;
    for (const name of path) value = isObject(value) ? value[name] : undefined;
    if (Array.isArray(value)) value = value[0];
    if (typeof value === "number") return String(value);
    if (typeof value === "string" && value !== "" && value !== "-") return value;
  }
  return undefined;
}

export class JsonReader implements LineReader {
  readonly #sink: LogSink;
  readonly #agents = new CrawlerFamilies();
  readonly #timestamps = new Timestamps();

  constructor(sink: LogSink) {
    this.#sink = sink;
  }

  line(buffer: Buffer, start: number, end: number): string | undefined {
    if (end === start) return undefined;
    this.#sink.record();
    const bytes = buffer.subarray(start, end);
    // Bytes that are not UTF-8 are kept one by one, as in every other log.
    const encoding = isUtf8(bytes) ? "utf8" : "latin1";
    const line = parseJsonLine(bytes.toString(encoding));
    if (line === undefined) return "the line is not a JSON object";

    // Loggers of Node may also write a line when a request arrives: the request is counted by the line of its answer.
    if (isObject(line.req) && jsonField(line, "status") === undefined) return this.#skip(skipReasons.noAnswer);
    const request = /^([A-Za-z]+) (.+?)(?: +HTTP\/[\d.]+)?$/s.exec(jsonField(line, "request") ?? "");
    const method = jsonField(line, "method") ?? request?.[1] ?? "GET";
    if (method !== "GET" && method !== "HEAD") return this.#skip(skipReasons.otherMethod);
    const url = this.#url(line, jsonField(line, "url") ?? request?.[2]);
    if (url === undefined) return undefined;
    const status = Number(jsonField(line, "status") ?? 0);
    if (!Number.isInteger(status) || status < 0 || status > 999) return damageReasons.status;
    const size = Number(jsonField(line, "bytes") ?? Number.NaN);
    const timeMs = this.#time(line);
    const agent = Buffer.from(jsonField(line, "agent") ?? "");
    const family = this.#agents.of(agent, 0, agent.length);
    if (family === OWN_FAMILY) return this.#skip(skipReasons.own);
    const location = jsonField(line, "location");
    const row = this.#sink.table.addBytes(
      Buffer.from(url, encoding),
      0,
      Buffer.byteLength(url, encoding),
      method === "HEAD",
      status,
      Number.isInteger(size) && size >= 0 ? size : Number.NaN,
      timeMs,
      family,
    );
    if (location !== undefined && status >= 300 && status < 400) this.#sink.table.addRedirect(row, location);
    return Number.isNaN(timeMs) && jsonField(line, "time") !== undefined ? damageReasons.time : undefined;
  }

  #skip(reason: string): undefined {
    this.#sink.skip(reason);
  }

  /** Undefined where there is none, which is counted. */
  #url(line: JsonObject, given: string | undefined): string | undefined {
    let url = given;
    if (url === undefined) {
      const path = jsonField(line, "path");
      if (path === undefined) return this.#skip(skipReasons.noRequest);
      const query = jsonField(line, "query");
      url = query === undefined ? path : `${path}?${query.replace(/^\?/, "")}`;
    }
    if (/^https?:\/\//i.test(url)) return url;
    if (!url.startsWith("/")) return this.#skip(skipReasons.notUrl);
    const origin = originFor(jsonField(line, "host"), this.#scheme(line), this.#sink.base);
    return origin === undefined ? this.#skip(skipReasons.notHost) : origin + url;
  }

  #scheme(line: JsonObject): string | undefined {
    const scheme = jsonField(line, "scheme")?.toLowerCase();
    if (scheme === "https" || scheme === "http") return scheme;
    // In Caddy's logs the presence of TLS tells the scheme.
    const { request } = line;
    return isObject(request) ? (isObject(request.tls) ? "https" : "http") : undefined;
  }

  #time(line: JsonObject): number {
    const text = jsonField(line, "time");
    if (text === undefined) return Number.NaN;
    const number = Number(text);
    if (!Number.isNaN(number)) return epochMs(number);
    const bytes = Buffer.from(text);
    return this.#timestamps.parse(bytes, 0, bytes.length);
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
