/** What a command is given. */
import type { Terminal } from "./terminal.js";

/** What a command works with. `commands/NAME.ts` exports `run(args, session)`, which may return an exit code. */
export interface Session {
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}
