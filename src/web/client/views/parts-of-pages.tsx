import { count, counted, percent } from "../../../numbers.js";
import { queryOf, useDocument } from "../api.js";
import { Link } from "../location.js";
import { Empty, Pending, Title } from "../parts.js";
import { NotLookedYet } from "./job-card.js";

/** Pages that are a part of another one: never merged, so there is nothing to decide here. */
export function PartsOfPagesView() {
  const loaded = useDocument("dustpan-parts", "/api/parts");
  const found = loaded.data?.found;
  return (
    <>
      <Title about="Pages of which nearly everything is in a larger page too. Nothing is merged: a part is a page of its own.">
        Parts
      </Title>
      <Pending of={loaded} />
      {found === null ? (
        <NotLookedYet kind="contains" action="Find parts of other pages">
          Nobody has looked for pages that are a part of another one yet.
        </NotLookedYet>
      ) : null}
      {found === null || found === undefined ? null : found.parts === 0 ? (
        <Empty>No page of {found.snapshot} is a part of another one.</Empty>
      ) : (
        <>
          <p>
            {count(found.parts)} of {counted(found.pages, "page")} of {found.snapshot}: {percent(found.share)} or more
            of each is in another one.
          </p>
          <h2>What their URLs differ in</h2>
          <table class="list">
            <caption class="hidden">What their URLs differ in</caption>
            <thead>
              <tr>
                <th scope="col">Part</th>
                <th scope="col">of</th>
                <th scope="col" class="number">
                  Pairs
                </th>
              </tr>
            </thead>
            <tbody>
              {found.patterns.map(({ part, whole, pairs }) => (
                <tr key={`${part} ${whole}`}>
                  <td class="url">{part}</td>
                  <td class="url">{whole}</td>
                  <td class="number">{count(pairs)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <h2>Pairs of pages</h2>
          <table class="list">
            <caption class="hidden">Pairs of pages</caption>
            <thead>
              <tr>
                <th scope="col">Part</th>
                <th scope="col">is in</th>
                <th scope="col" class="number">
                  Share
                </th>
                <th scope="col" class="number wide">
                  Words
                </th>
              </tr>
            </thead>
            <tbody>
              {found.pairs.map(({ part, whole, containment, partWords, wholeWords }) => (
                <tr key={`${part} ${whole}`}>
                  <td>
                    <Page url={part} row />
                  </td>
                  <td>
                    <Page url={whole} />
                  </td>
                  <td class="number">{percent(containment)}</td>
                  <td class="number wide">
                    {count(partWords)} / {count(wholeWords)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </>
  );
}

function Page({ url, row = false }: { readonly url: string; readonly row?: boolean }) {
  return (
    <Link href={`/urls${queryOf({ url })}`} class="url" row={row}>
      {url}
    </Link>
  );
}
