/**
 * W3C extended logs: IIS, CloudFront, NetScaler, Incapsula. "#Fields:" lines say what the columns are, and may come
 * again with other columns; fields are separated by blanks or tabs, values may be in quotes, "-" is nothing.
 */
import type { LineReader, LogSink } from "../format.js";
import { type Field, Program, type Role } from "./program.js";
import { Recorder } from "./recorder.js";

export const FIELDS_DIRECTIVE = "#Fields:";

const roleOfField: Record<string, Role> = {
  date: "date",
  "date-local": "date",
  time: "clock",
  "time-local": "clock",
  "cs-method": "method",
  "cs-uri-stem": "path",
  "cs-uri": "url",
  "cs-uri-query": "query",
  "sc-status": "status",
  "c-status": "status",
  "sc-bytes": "bytes",
  "sc-content-len": "bytes",
  "cs(user-agent)": "agent",
  "cs-host": "host",
  "cs(host)": "host",
  "x-host-header": "host",
  "cs-protocol": "scheme",
  "s-port": "schemePort",
};

/** Of several columns that say the same thing, the first listed is taken: CloudFront's cs(Host) is its own name. */
const preferred: readonly (readonly string[])[] = [
  ["x-host-header", "cs-host", "cs(host)"],
  ["sc-content-len", "sc-bytes"],
  ["sc-status", "c-status"],
  ["date", "date-local"],
  ["time", "time-local"],
  ["cs-uri", "cs-uri-stem"],
];

/** `line` is one that begins with "#Fields:"; `example`, a line of data, tells blanks from tabs. */
export function compileFields(line: string, example: string): Program {
  const names = line.slice(FIELDS_DIRECTIVE.length).trim().split(/\s+/);
  const lower = names.map((name) => name.toLowerCase());
  const passedOver = new Set<string>();
  for (const group of preferred)
    for (const name of group.filter((n) => lower.includes(n)).slice(1)) passedOver.add(name);
  const separator = example.includes("\t") ? "\t" : " ";
  const fields = lower.map<Field>((name, i) => ({
    before: i === 0 ? "" : separator,
    role: passedOver.has(name) ? "ignored" : (roleOfField[name] ?? "ignored"),
    name: names[i]!,
  }));
  return new Program(fields, "", "w3c");
}

export class W3cReader implements LineReader {
  readonly #recorder: Recorder;
  readonly #sink: LogSink;
  #directive: string | undefined;
  #program: Program | undefined;

  constructor(sink: LogSink) {
    this.#sink = sink;
    this.#recorder = new Recorder(sink);
  }

  line(buffer: Buffer, start: number, end: number): string | undefined {
    let from = start;
    while (from < end && (buffer[from] === 0x20 || buffer[from] === 0x09)) from++;
    if (from === end) return undefined;
    if (buffer[from] === 0x23) {
      const text = buffer.toString("latin1", from, end);
      if (text.startsWith(FIELDS_DIRECTIVE)) {
        this.#directive = text;
        this.#program = undefined;
      }
      return undefined;
    }
    if (this.#program === undefined) {
      if (this.#directive === undefined) return `there is no ${FIELDS_DIRECTIVE} line before it`;
      this.#program = compileFields(this.#directive, buffer.toString("latin1", from, end));
      if (!this.#program.has("path") && !this.#program.has("url")) {
        this.#program = undefined;
        this.#sink.record();
        return "its #Fields line names no column for the URL";
      }
    }
    const reason = this.#program.match(buffer, from, end);
    if (reason === undefined) return this.#recorder.add(this.#program, buffer);
    this.#sink.record();
    return reason;
  }
}
