/** `--help`: all commands, or one, from the flag table. */

import type { Command, Flag } from "../parse.js";
import { commandExamples } from "./examples.js";

export function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    "dustpan finds different URLs that show one page, and proves the rules that make them one",
    "",
    "begin with one of these:",
    "",
    "  dustpan run access.log --site example.com  # find the rules, prove them politely on the site, write a report",
    "  dustpan run crawl.warc.gz                  # the same on the pages of a crawl, without the network",
    "  dustpan demo                               # see it on an example site on this machine",
    "",
    "usage: dustpan COMMAND [ARGUMENTS]",
    "",
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    '"dustpan COMMAND --help" says more. Exit codes: 0 done, 1 a check that did not hold, 2 error, 3 interrupted and resumable.',
  ].join("\n");
}

export function commandHelp(command: Command, columns = 100): string {
  const left = command.flags.map(flagUsage);
  const width = Math.max(...left.map((text) => text.length));
  const flags = command.flags.map((flag, i) => {
    const text = wrap(flagText(flag), Math.max(40, columns - width - 4));
    return `  ${left[i]!.padEnd(width)}  ${text.join(`\n${" ".repeat(width + 4)}`)}`;
  });
  return [
    `usage: dustpan ${command.name} ${command.usage}`.trimEnd(),
    "",
    sentence(command.summary),
    ...(command.details ?? []).flatMap((paragraph) => ["", ...wrap(paragraph, columns)]),
    "",
    ...examplesOf(command).map((example) => `  ${example}`),
    "",
    ...flags,
  ].join("\n");
}

/** docs/cli.md, from the same table. */
export function commandsAsMarkdown(commands: readonly Command[]): string {
  const cell = (text: string) => text.replaceAll("|", "\\|");
  const sections = commands.map((command) =>
    [
      `## dustpan ${command.name}`,
      "",
      `    dustpan ${command.name} ${command.usage}`.trimEnd(),
      "",
      sentence(command.summary),
      ...(command.details ?? []).flatMap((paragraph) => ["", paragraph]),
      "",
      ...examplesOf(command).map((example) => `    ${example}`),
      "",
      "| flag | meaning |",
      "|---|---|",
      ...command.flags.map((flag) => `| \`${cell(flagUsage(flag).trim())}\` | ${cell(flagText(flag))} |`),
    ].join("\n"),
  );
  return `# The commands\n\nMade from the flag table (\`src/cli/table/\`) by \`node scripts/cli-docs.mjs\`.\n\n${sections.join("\n\n")}\n`;
}

/** Commands to copy, each followed by what it is for. */
export function examplesOf({ name }: Command): string[] {
  const examples = (commandExamples[name] ?? []).map(
    ([words, what]) => [`dustpan ${name} ${words}`.trimEnd(), what] as const,
  );
  const width = Math.max(...examples.map(([line]) => line.length));
  return examples.map(([line, what]) => `${line.padEnd(width)}  # ${what}`);
}

export function sentence(summary: string): string {
  return `${summary[0]!.toUpperCase()}${summary.slice(1)}${summary.endsWith("?") ? "" : "."}`;
}

export function flagUsage({ name, short, value }: Flag): string {
  return `${short === undefined ? "    " : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`;
}

export function flagText(flag: Flag): string {
  const notes = [flag.many ? "may be repeated" : "", flag.default === undefined ? "" : `default ${flag.default}`];
  const note = notes.filter((text) => text !== "").join("; ");
  return note === "" ? flag.help : `${flag.help} (${note})`;
}

function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
