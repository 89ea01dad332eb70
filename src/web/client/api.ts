import { useEffect, useState } from "preact/hooks";
import type { Documents, Job } from "../../documents.js";

type Format = keyof Documents;

/**
 * What proves that a request is ours: it came in the address, and stays in this origin's store, which no other port of
 * this machine can read.
 */
const TOKEN_KEY = "dustpan-token";
const given = /^#token=([\w-]+)$/.exec(location.hash)?.[1];
if (given !== undefined) {
  localStorage.setItem(TOKEN_KEY, given);
  history.replaceState(null, "", location.pathname + location.search);
}

const authorization = () => `Bearer ${localStorage.getItem(TOKEN_KEY) ?? "none"}`;

/** There is no workspace: nothing has been added. */
export class NothingYet extends Error {}

/** The API under the pages; docs/web.md describes its documents. */
async function request<F extends Format>(
  method: string,
  format: F,
  path: string,
  body?: unknown,
): Promise<Documents[F]> {
  const url = new URL(path, location.origin);
  if (new URLSearchParams(location.search).has("unmask")) url.searchParams.set("unmask", "1");
  const response = await fetch(url, {
    method,
    headers: {
      Authorization: authorization(),
      ...(body !== undefined && { "Content-Type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return documentIn(response, format, path);
}

async function documentIn<F extends Format>(response: Response, format: F, path: string): Promise<Documents[F]> {
  const document = (await response.json()) as Documents[F] & {
    readonly error?: string;
    readonly format?: string;
  };
  if (document.format === "dustpan-nothing") throw new NothingYet("there is no workspace yet: add a file first");
  if (!response.ok) throw new Error(document.error ?? response.statusText);
  // A job instead of another document: it is not ready.
  if (document.format !== format && document.format !== "dustpan-job") {
    throw new Error(`${path} answered with ${document.format}, not with ${format}`);
  }
  return document;
}

export const get = <F extends Format>(format: F, path: string) => request("GET", format, path);
export const post = <F extends Format>(format: F, path: string, body: unknown) => request("POST", format, path, body);
export const remove = <F extends Format>(format: F, path: string) => request("DELETE", format, path);

/** Sends a file as it is, to be added by a job. */
export async function send(file: File, signal: AbortSignal): Promise<Documents["dustpan-upload"]> {
  const path = `/api/uploads${queryOf({ name: file.name })}`;
  const headers = { Authorization: authorization(), "Content-Type": "application/octet-stream" };
  const response = await fetch(path, { method: "POST", headers, body: file, signal });
  return documentIn(response, "dustpan-upload", path);
}

/** An address that can be asked for once, without a header: for pictures and downloads. */
export async function ticketed(path: string): Promise<string> {
  // As the server will read it.
  const url = new URL(path, location.origin);
  url.search = url.searchParams.toString();
  const address = url.pathname + url.search;
  const { ticket } = await post("dustpan-ticket", "/api/tickets", { address });
  return `${address}${url.search === "" ? "?" : "&"}ticket=${ticket}`;
}

export interface Loaded<T> {
  readonly data?: T;
  /** What has to be made ready first. */
  readonly waiting?: Job;
  readonly error?: string;
  /** There is no workspace yet. */
  readonly isNothing?: boolean;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

export const POLL_MS = 700;

/** What is shown may have changed: a job of ours has ended. */
export const WORK_ENDED = "dustpan:work-ended";

/** The document at this path; the former one stays until the new one is there. */
export function useDocument<F extends Format>(format: F, path: string | undefined): Loaded<Documents[F]> {
  type T = Documents[F];
  const [state, setState] = useState<{ path?: string; data?: T; waiting?: Job; error?: string; isNothing?: boolean }>(
    {},
  );
  const [turn, setTurn] = useState(0);
  // A new turn asks again.
  useEffect(() => {
    if (path === undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let current = true;
    const ask = () =>
      get(format, path).then(
        (answer) => {
          if (!current) return;
          if (isWaiting(path, answer)) {
            setState({ waiting: answer });
            timer = setTimeout(ask, POLL_MS);
          } else setState({ path, data: answer });
        },
        (error: unknown) =>
          current && setState({ path, error: messageOf(error), isNothing: error instanceof NothingYet }),
      );
    ask();
    const again = () => setTurn((last) => last + 1);
    addEventListener(WORK_ENDED, again);
    return () => {
      current = false;
      clearTimeout(timer);
      removeEventListener(WORK_ENDED, again);
    };
  }, [path, turn]);
  return {
    ...(state.data !== undefined && { data: state.data }),
    ...(state.waiting !== undefined && { waiting: state.waiting }),
    ...(state.error !== undefined && { error: state.error }),
    ...(state.isNothing && { isNothing: true }),
    isLoading: path !== undefined && state.path !== path,
    reload: () => setTurn((last) => last + 1),
  };
}

/** A job instead of another document: it is not ready. */
export function isWaiting(path: string, answer: unknown): answer is Job {
  return !path.startsWith("/api/jobs") && (answer as { format?: string }).format === "dustpan-job";
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A query string of what is given. */
export function queryOf(fields: Readonly<Record<string, string | number | null | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value != null && value !== "") query.set(name, String(value));
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}
