/** One GET and its answer, within the limits of time and size. */
import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import { ACCEPT_ENCODING, readBody } from "../http/content-codings.js";
import { untilAborted } from "./abort.js";
import { requestTarget } from "./access.js";
import type { FetchEffects } from "./effects.js";

export interface ExchangeOptions {
  readonly userAgent: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** What is beyond `maxBytes` is left unread, and the answer counts all the same. */
  readonly truncate?: boolean;
}

export type Exchange =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      readonly body: Uint8Array;
      readonly wireBytes: number;
    }
  /** `again`: the connection broke before there was an answer, as idle connections do; asking again may help. */
  | { readonly kind: "failed"; readonly reason: string; readonly again: boolean }
  | { readonly kind: "timedOut"; readonly limitMs: number }
  | { readonly kind: "tooLarge"; readonly status: number; readonly limitBytes: number }
  | { readonly kind: "interrupted" };

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/** Redirects carry a few words at most; what is longer is not worth keeping the connection for. */
const MAX_REDIRECT_BODY_BYTES = 16 * 1024;

const brokenConnectionCodes = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

export function redirectTarget(status: number, headers: IncomingHttpHeaders): string | undefined {
  const { location } = headers;
  return redirectStatuses.has(status) && location ? location : undefined;
}

/** Several headers of one name, as one. */
export function joinHeader(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(", ") : (value ?? "");
}

export async function get(
  dispatcher: Dispatcher,
  url: URL,
  options: ExchangeOptions,
  effects: Pick<FetchEffects, "deadline">,
  signal: AbortSignal,
): Promise<Exchange> {
  const { maxBytes, timeoutMs } = options;
  const controller = new AbortController();
  const abort = () => controller.abort();
  let isLate = false;
  if (signal.aborted) return { kind: "interrupted" };
  signal.addEventListener("abort", abort);
  const cancelDeadline = effects.deadline(timeoutMs, () => {
    isLate = true;
    abort();
  });
  try {
    // undici aborts a request that waits for its connection only once that is made, which may be never.
    const asking = dispatcher.request({
      origin: url.origin,
      path: requestTarget(url),
      method: "GET",
      headers: {
        "user-agent": options.userAgent,
        accept: "text/html, application/xhtml+xml, */*;q=0.8",
        "accept-encoding": ACCEPT_ENCODING,
      },
      signal: controller.signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const answer = await untilAborted(asking, controller.signal);
    if (answer === undefined) return isLate ? { kind: "timedOut", limitMs: timeoutMs } : { kind: "interrupted" };
    const { statusCode: status, headers, body } = answer;
    if (redirectTarget(status, headers) !== undefined) {
      await body.dump({ limit: MAX_REDIRECT_BODY_BYTES, signal: controller.signal });
      return { kind: "answer", status, headers, body: new Uint8Array(0), wireBytes: 0 };
    }
    if (Number(headers["content-length"]) > maxBytes && !options.truncate) {
      body.on("error", () => {}).destroy();
      return { kind: "tooLarge", status, limitBytes: maxBytes };
    }
    const read = await readBody(body, joinHeader(headers["content-encoding"]), maxBytes);
    if (read.kind === "unreadable") return { kind: "failed", reason: read.reason, again: false };
    if (read.kind === "overflow" && !options.truncate) return { kind: "tooLarge", status, limitBytes: maxBytes };
    return { kind: "answer", status, headers, body: read.bytes, wireBytes: read.wireBytes };
  } catch (error) {
    if (signal.aborted) return { kind: "interrupted" };
    const { code = "", message } = error as NodeJS.ErrnoException;
    if (isLate || code === "ETIMEDOUT") return { kind: "timedOut", limitMs: timeoutMs };
    return { kind: "failed", reason: failureReason(code, message), again: brokenConnectionCodes.has(code) };
  } finally {
    cancelDeadline();
    signal.removeEventListener("abort", abort);
  }
}

function failureReason(code: string, message: string): string {
  switch (code) {
    case "ECONNREFUSED":
      return "connection refused";
    case "ECONNRESET":
    case "EPIPE":
    case "UND_ERR_SOCKET":
      return "connection broken";
    case "UND_ERR_HEADERS_OVERFLOW":
      return "headers too large";
    default:
      return code === "" ? message : `${code}: ${message}`;
  }
}
