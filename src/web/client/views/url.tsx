import { useEffect, useState } from "preact/hooks";
import type { AliasBatch, UrlDocument } from "../../../documents.js";
import { bytes, count, counted } from "../../../numbers.js";
import { get, isWaiting, messageOf, POLL_MS, queryOf, useDocument } from "../api.js";
import { Link } from "../location.js";
import { Facts, Failure, Pending, Url, UrlChange, useTitle, Working } from "../parts.js";
import { answers, UrlBox } from "./urls.js";

/** One URL: its canonical form step by step, and all that is known of it. */
export function UrlView({ id, text }: { readonly id?: string; readonly text?: string }) {
  const path = id === undefined ? `/api/url${queryOf({ url: text })}` : `/api/urls/${id}`;
  const loaded = useDocument("dustpan-url", path);
  useTitle(loaded.data?.given);
  return (
    <>
      <p class="crumbs">
        <Link href="/urls">URLs</Link> / {id ?? "explained"}
      </p>
      {id === undefined ? <UrlBox initial={text ?? ""} /> : null}
      <Pending of={loaded} />
      {loaded.data === undefined ? null : <Explained data={loaded.data} />}
    </>
  );
}

function Explained({ data }: { readonly data: UrlDocument }) {
  const isChanged = data.canonical !== data.given;
  return (
    <>
      <h1 class="url">{data.given}</h1>
      <section>
        <h2>Canonical form</h2>
        {data.isSettled ? null : <Failure message="This URL does not settle under the rules: it stays as it is." />}
        <ol class="steps">
          {data.normalized.steps.length === 0 ? null : (
            <li>
              <p class="quiet">safe normalization: {data.normalized.steps.join(", ")}</p>
              <UrlChange from={data.given} to={data.normalized.url} />
            </li>
          )}
          {data.steps.map((step, i) => (
            <li key={`${step.rule} ${i}`}>
              <p class="quiet">
                <Link href={`/rules/${step.rule}`}>{step.rule}</Link> {step.text}
              </p>
              <UrlChange from={step.before} to={step.after} />
            </li>
          ))}
        </ol>
        <p>
          {isChanged ? (
            <strong class="url">{data.canonical}</strong>
          ) : (
            "It is its own canonical form: no rule in use changes it."
          )}
        </p>
      </section>
      {data.id === undefined ? (
        <p class="quiet">The workspace has not seen this URL.</p>
      ) : (
        <Known data={data} id={data.id} />
      )}
    </>
  );
}

