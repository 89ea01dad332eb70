import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { mirrors } from "#src/jobs/mirrors.js";
import { readAvoidList } from "#src/store/copies/avoid-list.js";
import { context, inFolder, prose, type TestPage, workspaceOf } from "./near-duplicates.js";

const site = (prefix: string, pages: number, first = 1, address?: string): TestPage[] =>
  Array.from({ length: pages }, (_, i) => ({
    url: `http://${prefix}${i}.html`,
    text: prose(first + i, 60),
    ...(address !== undefined && { address }),
  }));

/** b has a's documents elsewhere, c is another name of a's machine, d has pages of its own. */
const pages = [
  ...site("a.test/docs/", 12, 1, "10.0.0.1"),
  ...site("b.test/manual/en/", 12, 1, "10.0.0.2"),
  ...site("c.test/docs/", 12, 1, "10.0.0.1"),
  ...site("d.test/docs/", 12, 100, "10.0.0.4"),
];

it("finds mirrored subtrees, and tells aliases by the addresses in the archive", async () => {
  await inFolder(async (folder) => {
    const workspace = await workspaceOf(folder, { default: pages });
    const output = path.join(folder, "mirrors.csv");
    const avoidFile = path.join(folder, "avoid.json");
    const options = { minPages: 10, output, avoidFile, nowMs: 0 };
    const { snapshots, overTime, change } = await mirrors(workspace, options, context);
    expect([overTime, change]).toEqual([[], undefined]);
    const [found] = snapshots;
    expect(found!.groups).toEqual([["a.test", "b.test"]]);
    expect(found!.funnel).toMatchObject({ raw: 3, aliases: 2, sameAddress: 1, remaining: 1, confirmed: [1, 0, 0, 0] });
    expect(found!.pairs[0]!.subtrees).toMatchObject([{ a: "a.test/docs/", b: "b.test/manual/en/", pages: 12 }]);
    expect(found).toMatchObject({ hosts: 2, machines: 2, mirroredPages: 24, share: 0.5, knownAddresses: 4 });
    expect(readFileSync(output, "utf8").split("\n").slice(0, 2)).toEqual([
      "snapshot,a,b,pages_a,pages_b,clusters,size,alias,is_mirror,alike,lower_bound,confirmed_arcs,matched_a,matched_b,subtrees",
      `default,a.test,b.test,12,12,12,12,,true,12,0.779,1,"[12, 0, 0, 0]","[12, 0, 0, 0]","[{'a': a.test/docs/, 'b': b.test/manual/en/, 'pages': 12}]"`,
    ]);
    for (const name of [avoidFile, "workspace"]) {
      const avoids = await readAvoidList(name, workspace, 0);
      expect(avoids("http://b.test/manual/en/3.html")?.keep).toBe("http://a.test/docs/0.html");
      expect(avoids("http://a.test/docs/3.html")).toBeUndefined();
    }
    const stored = await workspace.read((connection) =>
      connection.runAndReadAll(
        `SELECT a, b, pages_a, confirmed_arcs, matched_a::VARCHAR, (SELECT count(*) FROM mirror_pages)::INTEGER,
           (SELECT count(*) FROM mirror_subtrees)::INTEGER, (SELECT any_value(value) FROM avoid WHERE why = 'mirror') FROM mirrors`,
      ),
    );
    expect(stored.getRows()).toEqual([["a.test", "b.test", 12, 1, "[12, 0, 0, 0]", 24, 1, "b.test"]]);
  });
});

it("takes addresses from a hosts file, and from a resolver only if it is given one", async () => {
  await inFolder(async (folder) => {
    const bare = pages.map(({ address: _, ...page }) => page);
    const workspace = await workspaceOf(folder, { default: bare });
    const groups = async (options: object) =>
      (await mirrors(workspace, { minPages: 10, ...options }, context)).snapshots[0]!;
    expect((await groups({})).groups).toEqual([["a.test", "b.test", "c.test"]]);
    const hostsFile = path.join(folder, "hosts");
    writeFileSync(hostsFile, "# ours\n10.0.0.1 a.test c.test # one machine\n\n10.0.0.2\tb.test\n");
    expect((await groups({ hostsFile })).groups).toEqual([["a.test", "b.test"]]);
    const asked: string[] = [];
    const resolve = async (host: string) => {
      asked.push(host);
      if (host === "c.test") throw new Error("no such host");
      return [`10.0.0.${host.charCodeAt(0)}`];
    };
    const resolved = await groups({ resolve });
    expect(resolved).toMatchObject({ groups: [["a.test", "b.test"]], failedLookups: 1, funnel: { unresolvable: 2 } });
    // d.test is in no cluster with another host, and nobody asks for it.
    expect(asked.sort()).toEqual(["a.test", "b.test", "c.test"]);
    writeFileSync(hostsFile, "a.test 10.0.0.1\n");
    await expect(groups({ hostsFile })).rejects.toThrow(/hosts:1: expected an address and its hosts/);
  });
});

it("follows mirrors over snapshots", async () => {
  await inFolder(async (folder) => {
    const smaller = pages.filter(({ url }) => !/[ab]\.test.*\/11\.html$/.test(url));
    const workspace = await workspaceOf(folder, { one: smaller, two: pages });
    const { overTime, change } = await mirrors(workspace, { minPages: 10 }, context);
    expect(overTime).toMatchObject([
      {
        from: "one",
        to: "two",
        grown: 1,
        same: 0,
        shrunk: 0,
        kept: [{ a: "a.test", b: "b.test", before: 11, after: 12 }],
      },
    ]);
    // The 22 mirrored pages of the first snapshot, all of them unchanged.
    expect(change!.downloads).toBe(22);
    expect(change!.counts[85]![2]).toBe(22);
  });
});
