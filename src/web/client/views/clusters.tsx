import { queryOf, useDocument } from "../api.js";
import { Link } from "../location.js";
import { count, counted, Empty, Failure, Pager, QueryChoice, SortHead, Working } from "../parts.js";
import { Figures } from "./figures.js";
import { asked, type Listed, SnapshotChoice } from "./listed.js";

const LevelChoice = () => (
  <QueryChoice
    name="level"
    label="Level"
    choices={[
      ["", "similar"],
      ["identical", "identical"],
    ]}
  />
);

interface ClustersDocument extends Listed {
  readonly level: string;
  readonly clusters: readonly { readonly root: number; readonly size: number; readonly url: string }[];
  readonly classes: readonly { readonly sizes: string; readonly clusters: number; readonly pages: number }[];
}

export function ClustersView({ query }: { readonly query: URLSearchParams }) {
  const order = query.get("order") ?? "desc";
  const path = `/api/clusters${asked(query, "snapshot", "level", "sizes", "order", "after")}`;
  const { data, error, isLoading } = useDocument<ClustersDocument>(path);
  const of = queryOf({ snapshot: data?.snapshot, level: data?.level });
  return (
    <>
      <div class="title">
        <h1>Near-duplicate clusters</h1>
      </div>
      <div class="filters">
        <SnapshotChoice data={data} />
        <LevelChoice />
        {query.has("sizes") ? <Link href={`/clusters${of}`}>All sizes</Link> : null}
      </div>
      <Failure message={error} />
      {data === undefined ? (
        error === undefined && <Working />
      ) : data.snapshots.length === 0 ? (
        <Empty>No clusters yet: "dustpan cluster" finds them among pages with text.</Empty>
      ) : (
        <>
          {data.classes === undefined ? null : (
            <table class="list narrow">
              <caption class="hidden">Clusters by size</caption>
              <thead>
                <tr>
                  <th scope="col">Pages in the cluster</th>
                  <th scope="col" class="number">
                    Clusters
                  </th>
                  <th scope="col" class="number">
                    Pages
                  </th>
                </tr>
              </thead>
              <tbody>
                {data.classes.map(({ sizes, clusters, pages }) => (
                  <tr key={sizes}>
                    <td>
                      {sizes === "1" ? (
                        "1 (alone)"
                      ) : (
                        <Link
                          href={`/clusters${queryOf({ snapshot: data.snapshot, level: data.level, sizes })}`}
                          current={query.get("sizes") === sizes}
                        >
                          {sizes}
                        </Link>
                      )}
                    </td>
                    <td class="number">{count(clusters)}</td>
                    <td class="number">{count(pages)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          <section>
            <h2>
              {query.has("sizes") ? `Clusters of ${query.get("sizes")} pages` : "All clusters of two pages or more"}
            </h2>
            <table class={isLoading ? "list stale" : "list"}>
              <caption class="hidden">Clusters</caption>
              <thead>
                <tr>
                  <th scope="col">Root</th>
                  <SortHead name="size" title="Pages" sort="size" order={order} class="number" />
                </tr>
              </thead>
              <tbody>
                {data.clusters.map(({ root, size, url }) => (
                  <tr key={root}>
                    <td>
                      <Link href={`/clusters/${root}${of}`} class="url" row>
                        {url}
                      </Link>
                    </td>
                    <td class="number">{count(size)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            <Pager next={data.next} what="clusters" />
          </section>
          <Figures names={["cluster-sizes"]} />
        </>
      )}
    </>
  );
}

interface MembersDocument extends Listed {
  readonly pages: readonly {
    readonly id: number;
    readonly size: number;
    readonly url: string;
    readonly title?: string | null;
    readonly words?: number | null;
  }[];
}

export function ClusterView({ root, query }: { readonly root: string; readonly query: URLSearchParams }) {
  const path = `/api/clusters/${root}${asked(query, "snapshot", "level", "after")}`;
  const { data, error } = useDocument<MembersDocument>(path);
  return (
    <>
      <p class="crumbs">
        <Link href={`/clusters${asked(query, "snapshot", "level")}`}>Clusters</Link> / {root}
      </p>
      <h1>Cluster {data?.pages[0] === undefined ? "" : `of ${counted(data.pages[0].size, "page")}`}</h1>
      <Failure message={error} />
      {data === undefined ? (
        error === undefined && <Working />
      ) : data.pages.length === 0 ? (
        <Empty>There is no such cluster in this snapshot.</Empty>
      ) : (
        <table class="list">
          <caption class="hidden">Pages of the cluster</caption>
          <thead>
            <tr>
              <th scope="col">Page</th>
              <th scope="col">Title</th>
              <th scope="col" class="number wide">
                Words
              </th>
            </tr>
          </thead>
          <tbody>
            {data.pages.map((page) => (
              <tr key={page.id}>
                <td>
                  <Link href={`/urls/${page.id}`} class="url" row>
                    {page.url}
                  </Link>
                </td>
                <td>{page.title}</td>
                <td class="number wide">{page.words == null ? "" : count(page.words)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Pager next={data?.next} what="pages of the cluster" />
    </>
  );
}
