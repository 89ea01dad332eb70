/** What the user did or asked for cannot be done; the message says what to do instead. */
export class UserError extends Error {
  override name = "UserError";
}

/** A record of an input cannot be read. `place` is where: a file with a line, or a file with a byte offset. */
export class DataError extends Error {
  override name = "DataError";
  constructor(
    message: string,
    readonly place: string,
  ) {
    super(`${place}: ${message}`);
  }
}

/**
 * An engine refused a statement. `sql` is that statement if the fault is in it, and not, say, in a server that is gone.
 */
export class EngineError extends Error {
  override name = "EngineError";
  constructor(
    message: string,
    readonly step: string,
    readonly sql?: string,
  ) {
    super(`${step}: ${message}`);
  }
}

/** The program is wrong, ours or the one that calls the library: something that must hold did not. */
export class InvariantError extends Error {
  override name = "InvariantError";
}

/** The work was cancelled by its signal; what was committed before stays, and the same call goes on from there. */
export class InterruptedError extends Error {
  override name = "InterruptedError";
}

export const FAULT_HINT = "\nthis is a fault in dustpan; please report it with the text above";

/** What went wrong, in one line, and the place in the code: that is enough to repair it, and users need no list of calls. */
export function faultOf(error: Error): string {
  const place = /[/\\]dist[/\\]([^\s()]+?:\d+):\d+/.exec(error.stack ?? "")?.[1];
  const message = error.message.replace(/[\p{Cc}\p{Bidi_Control}]+/gu, " ");
  return `${error.name}: ${message}${place === undefined ? "" : ` (${place})`}`;
}
