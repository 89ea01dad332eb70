/** One command line: finds the command, runs it, and turns the outcome into an exit code. */
import { existsSync, readFileSync } from "node:fs";
import { EngineError, FAULT_HINT, faultOf, InterruptedError, UserError } from "../errors.js";
import { maskCredentials } from "../url/credentials.js";
import { findCommand, listCommands } from "./commands.js";
import { commandHelp, overview } from "./help/help.js";
import { type Arguments, nearest, parseCommandLine } from "./parse.js";
import { openSession, type Session } from "./session.js";
import { describeSystemError } from "./system-error.js";
import { count, paint, printable, type Terminal } from "./terminal.js";

interface CommandModule {
  readonly run: (args: Arguments, session: Session) => Promise<number | undefined>;
}

export async function runCommandLine(words: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = words;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    const asked = rest[0] === undefined ? undefined : findCommand(rest[0]);
    terminal.out(asked === undefined ? overview(listCommands()) : commandHelp(asked, terminal.width));
    return 0;
  }
  if (name === "--version" || name === "-V" || name === "-v") {
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    terminal.out(version);
    return 0;
  }
  try {
    return await runCommand(name, rest, terminal);
  } catch (error) {
    terminal.clear();
    return reportError(error, terminal);
  } finally {
    terminal.clear();
  }
}

async function runCommand(name: string, words: readonly string[], terminal: Terminal): Promise<number> {
  const command = findCommand(name);
  if (command === undefined) {
    if (name.startsWith("-")) throw new UserError(`${name}: flags follow the command, as in "dustpan info ${name}"`);
    const near = nearest(
      name,
      listCommands().map((known) => known.name),
    );
    // "dustpan access.log" is what most people try first.
    const meant = near ?? (existsSync(name) ? `run ${name}` : undefined);
    throw new UserError(
      `no command "${name}"${meant === undefined ? "" : ` (did you mean "${meant}"?)`}; "dustpan --help" lists them`,
    );
  }
  const args = parseCommandLine(command, words);
  if (args.has("help")) {
    terminal.out(commandHelp(command, terminal.width));
    return 0;
  }
  if (args.text("format") === "help" || args.texts("keep").includes("help")) {
    const { describeChoices } = await import("./choices.js");
    terminal.out(describeChoices(args)!);
    return 0;
  }
  const module: CommandModule = await import(`./commands/${command.name}.js`);
  const own = { ...terminal, unmask: args.has("unmask") };
  const silent = { ...own, progress: () => {}, err: () => {} };
  const session = openSession(args.has("quiet") ? silent : own);
  try {
    return (await module.run(args, session)) ?? 0;
  } finally {
    session.close();
  }
}

/** Tells what went wrong, and gives the exit code for it. */
export function reportError(error: unknown, terminal: Terminal): number {
  if (error instanceof InterruptedError) {
    // Most work is as quick to start again; work that resumes where it stopped says so itself.
    const next = error.message.includes("the same command") ? "" : "; the same command begins again";
    terminal.err(`interrupted: ${maskCredentials(error.message)}${next}`);
    return 3;
  }
  const refused = describeSystemError(error);
  if (refused !== undefined) {
    terminal.err(`${paint(terminal, "red", "dustpan:")} ${maskCredentials(refused)}`);
    return 2;
  }
  const expected = error instanceof Error && ["UserError", "DataError", "EngineError"].includes(error.name);
  const message = error instanceof Error ? (expected ? error.message : faultOf(error)) : String(error);
  const hint = expected ? "" : FAULT_HINT;
  terminal.err(`${paint(terminal, "red", "dustpan:")} ${maskCredentials(message)}${hint}`);
  if (error instanceof EngineError && error.sql !== undefined) terminal.err(describeStatement(error.sql));
  return 2;
}

/** Hundreds of rules make a statement that fills screens. */
const STATEMENT_SHOWN = 4000;

/** Whoever runs the steps on their own engine must see which statement it refused. */
function describeStatement(sql: string): string {
  // Masked before it is cut: half an address is not recognised as one.
  const masked = maskCredentials(sql);
  const rest = masked.length - STATEMENT_SHOWN;
  const shown = masked.slice(0, STATEMENT_SHOWN).split("\n").map(printable).join("\n");
  return `\nthe statement was:\n${shown}${rest > 0 ? `\n... and ${count(rest)} more characters` : ""}`;
}