function Known({ data, id }: { readonly data: UrlDocument; readonly id: number }) {
  return (
    <>
      <Aliases id={id} />
      {data.sightings === undefined || data.sightings.length === 0 ? null : (
        <section>
          <h2>Seen in</h2>
          <table class="list">
            <thead>
              <tr>
                <th scope="col">Input</th>
                <th scope="col" class="number">
                  Requests
                </th>
                <th scope="col">Answers</th>
                <th scope="col" class="number wide">
                  Size
                </th>
                <th scope="col" class="wide">
                  From
                </th>
                <th scope="col" class="wide">
                  To
                </th>
              </tr>
            </thead>
            <tbody>
              {data.sightings.map((row) => (
                <tr key={row.input}>
                  <td>
                    {row.input} <span class="quiet">{row.snapshot}</span>
                  </td>
                  <td class="number">{count(row.hits)}</td>
                  <td>{answers(row.statusClasses)}</td>
                  <td class="number wide">{row.maxBytes === null ? "" : bytes(row.maxBytes)}</td>
                  <td class="wide">{row.firstSeen?.slice(0, 16).replace("T", " ")}</td>
                  <td class="wide">{row.lastSeen?.slice(0, 16).replace("T", " ")}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <Pages data={data} />
      <Copies data={data} />
    </>
  );
}

function Pages({ data }: { readonly data: UrlDocument }) {
  if (data.pages === undefined || data.pages.length === 0) return null;
  return (
    <section>
      <h2>Downloads</h2>
      {data.pages.map((page) => (
        <Facts
          key={`${page.snapshot} ${page.fetched}`}
          facts={[
            ["Snapshot", page.snapshot],
            ["Status", String(page.status)],
            ["Title", page.title ?? ""],
            ["Size", `${page.bytes === null ? "" : `${bytes(page.bytes)}, `}${counted(page.words ?? 0, "word")}`],
            ["Fetched", page.fetched?.slice(0, 16).replace("T", " ") ?? ""],
            ...(page.redirect === null ? [] : [["Redirects to", page.redirect] as const]),
            ...(page.canonical === null ? [] : [["Names canonical", page.canonical] as const]),
          ]}
        />
      ))}
    </section>
  );
}

function Copies({ data }: { readonly data: UrlDocument }) {
  const { clusters = [], mirrors = [], redirects = [], spellings = [], collections = [] } = data;
  return (
    <>
      {redirects.length === 0 ? null : (
        <section>
          <h2>Redirects to</h2>
          <ul class="plain">
            {redirects.map((target) => (
              <li key={target.id}>
                <Url url={target.url} id={target.id} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {spellings.length === 0 ? null : (
        <section>
          <h2>Other spellings that safe normalization made one</h2>
          <ul class="plain">
            {spellings.map(({ spelling, hits }) => (
              <li key={spelling}>
                <span class="url">{spelling}</span> <span class="quiet">{counted(hits, "request")}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {clusters.length === 0 ? null : (
        <section>
          <h2>Near-duplicate clusters</h2>
          <ul class="plain">
            {clusters.map(({ snapshot, level, root, size }) => (
              <li key={`${snapshot} ${level}`}>
                {size === 1 ? (
                  `${level}: alone`
                ) : (
                  <Link href={`/clusters/${root}${queryOf({ snapshot, level })}`}>
                    {level}: one of {count(size)} pages
                  </Link>
                )}{" "}
                <span class="quiet">{snapshot}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {collections.length === 0 ? null : (
        <section>
          <h2>Replicated collection</h2>
          <ul class="plain">
            {collections.map(({ snapshot, cluster, name, cardinality }) => (
              <li key={`${snapshot} ${cluster}`}>
                <Link href={`/collections/${cluster}${queryOf({ snapshot })}`}>{name}</Link>{" "}
                <span class="quiet">
                  {count(cardinality)} copies, {snapshot}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {mirrors.length === 0 ? null : (
        <section>
          <h2>Mirrors of its host</h2>
          <ul class="plain">
            {mirrors.map(({ snapshot, host, alias, isMirror }) => (
              <li key={`${snapshot} ${host}`}>
                <Link href={`/urls${queryOf({ host, sort: "url" })}`}>{host}</Link>{" "}
                <span class="quiet">{alias ?? (isMirror ? "confirmed" : "not confirmed")}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

const SHOWN_ALIASES = 200;

/** URLs with the same canonical form, looked for batch by batch. */
function Aliases({ id }: { readonly id: number }) {
  const [found, setFound] = useState<{ aliases: AliasBatch["aliases"]; share: number }>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    let isCurrent = true;
    const look = async () => {
      let after: number | undefined;
      let aliases: AliasBatch["aliases"] = [];
      do {
        const path = `/api/urls/${id}/aliases${queryOf({ after })}`;
        const batch = await get("dustpan-aliases", path);
        if (!isCurrent) return;
        if (isWaiting(path, batch)) {
          await new Promise((resolve) => setTimeout(resolve, POLL_MS));
          continue;
        }
        aliases = [...aliases, ...batch.aliases];
        setFound({ aliases, share: batch.total === 0 ? 1 : batch.examined / batch.total });
        after = batch.next;
        if (after === undefined) return;
      } while (isCurrent);
    };
    look().catch((error: unknown) => isCurrent && setFailure(messageOf(error)));
    return () => {
      isCurrent = false;
    };
  }, [id]);
  const others = found?.aliases.filter((alias) => alias.id !== id) ?? [];
  return (
    <section>
      <h2>Aliases</h2>
      <Failure message={failure} />
      {found === undefined ? (
        failure === undefined && <Working what="Looking for URLs with the same canonical form" />
      ) : (
        <>
          <p class="quiet">
            {others.length === 0
              ? "No other URL"
              : `${count(others.length)} other ${others.length === 1 ? "URL has" : "URLs have"}`}
            {others.length === 0 ? " has" : ""} the same canonical form
            {found.share < 1 ? `; looked at ${Math.floor(100 * found.share)}% so far …` : "."}
          </p>
          <ul class="plain">
            {others.slice(0, SHOWN_ALIASES).map((alias) => (
              <li key={alias.id}>
                <Url url={alias.url} id={alias.id} /> <span class="quiet">{counted(alias.hits, "request")}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
