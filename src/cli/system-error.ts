/** What the operating system refuses is not a fault of dustpan, and its code is not for people. */

const verbOfCall: Readonly<Record<string, string>> = {
  open: "open",
  rename: "write",
  write: "write",
  mkdir: "make the folder",
  mkdtemp: "make a folder",
  scandir: "read the folder",
  read: "read",
  listen: "listen on",
};

/** One line for an error of a system call: what could not be done, to what, and why. Undefined for other errors. */
export function describeSystemError(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("syscall" in error) || !("code" in error)) return undefined;
  const { syscall, path, dest, port } = error as NodeJS.ErrnoException & { dest?: string; port?: number };
  // "EACCES: permission denied, open 'x'", "listen EADDRINUSE: address already in use 127.0.0.1:80"
  const why = /E[A-Z0-9]+: ([^,]*?)(?:,| [\d.:]+$|$)/.exec(error.message)?.[1] ?? error.message;
  // Files are written beside their place under a name with the process' number, and moved there when complete.
  const file = (dest ?? path)?.replace(/\.\d+\.tmp$/, "");
  const what = file ?? (port === undefined ? "" : `port ${port}`);
  const advice = port === undefined ? "" : "; choose another with --port, or --port 0 for any free one";
  return `cannot ${`${verbOfCall[String(syscall)] ?? syscall} ${what}`.trimEnd()}: ${why}${advice}`;
}
