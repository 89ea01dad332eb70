#!/usr/bin/env node
/** The process: runs the command line that it was started with, and ends with its exit code. */
import { reportError, runCommandLine } from "./run-command-line.js";
import { openTerminal } from "./terminal.js";

const terminal = openTerminal();
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // `dustpan ... | head` is not an error.
  process.exit(error.code === "EPIPE" ? 0 : reportError(error, terminal));
});
// Nobody reads the messages any more: the work goes on.
process.stderr.on("error", () => {});
process.exitCode = await runCommandLine(process.argv.slice(2), terminal);
