/** Spark SQL: the exported function on a cluster, over a table of URLs. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { SqlEngine } from "#src/engine/engine.js";
import { agree, expectAgreement, temporaryFolder } from "./agreement.js";

export async function expectSparkAgreement(engine: Pick<SqlEngine, "rows">): Promise<void> {
  const agreement = await agree("spark", async ({ text }, urls) => {
    await engine.rows("export", text);
    const file = path.join(temporaryFolder("spark"), "urls.json");
    writeFileSync(file, urls.map((url, i) => JSON.stringify({ i, url })).join("\n"));
    const rows = await engine.rows("urls", `SELECT canonical(url) AS url FROM json.\`${file}\` ORDER BY i`);
    return rows.map(({ url }) => String(url));
  });
  expectAgreement(agreement);
}
