import { DataError } from "../../errors.js";

/**
 * The fields of a JSON object that people may have written: each is read by name and type, and what is missing, of
 * another type or unknown is an error that says where it is, what it is, and what was expected.
 */
export class Fields {
  readonly #values: Readonly<Record<string, unknown>>;
  /** Names that were asked for; a list, since there may be very many objects of few fields. */
  readonly #known: string[] = [];
  readonly #file: string;
  readonly #path: () => string;

  /** `path` says the way to the object within the file, where a message needs it: "rules[3].scope", or "". */
  constructor(value: unknown, file: string, path = () => "") {
    this.#file = file;
    this.#path = path;
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new DataError(`${show(value)} is not an object`, this.#place());
    }
    this.#values = value as Record<string, unknown>;
  }

  has(name: string): boolean {
    this.#known.push(name);
    return this.#values[name] !== undefined;
  }

  /** A string; without `fallback` it has to be there. */
  text(name: string, fallback?: string): string {
    return this.#read(name, "a string", (value) => typeof value === "string", fallback);
  }

  flag(name: string, fallback?: boolean): boolean {
    return this.#read(name, "true or false", (value) => typeof value === "boolean", fallback);
  }

  /** A whole number of 0 or more. */
  count(name: string, fallback?: number): number {
    return this.#read(
      name,
      "a whole number",
      (value) => Number.isSafeInteger(value) && (value as number) >= 0,
      fallback,
    );
  }

  share(name: string, fallback?: number): number {
    const isShare = (value: unknown) => typeof value === "number" && value >= 0 && value <= 1;
    return this.#read(name, "a number between 0 and 1", isShare, fallback);
  }

  oneOf<T extends string | number | null>(name: string, choices: readonly T[], fallback?: T): T {
    const expected = () => (choices.length === 1 ? show(choices[0]) : `one of ${choices.map(show).join(", ")}`);
    return this.#read(name, expected, (value) => choices.includes(value as T), fallback);
  }

  object(name: string): Fields {
    return new Fields(
      this.#read(name, "an object", (value) => typeof value === "object"),
      this.#file,
      () => this.#pathOf(name),
    );
  }

  /** What `read` makes of the objects of a list, one by one. */
  list<T>(name: string, read: (item: Fields) => T, fallback?: readonly T[]): T[] {
    const items = this.#read<readonly unknown[]>(name, "a list", Array.isArray, fallback);
    return items.map((item, i) => read(new Fields(item, this.#file, () => `${this.#pathOf(name)}[${i}]`)));
  }

  texts(name: string): string[] {
    const isTexts = (value: unknown) => Array.isArray(value) && value.every((item) => typeof item === "string");
    return this.#read(name, "a list of strings", isTexts);
  }

  /** The object as it is, whatever its fields are. */
  all(): Readonly<Record<string, unknown>> {
    return this.#values;
  }

  /** To be called last: a field that nobody has asked for is most likely a slip of the pen. */
  end(): void {
    const unknown = Object.keys(this.#values).find((name) => !this.#known.includes(name));
    if (unknown !== undefined) {
      throw new DataError(
        `unknown field ${show(unknown)}, expected ${[...new Set(this.#known)].map(show).join(", ")}`,
        this.#place(),
      );
    }
  }

  /** Throws what is wrong with the field of this name, or path. */
  fail(name: string, problem: string): never {
    throw new DataError(problem, this.#place(name));
  }

  #pathOf(name: string): string {
    const path = this.#path();
    return path === "" ? name : `${path}.${name}`;
  }

  #place(name?: string): string {
    const path = name === undefined ? this.#path() : this.#pathOf(name);
    return path === "" ? this.#file : `${this.#file}: ${path}`;
  }

  /** `expected` in words; those of a long list are made only where they are needed. */
  #read<T>(name: string, expected: string | (() => string), isExpected: (value: unknown) => boolean, fallback?: T): T {
    this.#known.push(name);
    const value = this.#values[name];
    if (value === undefined && fallback !== undefined) return fallback;
    if (value !== undefined && isExpected(value)) return value as T;
    const words = typeof expected === "string" ? expected : expected();
    if (value === undefined) throw new DataError(`"${name}" is missing, expected ${words}`, this.#place());
    throw new DataError(`${show(value)} is not ${words}`, this.#place(name));
  }
}

const MAX_SHOWN = 60;

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text;
}
