/** A folder of its own, and the command line to run in it. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { runCommandLine } from "#src/cli/run-command-line.js";
import { openTerminal } from "#src/cli/terminal.js";

const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

export interface Done {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export class Folder {
  readonly path = mkdtempSync(path.join(tmpdir(), "dustpan-folder-"));

  at(...names: readonly string[]): string {
    return path.join(this.path, ...names);
  }

  /** Runs a command line to its end: here, since a process takes half a second to start, or in one, with `input` for it to read. */
  run(words: readonly string[], input?: string): Promise<Done> {
    return input === undefined ? runHere(words, this.path) : this.runProcess(words, input);
  }

  /** As people start it. */
  async runProcess(words: readonly string[], input = ""): Promise<Done> {
    const child = spawn(process.execPath, [main, ...words], { cwd: this.path });
    const [stdout, stderr] = [new Text(), new Text()];
    child.stdout.pipe(stdout);
    child.stderr.pipe(stderr);
    child.stdin.end(input);
    const status = await new Promise<number | null>((resolve) => child.on("close", resolve));
    return { status, stdout: stdout.read(), stderr: stderr.read() };
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Runs a command line to its end in this process. */
export async function runHere(words: readonly string[], folder: string): Promise<Done> {
  const [stdout, stderr] = [new Text(), new Text()];
  const before = process.cwd();
  process.chdir(folder);
  try {
    // No terminal, as a pipe is none.
    const terminal = openTerminal(stdout as never, stderr as never);
    const status = await runCommandLine(words, terminal);
    return { status, stdout: stdout.read(), stderr: stderr.read() };
  } finally {
    process.chdir(before);
  }
}

/** Keeps what is written. */
class Text extends Writable {
  readonly #chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }

  read(): string {
    return Buffer.concat(this.#chunks).toString("utf8");
  }
}
