/** The access logs that are known by name. Wherever possible, a format is a format string, like a user's own. */
import type { LineReader, LogFormat, LogSink, Sample } from "../format.js";
import { JsonReader, jsonField, parseJsonLine } from "./json.js";
import { compileLogFormat } from "./log-format.js";
import { isHost } from "./origin.js";
import type { Program } from "./program.js";
import { Recorder, type RecorderOptions } from "./recorder.js";
import { FIELDS_DIRECTIVE, W3cReader } from "./w3c.js";

/** How many lines of a sample are looked at. */
const LOOKED_AT = 100;

interface NamedFormat extends RecorderOptions {
  readonly name: string;
  readonly title: string;
  readonly format: string;
  /** What must be true of a matching line for it to be of this format, where other formats match too. */
  readonly accepts?: (field: (name: string) => string) => boolean;
}

const isAddress = (text: string) => /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-fA-F:]*:[0-9a-fA-F:.]*)$/.test(text);
const isName = (text: string) => isHost(text) && /[A-Za-z]/.test(text) && text.includes(".");
const isVirtualHost = (text: string) => isHost(text) && !isAddress(text);
const isClient = (text: string) => isAddress(text) || isName(text);

/** The more specific ones first: at equal scores the first is taken. */
const namedFormats: readonly NamedFormat[] = [
  {
    name: "alb",
    title: "AWS application load balancer",
    format:
      '$type $time_iso8601 $elb $client $target $request_time $target_time $response_time $status $target_status $received $bytes_sent "$request" "$http_user_agent"',
    accepts: (field) => /^(?:https?|h2|grpcs|wss?)$/.test(field("type")),
    addedPort: true,
  },
  {
    name: "elb",
    title: "AWS classic load balancer",
    format:
      '$time_iso8601 $elb $client $target $request_time $target_time $response_time $status $target_status $received $bytes_sent "$request" "$http_user_agent"',
    accepts: (field) => /^\d{4}-\d\d-\d\dT/.test(field("time iso8601")),
    addedPort: true,
  },
  {
    name: "s3",
    title: "Amazon S3 server access log",
    format:
      '$owner $bucket [$time_local] $client $requester $request_id $operation $key "$request" $status $error $bytes_sent $object_size $total_time $turn_around_time "$referer" "$http_user_agent" $version $host_id $signature $cipher $authentication $http_host $tls',
    accepts: (field) => /^[A-Z]+\.[A-Z0-9_.]+$/.test(field("operation")),
  },
  {
    name: "haproxy",
    title: "HAProxy HTTP log",
    // The field of the client's address also takes whatever syslog wrote before it.
    format:
      '$client [$time_local] $frontend $backend $timers $status $bytes_sent $cookie $set_cookie $termination $connections $queues $captures"$request"',
    accepts: (field) => /^[+-]?\d+(?:\/[+-]?\d+){4}$/.test(field("timers")),
  },
  {
    name: "gandi",
    title: "Gandi (virtual host, combined, duration)",
    format:
      '$server_name $remote_addr - $remote_user [$time_local] ($request_time s) "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"',
  },
  {
    name: "vhost-combined",
    title: "Apache combined with the virtual host (and port) first",
    format: '%v %h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"',
    accepts: (field) => isVirtualHost(field("host")) && isClient(field("client")) && !field("user").includes(" "),
  },
  {
    name: "ovh",
    title: "OVH (combined with the virtual host second)",
    format: '%h %v %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"',
    accepts: (field) => isClient(field("client")) && isName(field("host")) && !isAddress(field("host")),
  },
  {
    name: "combined",
    title: "Apache and nginx combined",
    format: '%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"',
    accepts: (field) => field("user agent") !== "",
  },
  { name: "common", title: "Common log format (Apache, Tomcat, ...)", format: '%h %l %u %t "%r" %>s %b' },
];

/** --format takes these too. */
const formatAliases: Record<string, string> = {
  nginx: "combined",
  apache: "combined",
  tomcat: "common",
  vhost: "vhost-combined",
  iis: "w3c",
  "nginx-json": "json",
  caddy: "caddy-json",
  traefik: "traefik-json",
};

