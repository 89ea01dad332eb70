import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { addInput, httpResponse, tarMember, warcRecord } from "./build.js";

const page = (n: number): Buffer =>
  warcRecord({ url: `http://a.test/${n}`, block: httpResponse(`<p>${"x".repeat(n)}`) });
const members = [
  tarMember("weeks/", "", "5"),
  tarMember("weeks/1.warc", Buffer.concat([page(1), page(2)])),
  tarMember("weeks/2.warc.gz", gzipSync(page(3))),
  tarMember("README", "nothing to see"),
  tarMember("list.txt", "http://a.test/4\nnonsense\n"),
  Buffer.alloc(1024),
];

it("every crawl in a tar archive is read", async () => {
  const added = await addInput(Buffer.concat(members));
  expect(added.format).toBe("tar");
  expect(added.urls).toEqual([1, 2, 3, 4].map((n) => `http://a.test/${n}`));
  expect(added.pages).toHaveLength(3);
  expect(added.skipped).toEqual({ "file in the tar archive that is not a crawl": 1 });
  expect(added.damage.entries()).toMatchObject([
    { count: 1, samples: [{ file: "-/list.txt", position: { line: 2 } }] },
  ]);
});

it("a damaged header costs its member", async () => {
  const damaged = members.map((member) => Buffer.from(member));
  damaged[1]!.fill(0xff, 0, 10);
  const added = await addInput(Buffer.concat(damaged), { format: "tar" });
  expect(added.urls).toEqual([3, 4].map((n) => `http://a.test/${n}`));
  expect(added.damage.entries()).toContainEqual({
    reason: "no tar header",
    count: 1,
    samples: [{ file: "input", position: { offset: 512 }, text: "" }],
  });
});

it("a cut archive keeps what is whole", async () => {
  const added = await addInput(Buffer.concat(members).subarray(0, 512 + 512 + page(1).length + 20));
  expect(added.urls).toEqual(["http://a.test/1"]);
  expect(added.damage.entries()).toHaveLength(1);
});
