/** What is in the workspace and what was found in it, in numbers that need no look at every URL. */
import type { Overview } from "../../documents.js";
import type { Connection, Workspace } from "../workspace.js";
import { number, orNull, selectRows, text } from "./rows.js";

export type StoredOverview = Omit<Overview, "file" | "takesPaths" | "rules">;

/** A workspace that is not there holds nothing. */
export async function readOverview(workspace: Workspace): Promise<StoredOverview> {
  if (!workspace.exists) {
    return {
      ...{ inputs: 0, records: 0, urls: 0, pages: 0, sketched: 0, links: 0, snapshotCount: 0, crawls: 0 },
      evolution: false,
    };
  }
  return workspace.read(async (connection) => {
    const [counts] = await selectRows(
      connection,
      {
        inputs: number("(SELECT count(*) FROM sources)"),
        records: number("(SELECT coalesce(sum(records), 0) FROM sources)"),
        urls: number("(SELECT count(*) FROM urls)"),
        pages: number("(SELECT count(*) FROM pages)"),
        sketched: number("(SELECT count(s0) FROM pages)"),
        links: number("(SELECT count(*) FROM links)"),
        snapshotCount: number("(SELECT count(*) FROM snapshots)"),
        crawls: number("(SELECT count(DISTINCT snapshot) FROM pages WHERE s0 IS NOT NULL)"),
        evolutions: number("(SELECT count(*) FROM evolution)"),
      },
      "",
    );
    const { evolutions, ...rest } = counts!;
    return {
      ...rest,
      evolution: evolutions > 0,
      ...(await lastOf(connection, "clusters-similar", "clusters", (snapshot) =>
        selectRows(
          connection,
          {
            clusters: number("count(*)"),
            pages: number("coalesce(sum(size), 0)"),
            of: number(`(SELECT count(*) FROM clusters WHERE snapshot = ${snapshot} AND level = 'similar')`),
          },
          `FROM cluster_roots WHERE snapshot = ${snapshot} AND level = 'similar'`,
        ),
      )),
      ...(await lastOf(connection, "mirrors", "mirrors", (snapshot) =>
        selectRows(
          connection,
          { pairs: number("count(*) / 2"), hosts: number("count(DISTINCT host)") },
          `FROM (SELECT a, b, unnest([a, b]) AS host FROM mirrors WHERE snapshot = ${snapshot} AND is_mirror)`,
        ),
      )),
      ...(await lastOf(connection, "collections", "collections", (snapshot) =>
        selectRows(
          connection,
          {
            collections: number("count(*)"),
            copies: number("coalesce(sum(cardinality), 0)"),
            pages: number("coalesce(sum(cardinality * size), 0)"),
          },
          `FROM collections WHERE snapshot = ${snapshot} AND NOT is_noise`,
        ),
      )),
    };
  });
}

/** What is known of the last snapshot that was looked at in this way; nothing where none was. */
async function lastOf<Name extends string, T extends object>(
  connection: Connection,
  analysis: string,
  name: Name,
  read: (snapshot: number) => Promise<T[]>,
): Promise<{ [Key in Name]?: T & { readonly snapshot: string } }> {
  const [last] = await selectRows(
    connection,
    { id: orNull(number("max(s.id)")), snapshot: orNull(text("max_by(s.name, s.id)")) },
    "FROM analyses a JOIN snapshots s ON s.id = a.snapshot WHERE a.name = $1",
    [analysis],
  );
  if (last?.id == null || last.snapshot === null) return {};
  const [found] = await read(last.id);
  return { [name]: { ...found!, snapshot: last.snapshot } } as { [Key in Name]?: T & { readonly snapshot: string } };
}
