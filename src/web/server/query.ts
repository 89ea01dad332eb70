import { UserError } from "../../errors.js";

/** Reading what a request asks for; messages name the field. */

export function limitOf(query: URLSearchParams, fallback = 50): number {
  return integerOf(query, "limit", 1, 500) ?? fallback;
}

export function integerOf(query: URLSearchParams, name: string, least: number, most: number): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  const value = Number(text);
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new UserError(`${name}=${text}: expected a whole number from ${least} to ${most}`);
  }
  return value;
}

export function choiceOf<T extends string>(query: URLSearchParams, name: string, choices: readonly T[]): T | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  const found = choices.find((choice) => choice === text);
  if (found === undefined) throw new UserError(`${name}=${text}: expected one of ${choices.join(", ")}`);
  return found;
}

/** A text that is there and not empty, as a field to spread. */
export function given<Name extends string>(query: URLSearchParams, name: Name): { [Key in Name]?: string } {
  const text = query.get(name);
  return (text === null || text === "" ? {} : { [name]: text }) as { [Key in Name]?: string };
}

export function objectOf(body: unknown): Readonly<Record<string, unknown>> {
  if (typeof body !== "object" || body === null || Array.isArray(body)) throw new UserError("expected a JSON object");
  return body as Record<string, unknown>;
}

export function idOf(text: string, what: string): number {
  const id = Number(text);
  if (!/^\d+$/.test(text) || id > 0xffffffff) throw new UserError(`no ${what} ${text}`);
  return id;
}

export function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
