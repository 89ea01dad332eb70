/** A journal beside the workspace: what was fetched is never lost. */
import {
  appendFileSync,
  closeSync,
  createReadStream,
  existsSync,
  ftruncateSync,
  openSync,
  readSync,
  rmSync,
  statSync,
} from "node:fs";
import { InvariantError } from "../../errors.js";
import { LineSplitter } from "../../input/lines.js";
import { PRIVATE_FILE } from "../private.js";

/**
 * Rows on their way into the workspace, one line of JSON each, in a file beside it. A row is on its way to disk before
 * `append` returns, so that a killed process loses only what it had not appended; a transaction for each row would
 * cost more than the request that it is about.
 */
export class Journal<Row> {
  constructor(readonly file: string) {}

  get exists(): boolean {
    return existsSync(this.file);
  }

  append(row: Row): void {
    appendFileSync(this.file, `${JSON.stringify(row)}\n`, { mode: PRIVATE_FILE });
  }

  /** All whole rows. A last line without its end was torn by a kill; it is cut off, so that appending goes on after. */
  async *rows(): AsyncGenerator<Row> {
    if (!this.exists) return;
    cutTornLine(this.file);
    let rows: Row[] = [];
    const splitter = new LineSplitter(
      MAX_ROW_BYTES,
      (buffer, start, end) => rows.push(JSON.parse(buffer.toString("utf8", start, end))),
      (_, bytes) => {
        throw new InvariantError(`${this.file} has a row of ${bytes} bytes`);
      },
    );
    for await (const chunk of createReadStream(this.file, { highWaterMark: 1 << 20 })) {
      splitter.push(chunk);
      yield* rows;
      rows = [];
    }
  }

  remove(): void {
    rmSync(this.file, { force: true });
  }
}

/** A page's text is cut, and so are its links: no row comes near. */
const MAX_ROW_BYTES = 1 << 28;
const LINE_FEED = 10;
const BLOCK_BYTES = 1 << 16;

function cutTornLine(file: string): void {
  let end = statSync(file).size;
  const descriptor = openSync(file, "r+");
  try {
    const block = Buffer.alloc(BLOCK_BYTES);
    while (end > 0) {
      const start = Math.max(0, end - BLOCK_BYTES);
      const length = readSync(descriptor, block, 0, end - start, start);
      const feed = block.subarray(0, length).lastIndexOf(LINE_FEED);
      end = start + feed + 1;
      if (feed >= 0) break;
    }
    ftruncateSync(descriptor, end);
  } finally {
    closeSync(descriptor);
  }
}
