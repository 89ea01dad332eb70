import { EngineError, UserError } from "../errors.js";
import type { Value } from "./engine.js";

/** A value as both engines give it: integers as numbers, which must be exact. */
export function toValue(value: unknown, step: string): Value {
  if (typeof value === "bigint") {
    const number = Number(value);
    if (!Number.isSafeInteger(number)) throw new EngineError(`${value} is not an exact number here`, `step ${step}`);
    return number;
  }
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  throw new EngineError(`a result of type ${typeof value} was not expected`, `step ${step}`);
}

export function tooManyRows(step: string, limit: number): UserError {
  return new UserError(
    `the result of step ${step} has more than ${limit.toLocaleString("en")} rows, too many to bring back; ` +
      "raise --limit-result, or ask for less (such as a larger --min-support)",
  );
}
