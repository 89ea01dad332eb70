import { useState } from "preact/hooks";
import { bytes, count } from "../../../numbers.js";
import { queryOf, useDocument } from "../api.js";
import { go, hrefOf, Link, withQuery } from "../location.js";
import { Empty, Pager, Pending, QueryField, SortHead, Working } from "../parts.js";

export function UrlsView({ query }: { readonly query: URLSearchParams }) {
  const sort = query.get("sort") ?? "hits";
  const order = query.get("order") ?? (sort === "hits" ? "desc" : "asc");
  const asked = ["host", "prefix", "contains", "sort", "order", "after"];
  const path = `/api/urls${queryOf(Object.fromEntries(asked.map((name) => [name, query.get(name)])))}`;
  const loaded = useDocument("dustpan-urls", path);
  const { data, isLoading } = loaded;
  return (
    <>
      <div class="title">
        <h1>URLs</h1>
        <span class="quiet">{data === undefined || query.has("contains") ? "" : count(data.total)}</span>
      </div>
      <UrlBox />
      <div class="filters">
        <QueryField name="contains" label="Containing" placeholder="any text" />
        <QueryField name="prefix" label="Beginning with" placeholder="https://www.example.com/path" />
        <QueryField name="host" label="Host" placeholder="www.example.com" />
      </div>
      <Pending of={loaded} what={query.has("contains") ? "Searching all URLs" : "Loading"} />
      {data === undefined ? null : data.urls.length === 0 ? (
        <Empty>No URL fits what is asked for.</Empty>
      ) : (
        <>
          {isLoading && query.has("contains") ? <Working what="Searching all URLs" /> : null}
          <table class={isLoading ? "list stale" : "list"}>
            <caption class="hidden">URLs</caption>
            <thead>
              <tr>
                <SortHead name="url" title="URL" sort={sort} order={order} first="asc" />
                <SortHead name="hits" title="Requests" sort={sort} order={order} class="number" />
                <th scope="col" class="number wide">
                  Size
                </th>
                <th scope="col" class="wide">
                  Answers
                </th>
              </tr>
            </thead>
            <tbody>
              {data.urls.map((row) => (
                <tr key={row.id}>
                  <td>
                    <Link href={`/urls/${row.id}`} class="url" row>
                      {row.url}
                    </Link>
                  </td>
                  <td class="number">{count(row.hits)}</td>
                  <td class="number wide">{row.bytes === null ? "" : bytes(row.bytes)}</td>
                  <td class="wide">{answers(row.statusClasses)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <Pager next={data.next} what="URLs" />
        </>
      )}
    </>
  );
}

/** Which classes of status the URL was answered with. */
export function answers(classes: number): string {
  return [1, 2, 3, 4, 5]
    .filter((digit) => (classes >> digit) & 1)
    .map((digit) => `${digit}xx`)
    .join(" ");
}

/** Any URL, known or not, in its canonical form. */
export function UrlBox({ initial = "" }: { readonly initial?: string }) {
  const [text, setText] = useState(initial);
  return (
    <form
      class="filters"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== "") go(hrefOf(`/urls${withQuery({ url: text.trim() }, false).replace(/^[^?]*/, "")}`));
      }}
    >
      <label class="field grow">
        <span>Explain a URL</span>
        <input
          type="text"
          value={text}
          placeholder="paste a URL"
          data-search=""
          spellcheck={false}
          autocomplete="off"
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button type="submit">Explain</button>
    </form>
  );
}
