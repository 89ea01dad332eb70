// Writes docs/cli.md and docs/dustpan.1 from the flag table. A test checks that the files are what this makes.
import { readFileSync, writeFileSync } from "node:fs";
import { listCommands } from "../dist/cli/commands.js";
import { commandsAsMarkdown } from "../dist/cli/help/help.js";
import { manPage } from "../dist/cli/help/man-page.js";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
writeFileSync("docs/cli.md", commandsAsMarkdown(listCommands()));
writeFileSync("docs/dustpan.1", manPage(listCommands(), version));
