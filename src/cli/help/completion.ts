/** Completion for shells, from the flag table. */
import type { Command, Flag } from "../parse.js";

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

export function completionFor(shell: Shell, commands: readonly Command[]): string {
  return { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }[shell](commands);
}

const flagNames = ({ flags }: Command) =>
  flags.flatMap(({ name, short }) => [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]);

function bashCompletion(commands: readonly Command[]): string {
  const cases = commands.map((command) => `    ${command.name}) flags="${flagNames(command).join(" ")}" ;;`);
  return `# dustpan completion bash > /etc/bash_completion.d/dustpan, or: source <(dustpan completion bash)
_dustpan() {
  local current="\${COMP_WORDS[COMP_CWORD]}" flags=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(" ")} --help --version" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$current")) ;;
    *) COMPREPLY=($(compgen -f -- "$current")) ;;
  esac
}
complete -o filenames -F _dustpan dustpan
`;
}

/** In single quotes, for every shell here; fish treats a backslash inside them as an escape. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function zshCompletion(commands: readonly Command[]): string {
  // These have a meaning inside a specification of _arguments.
  const plain = (text: string) => text.replace(/[\\[\]:]/g, "\\$&");
  const flag = ({ name, short, value, many, help }: Flag) => {
    const rest = `[${plain(help)}]${value === undefined ? "" : `:${plain(value)}:_files`}`;
    const names = [`--${name}`, ...(short === undefined ? [] : [`-${short}`])];
    return names.map((one) => `        ${quoted(`${many ? "*" : ""}${one}${rest}`)} \\`);
  };
  return `#compdef dustpan
# dustpan completion zsh > "\${fpath[1]}/_dustpan"
_dustpan() {
  local -a commands=(
${commands.map(({ name, summary }) => `    ${quoted(`${name}:${plain(summary)}`)}`).join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case "$words[2]" in
${commands.map((command) => `    ${command.name})\n      _arguments \\\n${command.flags.flatMap(flag).join("\n")}\n        '*:file:_files' ;;`).join("\n")}
  esac
}
# Loaded from fpath, it completes at once; sourced, it says what it completes.
if [ "$funcstack[1]" = _dustpan ]; then _dustpan "$@"; else compdef _dustpan dustpan; fi
`;
}

function fishCompletion(commands: readonly Command[]): string {
  const fish = (text: string) => quoted(text.replaceAll("\\", "\\\\")).replaceAll("'\\''", "\\'");
  const lines = commands.flatMap((command) => [
    `complete -c dustpan -n __fish_use_subcommand -f -a ${command.name} -d ${fish(command.summary)}`,
    ...command.flags.map(
      ({ name, short, value, help }) =>
        `complete -c dustpan -n '__fish_seen_subcommand_from ${command.name}' -l ${name}${short === undefined ? "" : ` -s ${short}`}${value === undefined ? "" : " -r"} -d ${fish(help)}`,
    ),
  ]);
  return `# dustpan completion fish > ~/.config/fish/completions/dustpan.fish\n${lines.join("\n")}\n`;
}
