/**
 * Compiles Apache `LogFormat` (also Tomcat's and httpd-like patterns) and nginx `log_format` strings. The whole
 * directive may be pasted as it stands in the configuration, quotes, name and line breaks included.
 */
import { UserError } from "../../errors.js";
import { type Field, Program, type Role } from "./program.js";

/** A directive or variable, or the text between two. */
type Part = { readonly text: string } | Omit<Field, "before">;

export function compileLogFormat(text: string): Program {
  const format = unwrap(text.trim());
  const isNginx = /\$\{?[a-z_]/i.test(format);
  const program = join(isNginx ? nginxParts(format) : apacheParts(format), format);
  if (!program.has("request") && !program.has("url") && !program.has("path")) {
    const wanted = isNginx ? "$request, $request_uri or $uri" : "%r or %U";
    throw new UserError(`--log-format has no field for the URL: ${wanted} is needed in ${JSON.stringify(format)}`);
  }
  return program;
}

/** The format string of `LogFormat "..." name`, `log_format name escape=json '...' '...';` or of the bare string. */
function unwrap(text: string): string {
  const nginx = /^log_format\s+\S+\s+(?:escape=\w+\s+)?(.*?);?$/is.exec(text);
  if (nginx !== null) {
    const strings = nginx[1]!.match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/gs);
    return strings === null ? nginx[1]! : strings.map((string) => unquote(string)).join("");
  }
  const apache = /^(?:LogFormat|CustomLog\s+\S+)\s+("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/is.exec(text);
  return apache === null ? unquote(text) : unquote(apache[1]!);
}

function unquote(text: string): string {
  // Quoted as a whole, as in a configuration file: then quotes inside have backslashes.
  const inner = /^(["'])(.*)\1$/s.exec(text);
  const plain = inner !== null && !hasBareQuote(inner[2]!, inner[1]!) ? inner[2]! : text;
  return plain.replace(/\\(["'\\tn])/g, (_, c: string) => (c === "t" ? "\t" : c === "n" ? "\n" : c));
}

function hasBareQuote(text: string, quote: string): boolean {
  return text.replace(/\\./gs, "").includes(quote);
}

const apacheRoles: Record<string, readonly [Role, name: string]> = {
  r: ["request", "request"],
  m: ["method", "method"],
  U: ["path", "path"],
  q: ["query", "query"],
  s: ["status", "status"],
  b: ["bytes", "size"],
  B: ["bytes", "size"],
  h: ["ignored", "client"],
  a: ["ignored", "client"],
  l: ["ignored", "identity"],
  u: ["ignored", "user"],
  v: ["server", "host"],
  V: ["server", "host"],
  p: ["port", "port"],
};

const headerRoles: Record<string, readonly [Role, name: string]> = {
  "host:i": ["host", "host"],
  "x-forwarded-host:i": ["host", "host"],
  "user-agent:i": ["agent", "user agent"],
  "x-forwarded-proto:i": ["scheme", "scheme"],
  "location:o": ["location", "redirect target"],
};

const APACHE_DIRECTIVE = /%(?:%|[!<>]*(?:\d{3}(?:,\d{3})*)?(?:\{([^}]*)\})?(?:\^[A-Za-z]{2}|[A-Za-z]))/g;

function apacheParts(format: string): Part[] {
  // Without the body's size, the bytes on the wire are the best there is: headers vary little within one log.
  const bytesField = /%[!<>\d,]*[bB]/.test(format.replace(/\{[^}]*\}/g, "")) ? "" : "O";
  return split(format, APACHE_DIRECTIVE, (match) => {
    const directive = match[0];
    if (directive === "%%") return [{ text: "%" }];
    const letter = directive.at(-1)!;
    const argument = match[1];
    if (letter === "t") return argument === undefined ? commonTime() : [apacheTime(argument)];
    if (argument !== undefined) {
      const [role, name] =
        headerRoles[`${argument.toLowerCase()}:${letter}`] ??
        (letter === "p" ? apacheRoles.p! : (["ignored", argument] as const));
      return [{ role, name }];
    }
    if (letter === "O" && bytesField === "O") return [{ role: "bytes", name: "size" }];
    const [role, name] = directive.includes("^") ? [] : (apacheRoles[letter] ?? []);
    return [{ role: role ?? "ignored", name: name ?? directive, ...(role === "request" && { blanks: 2 }) }];
  });
}

/** %t is "[10/Feb/2012:16:42:07 -0500]". */
function commonTime(): Part[] {
  return [{ text: "[" }, { role: "time", name: "time", blanks: 1 }, { text: "]" }];
}

/**
 * %{...}t: strftime, or sec, msec and usec. Values are recognised by their form; only the blanks in them must be known.
 */
function apacheTime(argument: string): Part {
  const format = argument.replace(/^(?:begin|end):?/, "");
  if (format === "") return { role: "ignored", name: "time" };
  const blanks = format.split(" ").length - 1;
  if (/frac$/.test(format)) return { role: "ignored", name: "fraction of the time" };
  const hasDay = /%[dDFceYyxs+]|^[mu]?sec$/.test(format);
  const hasClock = /%[TXHIRrsc+]|^[mu]?sec$/.test(format);
  if (hasDay && hasClock) return { role: "time", name: "time", blanks };
  return { role: hasDay ? "date" : hasClock ? "clock" : "ignored", name: "time", blanks };
}

const nginxRoles: Record<string, Role> = {
  request: "request",
  request_method: "method",
  request_uri: "url",
  uri: "path",
  document_uri: "path",
  args: "query",
  query_string: "query",
  status: "status",
  body_bytes_sent: "bytes",
  host: "host",
  http_host: "host",
  server_name: "server",
  server_port: "port",
  scheme: "scheme",
  http_x_forwarded_proto: "scheme",
  http_user_agent: "agent",
  sent_http_location: "location",
  upstream_http_location: "location",
  time_local: "time",
  time_iso8601: "time",
  msec: "time",
  bucket: "bucket",
};

/** Several variables can say the same thing: the one that is listed first is taken. */
const preferred: readonly (readonly string[])[] = [
  ["http_host", "host"],
  ["msec", "time_iso8601", "time_local"],
  ["sent_http_location", "upstream_http_location"],
  ["request_uri", "uri", "document_uri"],
  ["args", "query_string"],
];

function nginxParts(format: string): Part[] {
  const variables = new Set([...format.matchAll(/\$\{?(\w+)\}?/g)].map((match) => match[1]!));
  const passedOver = new Set<string>();
  for (const names of preferred)
    for (const name of names.filter((n) => variables.has(n)).slice(1)) passedOver.add(name);
  if (variables.has("http_host") || variables.has("host")) passedOver.add("server_name").add("server_port");
  return split(format, /\$\{?(\w+)\}?/g, (match) => {
    const name = match[1]!;
    if (name === "is_args") return [{ role: "ignored", name }];
    // Without the body's size, the bytes on the wire are the best there is.
    if (name === "bytes_sent" && !variables.has("body_bytes_sent")) return [{ role: "bytes", name: "size" }];
    const role: Role = passedOver.has(name) ? "ignored" : (nginxRoles[name] ?? "ignored");
    const blanks = name === "time_local" ? 1 : role === "request" ? 2 : 0;
    return [{ role, name: name.replaceAll("_", " "), blanks }];
  });
}

function split(format: string, directive: RegExp, parts: (match: RegExpMatchArray) => Part[]): Part[] {
  const all: Part[] = [];
  let at = 0;
  for (const match of format.matchAll(directive)) {
    all.push({ text: format.slice(at, match.index) }, ...parts(match));
    at = match.index + match[0].length;
  }
  all.push({ text: format.slice(at) });
  return all;
}

/** Sequences of fields with nothing between them that can be read as one. */
const joinedRoles: readonly (readonly [pattern: RegExp, role: Role])[] = [
  // %U%q, $uri$is_args$args, $host$request_uri, %V%U%q
  [/^(?:host |server )?(?:url|path(?: ignored)?(?: query)?)$/, "url"],
];

function join(parts: readonly Part[], format: string): Program {
  const fields: Field[] = [];
  let literal = "";
  let group: Omit<Field, "before">[] = [];
  const close = () => {
    if (group.length === 0) return;
    const roles = group.map((field) => field.role).join(" ");
    const role =
      joinedRoles.find(([pattern]) => group.length > 1 && pattern.test(roles))?.[1] ?? together(group, format);
    fields.push({ ...group[0]!, name: group.map((field) => field.name).join(""), role, before: literal });
    group = [];
    literal = "";
  };
  for (const part of parts) {
    if (!("text" in part)) {
      group.push(part);
    } else if (part.text !== "") {
      close();
      literal += part.text;
    }
  }
  close();
  return new Program(fields, literal, "backslash");
}

function together(group: readonly Omit<Field, "before">[], format: string): Role {
  if (group.length === 1) return group[0]!.role;
  const wanted = group.find((field) => field.role !== "ignored");
  if (wanted === undefined) return "ignored";
  const names = group.map((field) => field.name).join(" and ");
  throw new UserError(
    `--log-format has nothing between ${names}, so they cannot be told apart: ${JSON.stringify(format)}`,
  );
}
