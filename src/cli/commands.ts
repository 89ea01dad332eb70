/**
 * The flag table (`table/`): it makes the parser, `--help` and docs/cli.md. Data only, so that `--help` loads nothing heavy; the
 * code of command NAME is in commands/NAME.ts.
 */
import type { Command } from "./parse.js";
import { copyCommands } from "./table/copy-commands.js";
import { commonFlags, workspaceFlag } from "./table/flags.js";
import { ruleCommands } from "./table/rule-commands.js";
import { siteCommands } from "./table/site-commands.js";

const commands: readonly Command[] = [
  ...ruleCommands,
  ...siteCommands,
  ...copyCommands,
  {
    name: "info",
    usage: "",
    summary: "what is in the workspace; remove snapshots, compact",
    flags: [
      { name: "remove-snapshot", value: "NAME", many: true, help: "remove a snapshot and all that was read for it" },
      { name: "compact", help: "give the room of removed data back to the file system" },
      workspaceFlag,
      ...commonFlags,
    ],
  },
  {
    name: "completion",
    usage: "bash | zsh | fish",
    summary: "what a shell needs to complete commands and flags",
    flags: commonFlags.filter(({ name }) => name === "help"),
  },
];

export function listCommands(): readonly Command[] {
  return commands;
}

export function findCommand(name: string): Command | undefined {
  return commands.find((command) => command.name === name);
}
