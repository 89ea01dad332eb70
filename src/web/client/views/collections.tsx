import type { CollectionPages } from "../../../documents.js";
import { count, counted } from "../../../numbers.js";
import { queryOf, useDocument } from "../api.js";
import { go, Link, withQuery } from "../location.js";
import { Empty, Pager, Pending, SortHead, Title, Url, useTitle } from "../parts.js";
import { NotLookedYet } from "./job-card.js";
import { asked, ListView } from "./listed.js";
import { SideBySide } from "./side-by-side.js";

export function CollectionsView({ query }: { readonly query: URLSearchParams }) {
  const sort = query.get("sort") ?? "size";
  const order = query.get("order") ?? "desc";
  return (
    <ListView
      format="dustpan-collection-list"
      title="Replicated collections"
      about="Whole manuals and sites that are there more than once, page by page and link by link."
      path={`/api/collections${asked(query, "snapshot", "sort", "order", "after")}`}
      what="collections"
      empty={
        <NotLookedYet kind="collections" action="Find collections">
          Nobody has looked for copied collections yet.
        </NotLookedYet>
      }
      figures={["collections-scatter", "replication-by-chunking", "similarity-costs"]}
    >
      {(data, isLoading) =>
        data.collections.length === 0 ? (
          <Empty>No collection of this snapshot has a copy.</Empty>
        ) : (
          <table class={isLoading ? "list stale" : "list"}>
            <caption class="hidden">Clusters of collections</caption>
            <thead>
              <tr>
                <th scope="col">Collection</th>
                <SortHead name="cardinality" title="Copies" sort={sort} order={order} class="number" />
                <SortHead name="size" title="Pages" sort={sort} order={order} class="number" />
              </tr>
            </thead>
            <tbody>
              {data.collections.map((row) => (
                <tr key={row.cluster}>
                  <td>
                    <Link href={`/collections/${row.cluster}${queryOf({ snapshot: data.snapshot })}`} row>
                      {row.name}
                    </Link>
                    {row.isNoise ? <span class="quiet"> small</span> : null}
                    <div class="url quiet">{row.url}</div>
                  </td>
                  <td class="number">{count(row.cardinality)}</td>
                  <td class="number">{count(row.size)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )
      }
    </ListView>
  );
}

export function CollectionView({ cluster, query }: { readonly cluster: string; readonly query: URLSearchParams }) {
  const loaded = useDocument(
    "dustpan-collection-pages",
    `/api/collections/${cluster}${asked(query, "snapshot", "after")}`,
  );
  const { data } = loaded;
  useTitle(data?.collection?.name);
  return (
    <>
      <p class="crumbs">
        <Link href={`/collections${asked(query, "snapshot")}`}>Collections</Link> / {cluster}
      </p>
      <Pending of={loaded} />
      {data === undefined ? null : (
        <>
          <Title
            about={
              <>
                {count(data.collection?.cardinality ?? 0)} copies of {counted(data.collection?.size ?? 0, "page")}
              </>
            }
          >
            {data.collection?.name}
          </Title>
          <section>
            <h2>Copies</h2>
            <table class="list">
              <caption class="hidden">Copies of the collection</caption>
              <thead>
                <tr>
                  <th scope="col">Root</th>
                  <th scope="col" class="number">
                    Pages
                  </th>
                  <th scope="col" class="number wide">
                    Lacks
                  </th>
                  <th scope="col" class="number wide">
                    Unmatched
                  </th>
                </tr>
              </thead>
              <tbody>
                {data.replicas?.map((replica) => (
                  <tr key={replica.replica}>
                    <td>
                      <Url url={replica.url} id={replica.id} />
                      {replica.isPrincipal ? <span class="quiet"> principal copy</span> : null}
                    </td>
                    <td class="number">{count(replica.realPages)}</td>
                    <td class="number wide">{count(replica.virtualPages)}</td>
                    <td class="number wide">{count(replica.unmatchedPages)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
          <section>
            <h2>Pages that correspond</h2>
            <table class="list">
              <caption class="hidden">Pages that correspond</caption>
              <thead>
                <tr>
                  <th scope="col">Page, and its copies</th>
                  <th scope="col">
                    <span class="hidden">Comparison</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {data.positions.map(({ position, title, pages }) => (
                  <Corresponding key={position} title={title} pages={pages} query={query} snapshot={data.snapshot} />
                ))}
              </tbody>
            </table>
            <Pager next={data.next} what="pages that correspond" />
          </section>
        </>
      )}
    </>
  );
}

/** The page of the first copy that has it, the others below it, and what differs from one that was chosen. */
function Corresponding({
  title,
  pages: [first, ...others],
  query,
  snapshot,
}: Pick<CollectionPages["positions"][number], "title" | "pages"> & {
  readonly query: URLSearchParams;
  readonly snapshot: string | undefined;
}) {
  if (first === undefined) return null;
  const chosen = others.find(({ id }) => query.get("with") === String(id));
  return (
    <>
      <tr class={others.length > 0 ? "joined" : undefined}>
        <td>
          {title === null || title === "" ? null : <div>{title}</div>}
          <Url url={first.url} id={first.id} />
        </td>
        <td />
      </tr>
      {others.map((page, at) => (
        <tr
          key={page.replica}
          class={`${page === chosen ? "chosen" : ""} ${at < others.length - 1 ? "joined" : ""}`.trim()}
        >
          <td>
            <Url url={page.url} id={page.id} />
            {page.virtual ? <span class="quiet"> by a link</span> : null}
          </td>
          <td>
            <button
              type="button"
              class="plain"
              aria-pressed={page === chosen}
              onClick={() => go(withQuery({ with: page === chosen ? undefined : String(page.id) }), "replace")}
            >
              Compare
            </button>
          </td>
        </tr>
      ))}
      {chosen === undefined ? null : (
        <tr>
          <td colSpan={2}>
            <SideBySide path={`/api/comparison${queryOf({ left: first.id, right: chosen.id, snapshot })}`} />
          </td>
        </tr>
      )}
    </>
  );
}
