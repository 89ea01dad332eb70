import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

/** What is looked at is in the address: views can be bookmarked, shared and gone back to. */
export interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
}

const CHANGED = "dustpan:place";

export function usePlace(): Place {
  const [place, setPlace] = useState(current);
  useEffect(() => {
    const update = () => setPlace(current());
    addEventListener("popstate", update);
    addEventListener(CHANGED, update);
    return () => {
      removeEventListener("popstate", update);
      removeEventListener(CHANGED, update);
    };
  }, []);
  return place;
}

function current(): Place {
  return { path: location.pathname, query: new URLSearchParams(location.search) };
}

export function go(href: string, how: "push" | "replace" = "push"): void {
  if (how === "push") history.pushState(null, "", href);
  else history.replaceState(null, "", href);
  dispatchEvent(new Event(CHANGED));
  if (how === "push") scrollTo(0, 0);
}

/** The present address with some of its query changed; undefined or "" takes a name out. */
export function withQuery(change: Readonly<Record<string, string | undefined>>, keep = true): string {
  const query = new URLSearchParams(keep ? location.search : "");
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined || value === "") query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  return location.pathname + (text === "" ? "" : `?${text}`);
}

/** Whether secrets are shown goes with every link inside the app. */
export function hrefOf(path: string): string {
  if (!new URLSearchParams(location.search).has("unmask")) return path;
  return `${path}${path.includes("?") ? "&" : "?"}unmask=1`;
}

export function Link(props: {
  readonly href: string;
  readonly class?: string;
  readonly current?: boolean;
  readonly row?: boolean;
  readonly label?: string;
  readonly children: ComponentChildren;
}) {
  const href = hrefOf(props.href);
  return (
    <a
      href={href}
      class={props.class}
      aria-current={props.current ? "page" : undefined}
      aria-label={props.label}
      data-row={props.row ? "" : undefined}
      onClick={(event: MouseEvent) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        go(href);
      }}
    >
      {props.children}
    </a>
  );
}
