/** What a command is given. */
import type { JobContext } from "../model.js";
import type { Terminal } from "./terminal.js";

/** What a command works with. `commands/NAME.ts` exports `run(args, session)`, which may return an exit code. */
export interface Session {
  readonly terminal: Terminal;
  /** Takes the progress of the command's jobs, and carries the signal that ends them. */
  readonly context: JobContext;
}

/**
 * Until somebody asks for the signal of Ctrl-C there is nothing to end tidily: the process ends at once, even in the
 * middle of a rules file of any length. After `close` it ends at once again.
 */
export function openSession(terminal: Terminal): Session & { close(): void } {
  let interrupt: AbortController | undefined;
  const onInterrupt = () => {
    // A second Ctrl-C does not wait for the tidy end.
    if (interrupt?.signal.aborted) process.exit(3);
    interrupt?.abort();
  };
  const onTerminate = () => interrupt?.abort();
  const context: JobContext = {
    onProgress: terminal.progress,
    get signal() {
      if (interrupt === undefined) {
        interrupt = new AbortController();
        process.on("SIGINT", onInterrupt);
        process.on("SIGTERM", onTerminate);
      }
      return interrupt.signal;
    },
  };
  const close = () => {
    process.off("SIGINT", onInterrupt);
    process.off("SIGTERM", onTerminate);
  };
  return { terminal, context, close };
}
