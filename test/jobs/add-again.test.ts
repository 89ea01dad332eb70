/** An input that is added again: known, grown, or read in another way. */
import { appendFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { type AddOptions, add } from "#src/jobs/add.js";
import { describeWorkspace } from "#src/store/browse/info.js";
import { Workspace } from "#src/store/workspace.js";
import { context, inFolder } from "./near-duplicates.js";

const log = (from: number, to: number) =>
  Array.from(
    { length: to - from },
    (_, i) =>
      `192.0.2.1 - - [10/Oct/2025:13:55:36 +0000] "GET /s/${from + i} HTTP/1.1" 200 ${1000 + from + i} "-" "-"\n`,
  ).join("");

it("is read again with other settings, and as before without any", async () => {
  await inFolder(async (folder) => {
    const file = path.join(folder, "access.log");
    const workspace = Workspace.at(path.join(folder, "w.duckdb"));
    const again = async (settings: Partial<AddOptions> = {}, name = file) => {
      const options = { snapshot: "default", text: false, ...settings };
      const [added] = await add(workspace, [name], options, () => {}, context);
      const { sites } = await describeWorkspace(workspace);
      return [added!.outcome, ...sites.map(({ site, urls, hits }) => `${site} ${urls} ${hits}`)];
    };
    writeFileSync(file, log(0, 100));
    expect(await again()).toEqual(["added", " 100 100"]);
    expect(await again({ base: "https://shop.test" })).toEqual(["replaced", "shop.test 100 100"]);
    for (const same of [{}, { base: "https://shop.test" }, { format: "combined" }]) {
      expect(await again(same)).toEqual(["known", "shop.test 100 100"]);
    }
    appendFileSync(file, log(100, 130));
    expect(await again()).toEqual(["continued", "shop.test 130 130"]);
    // Both parts go, also where the log has been compressed since.
    const packed = path.join(folder, "access.log.1.gz");
    writeFileSync(packed, gzipSync(log(0, 130)));
    expect(await again({ base: "https://www.other.test" }, packed)).toEqual(["replaced", "other.test 130 130"]);
    expect(await again({}, packed)).toEqual(["known", "other.test 130 130"]);
  });
});
