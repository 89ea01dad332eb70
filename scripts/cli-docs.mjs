// Writes docs/cli.md from the flag table. A test checks that the file is what this makes.
import { writeFileSync } from "node:fs";
import { listCommands } from "../dist/cli/commands.js";
import { commandsAsMarkdown } from "../dist/cli/help.js";

writeFileSync("docs/cli.md", commandsAsMarkdown(listCommands()));
