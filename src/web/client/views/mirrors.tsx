import { queryOf, useDocument } from "../api.js";
import { Link } from "../location.js";
import { count, counted, Empty, Failure, Pager, SortHead, Working } from "../parts.js";
import { Figures } from "./figures.js";
import { asked, type Listed, SnapshotChoice } from "./listed.js";

interface MirrorsDocument extends Listed {
  readonly mirrors: readonly {
    readonly a: string;
    readonly b: string;
    readonly pagesA: number;
    readonly pagesB: number;
    readonly clusters: number;
    readonly size: number;
    readonly alias: string | null;
    readonly confirmedArcs: number;
  }[];
}

interface SubtreesDocument extends Listed {
  readonly subtrees: readonly {
    readonly a: string;
    readonly b: string;
    readonly pages: number;
    readonly knownA: number;
    readonly knownB: number;
  }[];
}

export function MirrorsView({ query }: { readonly query: URLSearchParams }) {
  const sort = query.get("sort") ?? "clusters";
  const order = query.get("order") ?? "desc";
  const path = `/api/mirrors${asked(query, "snapshot", "sort", "order", "after")}`;
  const { data, error, isLoading } = useDocument<MirrorsDocument>(path);
  const subtrees = useDocument<SubtreesDocument>(`/api/mirror-subtrees${asked(query, "snapshot")}`);
  return (
    <>
      <div class="title">
        <h1>Mirrors</h1>
      </div>
      <div class="filters">
        <SnapshotChoice data={data} />
      </div>
      <Failure message={error} />
      {data === undefined ? (
        error === undefined && <Working />
      ) : data.snapshots.length === 0 ? (
        <Empty>No mirrors yet: "dustpan mirrors" finds hosts that are copies of each other.</Empty>
      ) : (
        <table class={isLoading ? "list stale" : "list"}>
          <caption class="hidden">Pairs of hosts</caption>
          <thead>
            <tr>
              <th scope="col">Hosts</th>
              <SortHead name="clusters" title="Clusters" sort={sort} order={order} class="number" />
              <SortHead name="pages" title="Pages" sort={sort} order={order} class="number wide" />
              <SortHead name="size" title="Mirror size" sort={sort} order={order} class="number wide" />
              <th scope="col">Confirmed</th>
            </tr>
          </thead>
          <tbody>
            {data.mirrors.map((mirror) => (
              <tr key={`${mirror.a} ${mirror.b}`}>
                <td>
                  <Link href={`/urls${queryOf({ host: mirror.a, sort: "url" })}`} class="url" row>
                    {mirror.a}
                  </Link>
                  <span class="quiet"> and </span>
                  <Link href={`/urls${queryOf({ host: mirror.b, sort: "url" })}`} class="url">
                    {mirror.b}
                  </Link>
                </td>
                <td class="number">{count(mirror.clusters)}</td>
                <td class="number wide">
                  {count(mirror.pagesA)}, {count(mirror.pagesB)}
                </td>
                <td class="number wide">{count(mirror.size)}</td>
                <td>
                  {mirror.alias ??
                    (mirror.confirmedArcs === 0 ? "no" : `by ${counted(mirror.confirmedArcs, "path arc")}`)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Pager next={data?.next} what="mirrors" />
      {subtrees.data === undefined || subtrees.data.subtrees.length === 0 ? null : (
        <section>
          <h2>Parts of hosts that are copies</h2>
          <table class="list">
            <caption class="hidden">Parts of hosts that are copies</caption>
            <thead>
              <tr>
                <th scope="col">Below</th>
                <th scope="col">is also below</th>
                <th scope="col" class="number">
                  Pages
                </th>
              </tr>
            </thead>
            <tbody>
              {subtrees.data.subtrees.map(({ a, b, pages }) => (
                <tr key={`${a} ${b}`}>
                  <td class="url">{b}</td>
                  <td class="url">{a}</td>
                  <td class="number">{count(pages)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <Figures names={["mirror-sizes", "change-by-mirror-size"]} />
    </>
  );
}
