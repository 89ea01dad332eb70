/** All that the workspace knows of one URL. */
import type { UrlDetails } from "../../documents.js";
import { UserError } from "../../errors.js";
import type { Connection, Workspace } from "../workspace.js";
import { placesOf, urlsOf } from "./copy-lists.js";
import { flag, number, orNull, selectRows, text, time } from "./rows.js";

/** Most rows of any kind: a URL has few, a hub page many. */
const SHOWN = `LIMIT 50`;

export async function describeUrl(workspace: Workspace, id: number): Promise<UrlDetails> {
  return workspace.read(async (connection) => {
    const [named] = await selectRows(
      connection,
      { url: text("url"), host: text("host") },
      `FROM urls WHERE id = ${id}`,
    );
    if (named === undefined) throw new UserError(`no URL ${id}`);
    const { url, host } = named;
    return {
      id,
      url,
      host,
      sightings: await selectRows(
        connection,
        {
          snapshot: text("n.name"),
          input: text("o.name"),
          hits: number("hits"),
          statusClasses: number("status_classes"),
          minBytes: orNull(number("min_bytes")),
          maxBytes: orNull(number("max_bytes")),
          firstSeen: orNull(time("first_seen")),
          lastSeen: orNull(time("last_seen")),
        },
        `FROM (SELECT * FROM sightings WHERE url = ${id}) s JOIN sources o ON o.id = s.source
         JOIN snapshots n ON n.id = o.snapshot ORDER BY o.id ${SHOWN}`,
      ),
      spellings: await selectRows(
        connection,
        { spelling: text("spelling"), hits: number("sum(hits)") },
        `FROM spellings WHERE url = ${id} GROUP BY spelling ORDER BY 2 DESC, spelling ${SHOWN}`,
      ),
      redirects: await selectRows(
        connection,
        { id: number("u.id"), url: text("u.url") },
        `FROM (SELECT DISTINCT target FROM redirects WHERE url = ${id}) r JOIN urls u ON u.id = r.target ORDER BY u.id ${SHOWN}`,
      ),
      pages: await readPages(connection, id),
      clusters: await selectRows(
        connection,
        { snapshot: text("n.name"), level: text("level"), root: number("root"), size: number("size") },
        `FROM (SELECT * FROM clusters WHERE url = ${id}) c JOIN snapshots n ON n.id = c.snapshot ORDER BY n.id, level DESC ${SHOWN}`,
      ),
      mirrors: await selectRows(
        connection,
        {
          snapshot: text("n.name"),
          host: text("CASE WHEN a = $1 THEN b ELSE a END"),
          alias: orNull(text("alias")),
          isMirror: flag("is_mirror"),
          clusters: number("m.clusters"),
        },
        `FROM mirrors m JOIN snapshots n ON n.id = m.snapshot WHERE a = $1 OR b = $1 ORDER BY m.clusters DESC ${SHOWN}`,
        [host],
      ),
      collections: await placesOf(connection, id),
    };
  });
}

/** Downloads of the URL. What they redirect to or call canonical is looked up apart: a join would read all URLs. */
async function readPages(connection: Connection, id: number) {
  const pages = await selectRows(
    connection,
    {
      snapshot: text("n.name"),
      status: number("status"),
      fetched: orNull(time("fetched")),
      mediaType: orNull(text("media_type")),
      bytes: orNull(number("body_bytes")),
      title: orNull(text("title")),
      words: orNull(number("words")),
      canonical: orNull(number("canonical")),
      redirect: orNull(number("redirect")),
      hasText: flag("text IS NOT NULL"),
    },
    `FROM (SELECT * FROM pages WHERE url = ${id}) p JOIN snapshots n ON n.id = p.snapshot ORDER BY n.id ${SHOWN}`,
  );
  const named = pages.flatMap(({ canonical, redirect }) => [canonical, redirect]).filter((target) => target !== null);
  const urls = await urlsOf(connection, named);
  const urlOf = (target: number | null) => (target === null ? null : (urls.get(target) ?? null));
  return pages.map((page) => ({ ...page, canonical: urlOf(page.canonical), redirect: urlOf(page.redirect) }));
}

/** The URL with this id. */
export async function urlById(workspace: Workspace, id: number): Promise<string> {
  const url = (await workspace.read((connection) => urlsOf(connection, [id]))).get(id);
  if (url === undefined) throw new UserError(`no URL ${id}`);
  return url;
}
