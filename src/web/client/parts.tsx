import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { percent } from "../../numbers.js";
import { difference } from "../../url/difference.js";
import { type Loaded, messageOf, ticketed } from "./api.js";
import { go, hrefOf, Link, usePlace, withQuery } from "./location.js";

/** The small parts that every view is made of. */

/** A view's heading, with a sentence that says what it shows. */
export function Title(props: { readonly about: ComponentChildren; readonly children: ComponentChildren }) {
  return (
    <div class="title">
      <h1>{props.children}</h1>
      <p class="about">{props.about}</p>
    </div>
  );
}

/** What the tab is called, once that is known; the view's name until then. */
export function useTitle(text: string | undefined): void {
  useEffect(() => {
    if (text !== undefined && text !== "") document.title = `${text} – dustpan`;
  }, [text]);
}

export function Badge({ kind, children }: { readonly kind: string; readonly children: ComponentChildren }) {
  return <span class={`badge ${kind}`}>{children}</span>;
}

export function Failure({ message }: { readonly message: string | undefined }) {
  return message === undefined ? null : (
    <p class="failure" role="alert">
      {message}
    </p>
  );
}

/** Takes no room until it has lasted long enough to be noticed. */
export function Working({ what = "Loading" }: { readonly what?: string }) {
  return (
    <p class="working" role="status">
      {what} …
    </p>
  );
}

/** What is shown until the document is there: the failure, the job that has to run first, or that it is on its way. */
export function Pending({ of, what }: { readonly of: Loaded<unknown>; readonly what?: string }) {
  if (of.isNothing) {
    return (
      <Empty>
        There is nothing here yet.{" "}
        <Link href="/" class="button">
          Add a file
        </Link>
      </Empty>
    );
  }
  if (of.error !== undefined) return <Failure message={of.error} />;
  if (of.waiting !== undefined) {
    const { progress } = of.waiting;
    const share = progress?.total === undefined ? "" : `, ${Math.floor((100 * progress.done) / progress.total)}%`;
    return <Working what={`Getting ready, once: ${progress?.step ?? "starting"}${share}`} />;
  }
  return of.data === undefined ? <Working {...(what !== undefined && { what })} /> : null;
}

/** A share as a bar; the policy of the page allows no inline style, but attributes of a drawing. */
export function ShareBar({ part, whole }: { readonly part: number; readonly whole: number }) {
  const value = whole === 0 ? 0 : part / whole;
  return (
    <svg class="share" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label={percent(value)}>
      <rect class="all" width="100" height="6" />
      <rect class="part" width={Math.max(part > 0 ? 0.75 : 0, 100 * value)} height="6" />
    </svg>
  );
}

export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <div class="empty">{children}</div>;
}

