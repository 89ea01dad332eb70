import { count } from "../../../numbers.js";
import { queryOf, useDocument } from "../api.js";
import { Link } from "../location.js";
import { Empty, SortHead } from "../parts.js";
import { NotLookedYet } from "./job-card.js";
import { asked, ListView } from "./listed.js";

export function MirrorsView({ query }: { readonly query: URLSearchParams }) {
  const sort = query.get("sort") ?? "clusters";
  const order = query.get("order") ?? "desc";
  return (
    <ListView
      format="dustpan-mirror-pairs"
      title="Mirrors"
      about="Hosts that hold the same pages under the same paths."
      path={`/api/mirrors${asked(query, "snapshot", "sort", "order", "after")}`}
      what="mirrors"
      empty={
        <NotLookedYet kind="mirrors" action="Find mirrors">
          Nobody has looked for mirrored hosts yet.
        </NotLookedYet>
      }
      figures={["mirrored-pairs", "mirror-sizes", "change-by-mirror-size"]}
      below={<Subtrees query={query} />}
    >
      {(data, isLoading) =>
        data.mirrors.length === 0 ? (
          <Empty>
            No two hosts of this snapshot are mirrors; names of one machine, by its address, are not counted as such.
          </Empty>
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
                    <Host name={mirror.a} row />
                    <span class="quiet"> = </span>
                    <Host name={mirror.b} />
                  </td>
                  <td class="number">{count(mirror.clusters)}</td>
                  <td class="number wide">
                    {count(mirror.pagesA)} / {count(mirror.pagesB)}
                  </td>
                  <td class="number wide">{count(mirror.size)}</td>
                  <td>
                    {mirror.isMirror ? "yes" : "no"}: {count(mirror.alike)} of {count(mirror.clusters)} clusters alike
                    {mirror.alias === null ? "" : `, ${mirror.alias}`}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )
      }
    </ListView>
  );
}

function Host({ name, row = false }: { readonly name: string; readonly row?: boolean }) {
  return (
    <Link href={`/urls${queryOf({ host: name, sort: "url" })}`} class="url" row={row}>
      {name}
    </Link>
  );
}

/** The largest parts of hosts that are copies, of the snapshot that is shown. */
function Subtrees({ query }: { readonly query: URLSearchParams }) {
  const { data } = useDocument("dustpan-mirror-subtrees", `/api/mirror-subtrees${asked(query, "snapshot")}`);
  if (data === undefined || data.subtrees.length === 0) return null;
  return (
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
          {data.subtrees.map(({ a, b, pages }) => (
            <tr key={`${a} ${b}`}>
              <td class="url">{b}</td>
              <td class="url">{a}</td>
              <td class="number">{count(pages)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
