import { readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { add } from "#src/jobs/add.js";
import { Workspace } from "#src/store/workspace.js";
import { httpResponse, tarMember, warcRecord } from "../input/crawls/build.js";
import { context, inFolder } from "./near-duplicates.js";

const page = (n: number): Buffer =>
  warcRecord({ url: `http://a.test/${n}`, block: httpResponse(`<p>${"x".repeat(n)}`) });

it("makes a snapshot of each file, also of those in a tar archive, in the order of their names", async () => {
  await inFolder(async (folder) => {
    const archive = path.join(folder, "weekly.tar.gz");
    const members = [
      tarMember("weeks/", "", "5"),
      tarMember("weeks/2024-03-10.warc", Buffer.concat([page(1), page(2)])),
      tarMember("README", "nothing to see"),
      tarMember("weeks/2024-03-03.warc.gz", gzipSync(page(3))),
      Buffer.alloc(512, 1),
    ];
    writeFileSync(archive, gzipSync(Buffer.concat(members)));
    const single = path.join(folder, "last.warc");
    writeFileSync(single, page(4));
    const workspace = Workspace.at(path.join(folder, "w.duckdb"));
    const options = { snapshot: "week {file}", text: true };
    const added = await add(workspace, [archive, single], options, () => {}, context);
    const name = (member: string) => `${archive}/weeks/${member}`;
    expect(added).toMatchObject([
      {
        name: name("2024-03-03.warc.gz"),
        pages: 1,
        skipped: { "file in the tar archive that is not a crawl": 1 },
        damage: [{ reason: "no tar header", samples: [{ file: archive }] }],
      },
      { name: name("2024-03-10.warc"), pages: 2, skipped: {}, damage: [] },
      { name: single, pages: 1 },
    ]);
    const snapshots = async () =>
      (
        await workspace.read((connection) => connection.runAndReadAll("SELECT name FROM snapshots ORDER BY id"))
      ).getRows();
    expect((await snapshots()).flat()).toEqual(["week 2024-03-03", "week 2024-03-10", "week last"]);
    const again = await add(workspace, [archive], options, () => {}, context);
    expect(again.map(({ outcome }) => outcome)).toEqual(["known", "known"]);
    expect(readdirSync(folder).sort()).toEqual(["last.warc", "w.duckdb", "weekly.tar.gz"]);
    const hostile = path.join(folder, "hostile.tar");
    writeFileSync(hostile, tarMember("a\x1b[31m\u202eb\nc.warc", page(5)));
    await add(workspace, [hostile], options, () => {}, context);
    expect((await snapshots()).at(-1)).toEqual(["week a_[31m_b_c"]);
    const nothing = path.join(folder, "nothing.tar");
    writeFileSync(nothing, Buffer.concat([tarMember("README", "nothing to see"), Buffer.alloc(1024)]));
    await expect(add(workspace, [nothing], options, () => {}, context)).rejects.toThrow(
      /nothing.tar has no crawl in it/,
    );
  });
});
