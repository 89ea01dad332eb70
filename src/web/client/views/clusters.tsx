import type { ClusterList } from "../../../documents.js";
import { count, counted } from "../../../numbers.js";
import { queryOf, useDocument } from "../api.js";
import { go, Link, withQuery } from "../location.js";
import { Empty, Pager, Pending, QueryChoice, ShareBar, SortHead, Title, useTitle } from "../parts.js";
import { NotLookedYet } from "./job-card.js";
import { asked, ListView } from "./listed.js";
import { SideBySide } from "./side-by-side.js";

const LevelChoice = () => (
  <QueryChoice
    name="level"
    label="Level"
    choices={[
      ["", "similar"],
      ["identical", "identical"],
      ["related", "related"],
    ]}
  />
);

export function ClustersView({ query }: { readonly query: URLSearchParams }) {
  const sizes = query.get("sizes");
  return (
    <ListView
      format="dustpan-cluster-list"
      title="Near-duplicate clusters"
      about="Pages with nearly the same text, wherever they are."
      path={`/api/clusters${asked(query, "snapshot", "level", "sizes", "order", "after")}`}
      what="clusters"
      empty={
        <NotLookedYet kind="cluster" action="Find near-duplicates">
          Nobody has looked for near-duplicates yet.
        </NotLookedYet>
      }
      figures={["cluster-sizes", "largest-clusters", "largest-identical"]}
      filters={<LevelChoice />}
    >
      {(data, isLoading) => {
        const of = queryOf({ snapshot: data.snapshot, level: data.level });
        return (
          <>
            <SizeClasses data={data} chosen={sizes} />
            <h2>{sizes === null ? "All clusters of two pages or more" : `Clusters of ${sizes} pages`}</h2>
            {data.clusters.length === 0 ? (
              <Empty>No two pages of this snapshot are {data.level}.</Empty>
            ) : (
              <table class={isLoading ? "list stale" : "list"}>
                <caption class="hidden">Clusters</caption>
                <thead>
                  <tr>
                    <th scope="col">Page that stands for the cluster</th>
                    <SortHead
                      name="size"
                      title="Pages"
                      sort="size"
                      order={query.get("order") ?? "desc"}
                      class="number"
                    />
                  </tr>
                </thead>
                <tbody>
                  {data.clusters.map(({ root, size, url, title }) => (
                    <tr key={root}>
                      <td>
                        {title === null || title === "" ? (
                          <Link href={`/clusters/${root}${of}`} class="url" row>
                            {url}
                          </Link>
                        ) : (
                          <>
                            <Link href={`/clusters/${root}${of}`} row>
                              {title}
                            </Link>
                            <div class="url quiet">{url}</div>
                          </>
                        )}
                      </td>
                      <td class="number">{count(size)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </>
        );
      }}
    </ListView>
  );
}

/** How the pages are spread over the sizes of clusters; a class leads to its clusters. */
function SizeClasses({ data, chosen }: { readonly data: ClusterList; readonly chosen: string | null }) {
  const all = data.classes.reduce((sum, { pages }) => sum + pages, 0);
  const of = (sizes?: string) => `/clusters${queryOf({ snapshot: data.snapshot, level: data.level, sizes })}`;
  return (
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
          <th scope="col" class="wide">
            <span class="hidden">Share of the pages</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {data.classes.map(({ sizes, clusters, pages }) => (
          <tr key={sizes} class={chosen === sizes ? "chosen" : undefined}>
            <td>
              {sizes === "1" ? (
                "1 (alone)"
              ) : (
                <Link href={of(sizes)} current={chosen === sizes}>
                  {sizes}
                </Link>
              )}
            </td>
            <td class="number">{count(clusters)}</td>
            <td class="number">{count(pages)}</td>
            <td class="wide">
              <ShareBar part={pages} whole={all} />
            </td>
          </tr>
        ))}
        {chosen === null ? null : (
          <tr>
            <td colSpan={4}>
              <Link href={of()}>All sizes</Link>
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

export function ClusterView({ root, query }: { readonly root: string; readonly query: URLSearchParams }) {
  const path = `/api/clusters/${root}${asked(query, "snapshot", "level", "after")}`;
  const loaded = useDocument("dustpan-cluster-members", path);
  const { data } = loaded;
  const pages = data?.pages ?? [];
  const first = pages.find(({ id }) => String(id) === root);
  const named = first?.title || (data !== undefined && pages.length > 0 ? `Cluster ${root}` : undefined);
  useTitle(named);
  const others = pages.filter((page) => page !== first);
  // Between exact copies there is nothing to see.
  const other = query.get("with") ?? (others.find(({ words }) => words !== first?.words) ?? others[0])?.id;
  return (
    <>
      <p class="crumbs">
        <Link href={`/clusters${asked(query, "snapshot", "level")}`}>Clusters</Link> / {root}
      </p>
      <Title about={pages[0] === undefined ? "" : `${counted(pages[0].size, "page")}, ${data?.level}`}>
        {named ?? "Cluster"}
      </Title>
      <Pending of={loaded} />
      {data === undefined ? null : pages.length === 0 ? (
        <Empty>There is no such cluster in this snapshot.</Empty>
      ) : (
        <table class="list">
          <caption class="hidden">Pages of the cluster</caption>
          <thead>
            <tr>
              <th scope="col">Page</th>
              <th scope="col" class="number wide">
                Words
              </th>
              <th scope="col">
                <span class="hidden">Comparison</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {pages.map((page) => (
              <tr key={page.id} class={String(page.id) === String(other) ? "chosen" : undefined}>
                <td>
                  <Link href={`/urls/${page.id}`} class="url" row>
                    {page.url}
                  </Link>
                  <div class="quiet">{page.title}</div>
                </td>
                <td class="number wide">{page.words == null ? "" : count(page.words)}</td>
                <td>
                  {String(page.id) === root ? (
                    <span class="quiet">stands for all</span>
                  ) : (
                    <button
                      type="button"
                      class="plain"
                      aria-pressed={String(page.id) === String(other)}
                      onClick={() => go(withQuery({ with: String(page.id) }), "replace")}
                    >
                      Compare
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Pager next={data?.next} what="pages of the cluster" />
      {data === undefined || other === undefined ? null : (
        <section>
          <h2>What differs</h2>
          <SideBySide path={`/api/comparison${queryOf({ left: root, right: other, snapshot: data.snapshot })}`} />
        </section>
      )}
    </>
  );
}
