/** Unique keys for a crawler's requests. */

/** What is looked at of a request; the rest of it is kept as it is. */
export interface KeyedRequest {
  url: string;
  uniqueKey?: string;
  method?: string;
}

/** The request with its unique key; a URL alone becomes a request. */
export type KeyRequest = <R extends KeyedRequest = KeyedRequest>(request: R | string) => R;

/**
 * A key that somebody chose stays. Only what is read with GET or HEAD has a canonical URL: two forms sent to one address
 * are two requests.
 */
export function keyRequests(canonical: (url: string) => string): KeyRequest {
  return <R extends KeyedRequest>(given: R | string): R => {
    const request = (typeof given === "string" ? { url: given } : given) as R;
    const { method = "GET", uniqueKey } = request;
    if (uniqueKey !== undefined || !/^(?:GET|HEAD)$/i.test(method)) return request;
    return { ...request, uniqueKey: canonical(request.url) };
  };
}
