import type { Documents } from "../../documents.js";
import type { App } from "./app.js";

/** One request to the API, taken apart. */
export interface ApiRequest {
  readonly app: App;
  /** The values of the names in the route's path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** A JSON value; bytes as they come where the route takes these. */
  readonly body: unknown;
}

/** A file that is sent and then removed. */
export interface FileAnswer {
  readonly file: string;
  readonly name: string;
  readonly type: string;
}

/** A document as the CLI's --json prints it, a file, or a text with its type. */
export type Answer =
  | { readonly document: object; readonly status?: number }
  | { readonly download: FileAnswer }
  | { readonly text: string; readonly type: string; readonly name?: string };

export type Handler = (request: ApiRequest) => Promise<Answer>;

export interface Route {
  readonly method: "GET" | "POST" | "DELETE";
  /** "/api/rules/:id": a name stands for one segment. */
  readonly path: string;
  /** What a POST brings; JSON where absent. */
  readonly takes?: "bytes";
  readonly handle: Handler;
}

/** The same envelope as the CLI's. */
export function documentOf<F extends keyof Documents>(format: F, content: Documents[F], status?: number): Answer {
  return { document: { format, version: 1, ...content }, ...(status !== undefined && { status }) };
}

/** For routes that are answered from the order of the URLs: until it is made, the answer is the job that makes it. */
export function onceOrdered(handle: Handler): Handler {
  return async (request) => {
    const waiting = await request.app.orderUrls();
    return waiting === undefined ? handle(request) : documentOf("dustpan-job", waiting, 202);
  };
}

export function matchRoute(
  routes: readonly Route[],
  method: string,
  path: string,
): { readonly route: Route; readonly params: Record<string, string> } | "other method" | undefined {
  const segments = path.split("/");
  let otherMethod = false;
  for (const route of routes) {
    const pattern = route.path.split("/");
    if (pattern.length !== segments.length) continue;
    const params: Record<string, string> = {};
    const fits = pattern.every((part, i) => {
      if (!part.startsWith(":")) return part === segments[i];
      params[part.slice(1)] = decode(segments[i]!);
      return segments[i] !== "";
    });
    if (!fits) continue;
    if (route.method === method) return { route, params };
    otherMethod = true;
  }
  return otherMethod ? "other method" : undefined;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
