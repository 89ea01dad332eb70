import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { listCommands } from "#src/cli/commands.js";
import { completionFor, shells } from "#src/cli/help/completion.js";
import { manPage } from "#src/cli/help/man-page.js";

const has = (program: string) => spawnSync(program, ["--version"]).status === 0;

describe("completion", () => {
  it.each(shells)("%s knows every command and every flag", (shell) => {
    const text = completionFor(shell, listCommands());
    for (const { name, flags } of listCommands()) {
      expect(text).toContain(name);
      for (const flag of flags) expect(text).toContain(shell === "fish" ? `-l ${flag.name}` : `--${flag.name}`);
    }
    // Where the shell is there, it reads it without an error.
    if (has(shell)) {
      // By a file: fish reads nothing from a pipe with -n.
      const folder = mkdtempSync(path.join(tmpdir(), "dustpan-"));
      const file = path.join(folder, "completion");
      writeFileSync(file, text);
      const { status, stderr } = spawnSync(shell, ["-n", file], { encoding: "utf8" });
      rmSync(folder, { recursive: true });
      expect([status, stderr]).toEqual([0, ""]);
    }
  });

  it.runIf(has("fish"))("completes commands and flags in fish", () => {
    const complete = (line: string) => {
      const script = `${completionFor("fish", listCommands())}\ncomplete -C '${line}'`;
      return spawnSync("fish", ["--no-config", "-c", script], { encoding: "utf8" }).stdout;
    };
    expect(complete("dustpan va")).toMatch(/^validate\t/);
    expect(complete("dustpan validate --dry")).toMatch(/^--dry-run\t/);
  });

  it.runIf(has("zsh"))("is taken by zsh where it is sourced", () => {
    const script = `autoload -U compinit; compinit -u -D\n${completionFor("zsh", listCommands())}\necho "$_comps[dustpan]"`;
    expect(spawnSync("zsh", ["-f", "-c", script], { encoding: "utf8" }).stdout).toBe("_dustpan\n");
  });

  it.runIf(has("bash"))("completes commands and flags in bash", () => {
    const complete = (...words: string[]) => {
      const script = `${completionFor("bash", listCommands())}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _dustpan; echo "\${COMPREPLY[@]}"`;
      return spawnSync("bash", ["-c", script], { encoding: "utf8" }).stdout.trim().split(" ");
    };
    expect(complete("dustpan", "va")).toEqual(["validate"]);
    expect(complete("dustpan", "validate", "--dry")).toEqual(["--dry-run"]);
    expect(complete("dustpan", "run", "--sit")).toEqual(["--site"]);
  });
});

describe("the manual page", () => {
  const text = () => readFileSync(fileURLToPath(new URL("../../docs/dustpan.1", import.meta.url)), "utf8");

  it("is made from the flag table", () => {
    const { version } = JSON.parse(readFileSync(fileURLToPath(new URL("../../package.json", import.meta.url)), "utf8"));
    expect(text(), "run: node scripts/cli-docs.mjs").toBe(manPage(listCommands(), version));
  });

  it.runIf(spawnSync("mandoc", ["-V"]).error === undefined)("is one that readers of such pages take", () => {
    const { stdout } = spawnSync("mandoc", ["-T", "lint", "-W", "error"], { input: text(), encoding: "utf8" });
    expect(stdout).toBe("");
  });
});
