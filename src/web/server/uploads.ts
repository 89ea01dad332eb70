/** Files that the browser sends: kept beside the workspace until the job that reads them has ended. */
import { createWriteStream, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { UserError } from "../../errors.js";

export interface Upload {
  /** As the browser calls it, without folders: for people, and no part of any path of ours. */
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
}

const MAX_NAME_LENGTH = 200;

export class Uploads {
  readonly #kept = new Map<string, Upload>();
  #folder: string | undefined;
  #count = 0;

  readonly #makeFolderName: () => string;

  constructor(makeFolderName: () => string) {
    this.#makeFolderName = makeFolderName;
  }

  /** Writes the file as it arrives; an upload that breaks off leaves nothing behind. */
  async receive(name: string, body: Readable): Promise<{ readonly id: string; readonly upload: Upload }> {
    const id = String(++this.#count);
    if (this.#folder === undefined) {
      this.#folder = this.#makeFolderName();
      // Logs name people: nobody else may read them.
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    }
    const file = path.join(this.#folder, id);
    const target = createWriteStream(file, { mode: 0o600, flags: "wx" });
    try {
      await pipeline(body, target);
    } catch (error) {
      // Until it is closed, opening may still be under way, and would make the file again.
      if (!target.closed) await new Promise<void>((resolve) => target.once("close", resolve));
      rmSync(file, { force: true });
      throw error;
    }
    const upload = { name: plainName(name), path: file, bytes: target.bytesWritten };
    this.#kept.set(id, upload);
    return { id, upload };
  }

  /** Hands it over: the one that takes it removes the file. */
  take(id: string): Upload {
    const upload = this.#kept.get(id);
    if (upload === undefined) throw new UserError("no such upload: send the file again");
    this.#kept.delete(id);
    return upload;
  }

  close(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
    this.#kept.clear();
  }
}

function plainName(name: string): string {
  const last = name.split(/[\\/]/).at(-1)!;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these would be lines and commands on a terminal
  const plain = last.replace(/[\x00-\x1f\x7f-\x9f]/g, "").slice(0, MAX_NAME_LENGTH);
  return plain === "" || plain === "-" ? "upload" : plain;
}
