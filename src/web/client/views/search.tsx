import type { SearchLine } from "../../../documents.js";
import { counted } from "../../../numbers.js";
import { queryOf, useDocument } from "../api.js";
import { go, Link, withQuery } from "../location.js";
import { Empty, Pager, Pending, QueryChoice, QueryField, Title } from "../parts.js";

/** Search over the crawled pages: one line per collection, with its Collection and Replica links (figure 14). */
export function SearchView({ query }: { readonly query: URLSearchParams }) {
  const words = query.get("q") ?? "";
  const path =
    words === ""
      ? undefined
      : `/api/search${queryOf({ q: words, after: query.get("after"), by: query.get("by"), flat: query.get("flat"), snapshot: query.get("snapshot") })}`;
  const loaded = useDocument("dustpan-search", path);
  const hasNoPages = useDocument("dustpan-overview", "/api/overview").data?.pages === 0;
  const data = path === undefined ? undefined : loaded.data;
  return (
    <>
      <Title about="The words of the crawled pages, one line for each collection of copies.">Search</Title>
      <div class="filters">
        <QueryField name="q" label="Words" isSearch />
        <QueryChoice
          name="by"
          label="First"
          choices={[
            ["", "what fits best"],
            ["copies", "what is there most often"],
          ]}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={!query.has("flat")}
            onChange={(event) =>
              go(withQuery({ flat: event.currentTarget.checked ? undefined : "1", after: undefined }), "replace")
            }
          />
          copies on one line
        </label>
      </div>
      {hasNoPages ? (
        <Empty>
          No page has been read yet: a log or a list names URLs only.{" "}
          <Link href="/" class="button">
            Add a file
          </Link>
        </Empty>
      ) : path === undefined ? (
        <Empty>Type words to find the pages that have them, one line for all copies of a page.</Empty>
      ) : (
        <Pending of={loaded} what="Searching" />
      )}
      {data === undefined || hasNoPages ? null : data.lines.length === 0 ? (
        <Empty>No page has these words.</Empty>
      ) : (
        <>
          <p class="quiet">
            {counted(data.matches, "page")} with any of the words
            {data.isRolledUp || query.has("flat") ? "" : "; copies are not rolled up, since the pages have no links"}
          </p>
          <ol class="results" start={data.lines[0]!.rank}>
            {data.lines.map((line) => (
              <Result key={line.url} line={line} />
            ))}
          </ol>
          <Pager next={data.next} what="results" />
        </>
      )}
    </>
  );
}

function Result({ line }: { readonly line: SearchLine }) {
  const link = (url: string, text = url) => <Link href={`/urls${queryOf({ url })}`}>{text}</Link>;
  return (
    <li value={line.rank}>
      <div>
        <Link href={`/urls${queryOf({ url: line.url })}`} row>
          {line.title ?? line.url}
        </Link>
      </div>
      <div class="url quiet">{line.url}</div>
      {line.copies === undefined || line.copies < 2 ? null : (
        <div class="quiet">{counted(line.copies, "copy", "copies")}</div>
      )}
      <p>{line.snippet}</p>
      {line.cluster === undefined ? null : (
        <div class="rolled">
          <details>
            <summary>Collection: {counted(line.collection?.length ?? 0, "result")}</summary>
            <ul class="plain">
              {line.collection?.map((hit) => (
                <li key={hit.url} class="url">
                  {link(hit.url)}
                </li>
              ))}
            </ul>
          </details>
          <details>
            <summary>Replica: {counted(line.replicas?.length ?? 0, "copy", "copies")}</summary>
            <ul class="plain">
              {line.replicas?.map((replica) => (
                <li key={replica.root}>
                  <span class="url">{link(replica.root)}</span>{" "}
                  <span class="quiet">{counted(replica.hits, "result")}</span>
                </li>
              ))}
            </ul>
          </details>
        </div>
      )}
    </li>
  );
}
