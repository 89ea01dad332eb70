import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { formatRulesFile } from "#src/canon/file/write-rules-file.js";
import { ruleId } from "#src/canon/rule-id.js";
import type { Rule } from "#src/model.js";
import { clusterRoots } from "#src/store/copies/clusters.js";
import { Workspace } from "#src/store/workspace.js";
import { type RunningServer, startServer } from "#src/web/server/server.js";

export const hostile = `<img src=x onerror="document.title='owned'">`;
export const token = "test-token";

/** A workspace with a few hundred URLs of two hosts, pages with known sketches, clusters and mirrors. */
export async function makeWorkspace(folder: string): Promise<Workspace> {
  const workspace = Workspace.at(path.join(folder, "dustpan.duckdb"));
  await workspace.write(async (connection) => {
    const run = (sql: string) => connection.run(sql);
    await run("INSERT INTO snapshots VALUES (1, 'one', now()), (2, 'two', now())");
    await run(
      `INSERT INTO sources SELECT i, i, 's' || i, 'access.log.' || i, 'combined', 'none', 1, 1, 300, NULL, '{}', '[]', now()
       FROM range(1, 3) t(i)`,
    );
    await run("INSERT INTO hosts VALUES ('forum.test', 'forum.test'), ('www.forum.test', 'forum.test')");
    await run(
      `INSERT INTO urls SELECT i, CASE WHEN i % 2 = 0 THEN 'http://forum.test/story?id=' || (i // 2)
         ELSE 'http://forum.test/story_' || (i // 2) END, 'forum.test' FROM range(200) t(i)`,
    );
    await run(
      `INSERT INTO urls SELECT 200 + i, 'http://www.forum.test/a?sid=secret' || i || 'abcdef', 'www.forum.test' FROM range(100) t(i)`,
    );
    await connection.run("INSERT INTO urls VALUES (300, $1, 'forum.test')", [`http://forum.test/${hostile}`]);
    await run(`INSERT INTO sightings SELECT 1 + id % 2, id, 1 + (id * 7919) % 97, 4, 1000, 1000, NULL, NULL FROM urls`);
    await run("INSERT INTO urls VALUES (302, 'http://forum.test/only-linked-to', 'forum.test')");
    // Pages 0 to 99 are alike in pairs, except 2 and 3.
    await connection.run(
      `INSERT INTO pages (source, snapshot, url, status, fetched, title, shingles_kind, shingles, words, text)
       SELECT 1, 1, i, 200, TIMESTAMP '2026-01-01', $1, 1, repeat(unhex(md5((CASE WHEN i = 3 THEN 999 ELSE i // 2 END)::VARCHAR)), 2), 10,
         'first line' || chr(10) || 'story ' || (i // 2) || chr(10) || CASE WHEN i = 3 THEN 'other' ELSE $1 END || chr(10) || 'last line'
       FROM range(100) t(i)`,
      [hostile],
    );
    await run(
      `INSERT INTO clusters SELECT 1, level, i, i - i % 4, 4 FROM range(100) t(i), (VALUES ('similar'), ('identical')) v(level)`,
    );
    for (const level of ["similar", "identical"]) {
      const map = `(SELECT url AS id, root AS root_id, size FROM clusters WHERE level = '${level}')`;
      await run(`INSERT INTO cluster_roots SELECT 1, '${level}', ${clusterRoots(map)}`);
    }
    await run(
      `INSERT INTO analyses SELECT unnest(['clusters-similar', 'clusters-identical', 'mirrors']), 1, '{}', 100, now(), '{}'`,
    );
    await run(
      `INSERT INTO mirrors VALUES (1, 'forum.test', 'www.forum.test', 100, 90, 12, 2, NULL, true, 12, 0.77, 4, [1, 2, 3, 4], [1, 2, 3, 4])`,
    );
    await run(`INSERT INTO runs VALUES (1, now(), now(), '{}')`);
  });
  const rules = [story, sid, strange].map((rule) => ({ ...rule, id: ruleId(rule, rule.scope) }));
  writeFileSync(path.join(folder, "dustpan.rules.json"), formatRulesFile({ settings: {}, rules }));
  await workspace.write(async (connection) => {
    await connection.run(
      `INSERT INTO draws SELECT 1, i, $1, 'forward', 'http://forum.test/story_' || i, 'http://forum.test/story?id=' || i,
         CASE WHEN i = 1 THEN 'negative' ELSE 'positive' END, '' FROM range(40) t(i)`,
      [rules[0]!.id],
    );
  });
  return workspace;
}

const mined = { status: "likely", decision: null, source: "mined", confirmed: 0, site: "forum.test" } as const;
type Unnamed<T> = T extends unknown ? Omit<T, "id"> : never;

export const story: Unnamed<Rule> = {
  kind: "substring",
  from: "/story_",
  to: "/story?id=",
  start: false,
  end: false,
  scope: {},
  ...mined,
  support: 100,
  merges: 100,
};
export const sid: Unnamed<Rule> = {
  kind: "parameter",
  name: "sid",
  place: "query",
  action: "remove",
  scope: { host: "www.forum.test" },
  ...mined,
  status: "valid",
  support: 300,
  merges: 99,
};
const strange: Unnamed<Rule> = {
  kind: "substring",
  from: hostile,
  to: "",
  start: false,
  end: false,
  scope: {},
  ...mined,
  support: 7,
  merges: 0,
  note: hostile,
};

export const storyId = ruleId(story, {});
export const sidId = ruleId(sid, sid.scope);

export interface TestSite {
  readonly server: RunningServer;
  readonly folder: string;
  readonly workspace: Workspace;
  readonly close: () => Promise<void>;
}

export async function startTestSite(): Promise<TestSite> {
  const folder = mkdtempSync(path.join(tmpdir(), "dustpan-web-"));
  const workspace = await makeWorkspace(folder);
  const server = await startServer({
    workspace,
    rulesFile: path.join(folder, "dustpan.rules.json"),
    fetch: { sites: [] },
    unmask: false,
    host: "127.0.0.1",
    port: 0,
    token,
  });
  return {
    server,
    folder,
    workspace,
    close: async () => {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
