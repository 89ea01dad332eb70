import path from "node:path";
import { inflateRawSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ExportList } from "#src/documents.js";
import { exportTargets } from "#src/export/targets.js";
import { packExports } from "#src/report/exports-html.js";
import { readRulesFile } from "#src/store/rules-on-disk.js";
import { runHere } from "../cli/folder.js";
import { sidId, startTestSite, type TestSite, token } from "./site.js";

let site: TestSite;
beforeAll(async () => {
  site = await startTestSite();
});
afterAll(() => site.close());

const get = (address: string) =>
  fetch(`http://127.0.0.1:${site.server.port}${address}`, { headers: { Authorization: `Bearer ${token}` } });

describe("the rules for other programs", () => {
  it("are listed for every target and use, with what is left out and why", async () => {
    const { rules, targets } = (await (await get("/api/exports")).json()) as ExportList;
    expect(rules).toBe(1);
    expect(targets.map(({ name }) => name)).toEqual(exportTargets.map(({ name }) => name));
    for (const { name, uses } of targets) {
      for (const { exported, leftOut } of uses) {
        expect(exported + leftOut.length, name).toBe(rules);
        for (const { id, reason } of leftOut) expect([id, reason]).toEqual([sidId, expect.stringMatching(/\w{3}/)]);
      }
    }
  });

  it("are the bytes that the command writes, from the app and in the report", async () => {
    const file = path.join(site.folder, "dustpan.rules.json");
    const packed = packExports(readRulesFile(file));
    const chosen = packed.filter(({ target }) => ["python", "nginx", "adguard", "crawlee"].includes(target));
    expect(chosen.map(({ target, use }) => `${target} ${use}`)).toContain("nginx redirect");
    for (const entry of chosen) {
      const { stdout } = await runHere(["export", "--to", entry.target, "--as", entry.use], site.folder);
      const response = await get(`/api/exports/${entry.target}?as=${entry.use}`);
      expect(response.headers.get("content-disposition")).toBe(`attachment; filename="${entry.file}"`);
      expect(await response.text(), entry.target).toBe(stdout);
      expect(inflateRawSync(Buffer.from(entry.packed, "base64")).toString(), entry.target).toBe(stdout);
    }
  });

  it("refuse a target and a use that there is not", async () => {
    expect((await get("/api/exports/nothing")).status).toBe(400);
    expect((await get("/api/exports/python?as=redirect")).status).toBe(400);
    expect((await get("/api/exports/python?as=other")).status).toBe(400);
  });

  it("are none where no rule is in use", () => {
    expect(packExports({ settings: {}, rules: [] })).toEqual([]);
  });
});
