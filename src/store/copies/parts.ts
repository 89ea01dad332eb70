/** Pages that are a part of another page, as a file. */
import type { ContainedPage } from "../../documents.js";
import { copyTo, stageTable } from "../columns.js";
import type { TableFormat } from "../output-format.js";
import type { Connection } from "../workspace.js";

export async function writeParts(
  connection: Connection,
  pairs: readonly ContainedPage[],
  file: string,
  format: TableFormat,
): Promise<void> {
  await stageTable(connection, "parts", {
    part: pairs.map(({ part }) => part),
    whole: pairs.map(({ whole }) => whole),
    part_words: Uint32Array.from(pairs, ({ partWords }) => partWords),
    whole_words: Uint32Array.from(pairs, ({ wholeWords }) => wholeWords),
    containment: Float64Array.from(pairs, ({ containment }) => containment),
    is_exact: Uint32Array.from(pairs, ({ isExact }) => Number(isExact)),
  });
  await connection.run(copyTo("SELECT * REPLACE (is_exact = 1 AS is_exact) FROM parts", file, format));
}
