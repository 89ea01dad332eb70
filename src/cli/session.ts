/** What a command is given. */
import type { JobContext } from "../model.js";
import type { Terminal } from "./terminal.js";

/** What a command works with. `commands/NAME.ts` exports `run(args, session)`, which may return an exit code. */
export interface Session {
  readonly terminal: Terminal;
  /** What its jobs tell how far they are, and are ended by. */
  readonly context: JobContext;
}
