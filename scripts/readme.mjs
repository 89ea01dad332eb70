// Keeps the README and docs/library.md true: fills in the output of examples, the table of commands, and the examples'
// code. `--check` only compares.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { listCommands } from "../dist/cli/commands.js";

const before = readFileSync("README.md", "utf8");
const withExamples = before.replace(/<!-- example: dustpan (.+?) -->\n```\n[\s\S]*?\n```/g, (_, words) => {
  const { stdout } = spawnSync(process.execPath, ["dist/cli/main.js", ...words.split(" ")], { encoding: "utf8" });
  return `<!-- example: dustpan ${words} -->\n\`\`\`\n$ dustpan ${words}\n${stdout.trimEnd()}\n\`\`\``;
});
const table = [
  "| command | what it does |",
  "|---|---|",
  ...listCommands().map(({ name, summary }) => `| \`dustpan ${name}\` | ${summary} |`),
].join("\n");
const code = (text) =>
  text.replace(
    /<!-- (examples\/[\w-]+\.m[jt]s) -->\n```(js|ts)\n[\s\S]*?```/g,
    (_, file, language) => `<!-- ${file} -->\n\`\`\`${language}\n${readFileSync(file, "utf8").trimEnd()}\n\`\`\``,
  );
const after = code(withExamples).replace(/(## The commands\n\n)[\s\S]*?(\n\n`dustpan COMMAND)/, `$1${table}$2`);

const library = readFileSync("docs/library.md", "utf8");
const withCode = code(library);

if (process.argv.includes("--check")) {
  if (after !== before || withCode !== library) {
    console.error("README.md or docs/library.md is out of date: run node scripts/readme.mjs");
    process.exit(1);
  }
} else {
  writeFileSync("README.md", after);
  writeFileSync("docs/library.md", withCode);
}
