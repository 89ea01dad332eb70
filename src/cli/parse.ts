/** Words of a command line into arguments, by the flag table. */
import { parseArgs } from "node:util";
import { UserError } from "../errors.js";

/** One flag of the flag table. Without `value` it is a switch; with it, `value` names the argument in the help. */
export interface Flag {
  readonly name: string;
  readonly short?: string;
  readonly value?: string;
  readonly default?: string;
  /** May be given several times. */
  readonly many?: boolean;
  readonly help: string;
}

export interface Command {
  readonly name: string;
  /** What follows "dustpan NAME" in the usage line. */
  readonly usage: string;
  readonly summary: string;
  /** Paragraphs for `dustpan NAME --help`. */
  readonly details?: readonly string[];
  readonly flags: readonly Flag[];
}

/** A command line, checked against the flag table. Every getter takes a flag's name as the table spells it. */
export class Arguments {
  readonly #values: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

  constructor(
    readonly command: Command,
    readonly inputs: readonly string[],
    values: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>,
  ) {
    this.#values = values;
  }

  has(name: string): boolean {
    return this.#values[name] !== undefined && this.#values[name] !== false;
  }

  text(name: string): string | undefined {
    const value = this.#values[name] ?? this.command.flags.find((flag) => flag.name === name)?.default;
    return typeof value === "string" ? value : undefined;
  }

  texts(name: string): string[] {
    const value = this.#values[name];
    return Array.isArray(value) ? value.map(String) : [];
  }

  /** A number within [least, most]; undefined where neither the user nor the table gives one. */
  number(name: string, least = 0, most = Number.POSITIVE_INFINITY): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (text.trim() === "" || !Number.isFinite(value) || value < least || value > most) {
      const range = most < Number.MAX_SAFE_INTEGER ? `from ${least} to ${most}` : `of at least ${least}`;
      throw new UserError(`--${name} ${text}: expected a number ${range}`);
    }
    return value;
  }

  integer(name: string, least = 0, most = Number.MAX_SAFE_INTEGER): number | undefined {
    const value = this.number(name, least, most);
    if (value !== undefined && !Number.isInteger(value)) {
      throw new UserError(`--${name} ${this.text(name)}: expected a whole number`);
    }
    return value;
  }

  /** A share: "5%" or "0.05". */
  share(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const [, digits = "", sign] = /^(\d+(?:\.\d+)?|\.\d+)(%?)$/.exec(text.trim()) ?? [];
    const share = sign === "%" ? Number(digits) / 100 : Number(digits);
    if (digits === "" || share > 1) throw new UserError(`--${name} ${text}: expected a share such as 5% or 0.05`);
    return share;
  }

  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const found = choices.find((choice) => choice === text);
    if (found === undefined) throw new UserError(`--${name} ${text}: expected one of ${choices.join(", ")}`);
    return found;
  }
}

export function parseCommandLine(command: Command, words: readonly string[]): Arguments {
  const options: NonNullable<Parameters<typeof parseArgs>[0]>["options"] = {};
  for (const flag of command.flags) {
    options[flag.name] = {
      type: flag.value === undefined ? "boolean" : "string",
      ...(flag.short === undefined ? {} : { short: flag.short }),
      ...(flag.many ? { multiple: true } : {}),
    };
  }
  const { values, positionals, tokens } = read(command, words, () =>
    parseArgs({ ...{ args: [...words], options, allowPositionals: true, strict: true, tokens: true } }),
  );
  const given = tokens.flatMap((token) => (token.kind === "option" && token.value !== undefined ? [token.name] : []));
  const twice = command.flags.find(({ name, many }) => !many && given.indexOf(name) !== given.lastIndexOf(name));
  if (twice !== undefined) throw new UserError(`--${twice.name} is given twice: expected one ${twice.value}`);
  const [surplus] = takesInputs(command) ? [] : positionals;
  if (surplus !== undefined && values.help !== true) {
    throw new UserError(`${command.name} takes no "${surplus}", only flags; see "dustpan ${command.name} --help"`);
  }
  return new Arguments(command, positionals, values);
}

/** What Node finds wrong with the words is the user's mistake; any other error is ours, and stays as it is. */
function read<T>(command: Command, words: readonly string[], parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && /^ERR_PARSE_ARGS_/.test(String(error.code)))) throw error;
    throw new UserError(explain(command, words, error));
  }
}

/** Does the usage line name anything but flags and their values? */
function takesInputs({ usage }: Command): boolean {
  return /[A-Za-z]/.test(usage.replace(/--[a-z-]+( [A-Z]+)?/g, ""));
}

/** Node's messages are for programmers; these name the flag, the nearest one there is, and where to read more. */
function explain(command: Command, words: readonly string[], { message }: Error): string {
  const unknown = /Unknown option '([^']+)'/.exec(message)?.[1];
  const more = `see "dustpan ${command.name} --help"`;
  if (unknown !== undefined) {
    const near = nearest(
      unknown.replace(/^-+/, ""),
      command.flags.map((flag) => flag.name),
    );
    return `${command.name} has no flag ${unknown}${near === undefined ? "" : ` (did you mean --${near}?)`}; ${more}`;
  }
  const missing = command.flags.find((flag) => flag.value !== undefined && message.includes(`--${flag.name}`));
  if (missing !== undefined) return `--${missing.name} needs a value (${missing.value}); ${more}`;
  return `${words.join(" ")}: ${message.split("\n", 1)[0]}; ${more}`;
}

/** The candidate with the smallest edit distance, if it is near enough to be meant. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(word, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, previous[j]! + 1, row[j - 1]! + 1));
    }
    previous = row;
  }
  return previous[b.length]!;
}
