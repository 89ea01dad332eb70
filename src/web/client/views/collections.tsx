import { count, counted } from "../../../numbers.js";
import { queryOf, useDocument } from "../api.js";
import { Link } from "../location.js";
import { Empty, Pager, Pending, SortHead, Title, Url, useTitle } from "../parts.js";
import { NotLookedYet } from "./job-card.js";
import { asked, ListView } from "./listed.js";

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
                <SortHead name="size" title="Pages each" sort={sort} order={order} class="number" />
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
            <ul class="plain rows">
              {data.positions.map(({ position, pages }) => (
                <li key={position}>
                  {pages.map((page) => (
                    <div key={page.replica}>
                      <Url url={page.url} id={page.id} />
                    </div>
                  ))}
                </li>
              ))}
            </ul>
            <Pager next={data.next} what="pages that correspond" />
          </section>
        </>
      )}
    </>
  );
}