export function logFormatName(name: string): string {
  return formatAliases[name] ?? name;
}

class ProgramReader implements LineReader {
  readonly #sink: LogSink;
  readonly #program: Program;
  readonly #recorder: Recorder;

  constructor(program: Program, sink: LogSink, options: RecorderOptions) {
    this.#program = program;
    this.#sink = sink;
    this.#recorder = new Recorder(sink, options);
  }

  line(buffer: Buffer, start: number, end: number): string | undefined {
    const reason = this.#program.match(buffer, start, end);
    if (reason === undefined) return this.#recorder.add(this.#program, buffer);
    if (end === start) return undefined;
    if (buffer[start] === 0x23) {
      this.#sink.skip("a comment");
      return undefined;
    }
    this.#sink.record();
    return reason;
  }
}

function fromString(named: NamedFormat): LogFormat {
  return {
    kind: "log",
    name: named.name,
    title: named.title,
    detect: (sample) => shareOf(sample, lineTest(compileLogFormat(named.format), named)),
    reader: (sink) => new ProgramReader(compileLogFormat(named.format), sink, named),
  };
}

/** Whether a line matches, and is of this format and not of another that matches too. */
function lineTest(program: Program, { accepts }: NamedFormat): (line: string) => boolean {
  return (line) => {
    const buffer = Buffer.from(line, "latin1");
    const values = program.explain(buffer);
    return values !== undefined && (accepts?.((name) => values[name] ?? "") ?? true);
  };
}

function shareOf(sample: Sample, test: (line: string) => boolean): number {
  const lines = sample.lines.filter((line) => line.trim() !== "" && !line.startsWith("#")).slice(0, LOOKED_AT);
  return lines.length === 0 ? 0 : lines.filter(test).length / lines.length;
}

function w3c(name: string, title: string, isIt: (fields: string) => boolean): LogFormat {
  return {
    kind: "log",
    name,
    title,
    directive: FIELDS_DIRECTIVE,
    detect(sample) {
      const line = sample.lines.find((text) => text.trimStart().startsWith(FIELDS_DIRECTIVE));
      return line !== undefined && isIt(line) ? 1 : 0;
    },
    reader: (sink) => new W3cReader(sink),
  };
}

type JsonLine = NonNullable<ReturnType<typeof parseJsonLine>>;

function json(name: string, title: string, isIt: (line: JsonLine) => boolean): LogFormat {
  return {
    kind: "log",
    name,
    title,
    detect: (sample) =>
      shareOf(sample, (text) => {
        const line = text.startsWith("{") ? parseJsonLine(text) : undefined;
        return line !== undefined && isIt(line);
      }),
    reader: (sink) => new JsonReader(sink),
  };
}

/** A crawl's JSON has absolute URLs, and perhaps pages; a log's has a request, a path, or a client. */
function isRequest(line: JsonLine): boolean {
  if (jsonField(line, "status") === undefined || ["html", "text", "title"].some((name) => name in line)) return false;
  if ((jsonField(line, "request") ?? jsonField(line, "method")) !== undefined) return true;
  const url = jsonField(line, "url") ?? jsonField(line, "path");
  return url !== undefined && (url.startsWith("/") || jsonField(line, "agent") !== undefined);
}

const isCaddys = (request: unknown) => typeof request === "object" && request !== null && "uri" in request;

export const logFormats: readonly LogFormat[] = [
  w3c("cloudfront", "Amazon CloudFront", (fields) => fields.includes("x-edge-")),
  w3c("w3c", "IIS and other W3C extended logs", () => true),
  json("caddy-json", "Caddy JSON", (line) => isCaddys(line.request) && isRequest(line)),
  json("traefik-json", "Traefik JSON", (line) => "RequestPath" in line && isRequest(line)),
  json("json", "nginx and other JSON access logs", isRequest),
  ...namedFormats.map(fromString),
];

/** A log in the user's own format. */
export function customLogFormat(format: string): LogFormat {
  return fromString({ name: "log-format", title: "your log format", format });
}
