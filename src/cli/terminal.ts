/** Output: results, messages, the progress line, tables and colours. */
import type { Progress } from "../model.js";
import { bytes, count, duration } from "../numbers.js";

export { bytes, count, counted, duration, percent } from "../numbers.js";

/** Where a command writes: results to `out`, everything else to `err`. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Bulk results, as they are: bytes, or text in latin1, one character a byte. Resolves when stdout has taken it. */
  readonly write: (output: string | Uint8Array) => Promise<void>;
  readonly color: boolean;
  /** Are session ids and tokens shown as they are? */
  readonly unmask: boolean;
  /** Columns of stdout; tables are cut to it on a terminal only. */
  readonly width: number | undefined;
  readonly progress: (progress: Progress) => void;
  /** Takes the progress line away, so that ordinary output can follow. */
  readonly clear: () => void;
}

type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";
const codes: Record<Style, readonly [number, number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

/** What must not reach a terminal: it moves the cursor, changes colours, or turns the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const UNPRINTABLE = /[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;
/** The same in a text of several lines, where line ends are allowed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const UNPRINTABLE_IN_LINES = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Marks our own colours until they are written: nobody who writes logs, archives or rules files can know it. Those were
 * written before it is drawn, so any random number will do; node:crypto would take longer to load than all of this.
 */
const KEY = `${Math.random()}-${Math.random()}`.replaceAll(".", "");
const OWN_COLOURS = new RegExp(`${KEY}(\\d+)m`, "g");

export function paint(terminal: Terminal, style: Style, text: string): string {
  const [on, off] = codes[style];
  return terminal.color && text !== "" ? `${KEY}${on}m${text}${KEY}${off}m` : text;
}

export function openTerminal(
  stdout: NodeJS.WriteStream = process.stdout,
  stderr: NodeJS.WriteStream = process.stderr,
  environment: NodeJS.ProcessEnv = process.env,
  now: () => number = () => performance.now(),
): Terminal {
  const live = stderr.isTTY === true && environment.TERM !== "dumb";
  const decoder = new TextDecoder();
  const color = stdout.isTTY === true && !environment.NO_COLOR && environment.TERM !== "dumb";
  const line = new ProgressLine((text) => stderr.write(text), now);
  return {
    out: (text) => {
      if (live) line.clear();
      stdout.write(`${safe(text)}\n`);
    },
    err: (text) => {
      if (live) line.clear();
      stderr.write(`${safe(text)}\n`);
    },
    write: async (output) => {
      if (live) line.clear();
      const bytes = typeof output === "string" ? Buffer.from(output, "latin1") : output;
      // A file gets every byte as it is; a screen must not get every character that a list of URLs may hold.
      const shown = stdout.isTTY ? safe(decoder.decode(bytes, { stream: true })) : bytes;
      // A failure is also an "error" event of the stream.
      await new Promise<void>((resolve) => {
        stdout.write(shown, () => resolve());
      });
    },
    color,
    unmask: false,
    width: stdout.isTTY === true ? stdout.columns : undefined,
    progress: (progress) => {
      if (live) line.show(progress, stderr.columns ?? 80);
    },
    clear: () => {
      if (live) line.clear();
    },
  };
}

const REDRAW_MS = 100;

/** One line on a terminal, drawn again at most ten times a second: step, count, rate, time left. */
class ProgressLine {
  #step = "";
  #startedMs = 0;
  #drawnMs = 0;
  #visible = false;
  readonly #write: (text: string) => void;
  readonly #now: () => number;

  constructor(write: (text: string) => void, now: () => number) {
    this.#write = write;
    this.#now = now;
  }

  show(progress: Progress, columns: number): void {
    const nowMs = this.#now();
    if (progress.step !== this.#step) {
      this.#step = progress.step;
      this.#startedMs = nowMs;
    } else if (nowMs - this.#drawnMs < REDRAW_MS) {
      return;
    }
    this.#drawnMs = nowMs;
    this.#visible = true;
    const text = printable(describeProgress(progress, (nowMs - this.#startedMs) / 1000));
    this.#write(`\r\x1b[2K${text.slice(0, columns - 1)}`);
  }

  clear(): void {
    if (this.#visible) this.#write("\r\x1b[2K");
    this.#visible = false;
    this.#step = "";
  }
}

export function describeProgress({ step, done, total, unit, note }: Progress, seconds: number): string {
  const parts = [step];
  if (total !== undefined && total > 0) parts.push(`${Math.floor((100 * done) / total)}%`);
  parts.push(amount(done, unit));
  if (seconds >= 0.5 && done > 0) {
    if (done >= seconds) parts.push(`${amount(done / seconds, unit)}/s`);
    if (total !== undefined && total > done) parts.push(`${duration(((total - done) * seconds) / done)} left`);
  }
  if (note !== undefined) parts.push(note);
  return parts.join("  ");
}

function amount(value: number, unit: string): string {
  return unit === "bytes" ? bytes(value) : `${count(Math.round(value))} ${unit}`;
}

export interface Column {
  readonly title: string;
  readonly right?: boolean;
}

/** Columns side by side, as wide as their widest cell. Cells may be painted: colours take no room. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const widths = columns.map(({ title }, i) =>
    rows.reduce((widest, row) => Math.max(widest, visibleLength(row[i] ?? "")), title.length),
  );
  const line = (cells: readonly string[]) =>
    columns
      .map(({ right }, i) => {
        const cell = cells[i] ?? "";
        const gap = " ".repeat(widths[i]! - visibleLength(cell));
        return right ? gap + cell : cell + gap;
      })
      .join("  ")
      .trimEnd();
  return [line(columns.map(({ title }) => title)), ...rows.map(line)].join("\n");
}

function visibleLength(text: string): number {
  return text.replace(OWN_COLOURS, "").length;
}

/**
 * Cleans what is written to a terminal, in case nobody did so before: names from archives, fields of a rules file and
 * messages of a database may hold anything. Only our own colours stay.
 */
function safe(text: string): string {
  return text.replace(UNPRINTABLE_IN_LINES, "\ufffd").replace(OWN_COLOURS, "\x1b[$1m");
}

/** Text from a log is shown as it is, but can never move the cursor or change colours. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, "\ufffd");
}