/** What the words above it mean. */
export function Legend({ entries }: { readonly entries: readonly (readonly [word: string, meaning: string])[] }) {
  return (
    <dl class="legend" aria-label="Legend">
      {entries.map(([word, meaning]) => (
        <div key={word}>
          <dt>{word}</dt> <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A column head that sorts: its state is in the address. */
export function SortHead(props: {
  readonly name: string;
  readonly title: string;
  readonly sort: string;
  readonly order: string;
  readonly first?: "asc" | "desc";
  readonly class?: string;
}) {
  const isSorted = props.sort === props.name;
  const next = isSorted ? (props.order === "asc" ? "desc" : "asc") : (props.first ?? "desc");
  return (
    <th
      scope="col"
      class={props.class}
      aria-sort={isSorted ? (props.order === "asc" ? "ascending" : "descending") : undefined}
    >
      <button
        type="button"
        class="sort"
        onClick={() => go(withQuery({ sort: props.name, order: next, after: undefined }))}
      >
        {props.title}
        {isSorted ? (
          <span class="direction" aria-hidden="true">
            {props.order === "asc" ? "↑" : "↓"}
          </span>
        ) : null}
      </button>
    </th>
  );
}

/** Pages are found by key: there is a next one and a first one, and the browser's own way back. */
export function Pager({ next, what }: { readonly next?: string | undefined; readonly what: string }) {
  const { query } = usePlace();
  const isFirst = !query.has("after");
  if (isFirst && next === undefined) return null;
  return (
    <nav class="pager" aria-label={`Pages of ${what}`}>
      {isFirst ? null : <Link href={withoutUnmask(withQuery({ after: undefined }))}>First page</Link>}
      {isFirst ? null : (
        <button type="button" class="plain" onClick={() => history.back()}>
          Back
        </button>
      )}
      {next === undefined ? null : <Link href={withoutUnmask(withQuery({ after: next }))}>Next page</Link>}
    </nav>
  );
}

/** `Link` adds it again. */
export const withoutUnmask = (href: string) => href.replace(/([?&])unmask=1&?/, "$1").replace(/[?&]$/, "");

/** A field whose text goes into the address once typing has paused. */
export function QueryField(props: {
  readonly name: string;
  readonly label: string;
  readonly placeholder?: string;
  readonly isSearch?: boolean;
}) {
  const { query } = usePlace();
  const inAddress = query.get(props.name) ?? "";
  const [text, setText] = useState(inAddress);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setText(inAddress), [inAddress]);
  const settle = (value: string) => {
    clearTimeout(timer.current);
    if (value !== inAddress) go(withQuery({ [props.name]: value, after: undefined }), "replace");
  };
  return (
    <label class={props.isSearch ? "field wide-field" : "field"}>
      <span>{props.label}</span>
      <input
        type="search"
        value={text}
        placeholder={props.placeholder}
        data-search={props.isSearch ? "" : undefined}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => {
          const { value } = event.currentTarget;
          setText(value);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => settle(value), 250);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") settle(event.currentTarget.value);
        }}
      />
    </label>
  );
}

export function QueryChoice(props: {
  readonly name: string;
  readonly label: string;
  readonly choices: readonly (readonly [value: string, title: string])[];
  /** What is chosen if the address does not say. */
  readonly fallback?: string | undefined;
}) {
  const { query } = usePlace();
  return (
    <label class="field">
      <span>{props.label}</span>
      <select
        value={query.get(props.name) ?? props.fallback ?? ""}
        onChange={(event) => go(withQuery({ [props.name]: event.currentTarget.value, after: undefined }), "replace")}
      >
        {props.choices.map(([value, title]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The page at a URL can be opened only where nothing of the URL is masked. */
export function Url({ url, id }: { readonly url: string; readonly id?: number | undefined }) {
  if (id !== undefined) {
    return (
      <Link href={`/urls/${id}`} class="url">
        {url}
      </Link>
    );
  }
  return <span class="url">{url}</span>;
}

/** Two URLs one above the other, with what differs marked. */
export function UrlChange(pair: { readonly from: string; readonly to: string }) {
  const { prefix, from, to, suffix } = difference(pair.from, pair.to);
  return (
    <div class="change">
      <div class="url">
        {prefix}
        {from === "" ? null : <del>{from}</del>}
        {suffix}
      </div>
      <div class="url">
        {prefix}
        {to === "" ? null : <ins>{to}</ins>}
        {suffix}
      </div>
    </div>
  );
}

export function Facts({ facts }: { readonly facts: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function DownloadLink({ href, children }: { readonly href: string; readonly children: ComponentChildren }) {
  const [failure, setFailure] = useState<string>();
  const path = hrefOf(href);
  return (
    <>
      <a
        href={path}
        download
        onClick={(event: MouseEvent) => {
          event.preventDefault();
          ticketed(path).then(
            (address) => location.assign(address),
            (error: unknown) => setFailure(messageOf(error)),
          );
        }}
      >
        {children}
      </a>
      {failure === undefined ? null : <Failure message={failure} />}
    </>
  );
}

/** A picture that the API draws. */
export function ApiImage({ src, alt }: { readonly src: string; readonly alt: string }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    ticketed(hrefOf(src)).then(setAddress, () => setAddress(undefined));
  }, [src]);
  return address === undefined ? null : <img src={address} alt={alt} />;
}
