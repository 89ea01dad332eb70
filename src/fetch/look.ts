/** What one look at a URL of the live site showed, as it is kept, and the page in it. */
import type { DocumentSketches } from "../sketch/document-sketches.js";
import type { StoredFetch } from "../store/runs/runs.js";
import { type Wall, wallsOf } from "../validate/looks/walls.js";
import { pageOfAnswer } from "./answered-page.js";
import { describeOutcome, type FetchOutcome } from "./outcome.js";
import { shownBesides } from "./shown.js";

/** What a look came to in place of the page, for people. */
const wallWords: Readonly<Record<Wall["kind"], string>> = {
  login: "login page",
  consent: "consent page",
  challenge: "check for robots",
  emptySearch: "empty search",
};

/** A page of the live site, as validation compares it. */
export interface LivePage extends DocumentSketches {
  readonly url: string;
  readonly finalUrl: string;
  readonly text: string;
  readonly mediaType?: string;
  readonly canonical?: string;
  readonly isOwnLanguage?: boolean;
  readonly timeMs: number;
  /** What it shows besides text. */
  readonly shown: readonly string[];
}

/** 202 promises a page, 204 and 205 have none, 206 is a part that nobody asked for. */
const showing = new Set([200, 203]);

/** Not kept: the next run may see the page. */
export function blockedLook(url: string, attempt: number): StoredFetch {
  return { url, attempt, timeMs: 0, kind: "blocked", why: "the host answers everything with one page by now" };
}

export const keyOf = (url: string, attempt: number) => `${attempt} ${url}`;

/** `sentTo` is where a meta element of the page sends its readers at once. */
export function describeLook(
  url: string,
  attempt: number,
  outcome: FetchOutcome,
): { readonly look: StoredFetch; readonly sentTo?: string } {
  const base = {
    url,
    attempt,
    timeMs: outcome.startedAtMs,
    kind: outcome.kind as string,
    ...(outcome.redirects.length > 0 && { redirect: outcome.finalUrl }),
  };
  if (outcome.kind !== "ok") {
    const status = "status" in outcome && outcome.status !== undefined ? { status: outcome.status } : {};
    return { look: { ...base, ...status, why: describeOutcome(outcome) } };
  }
  if (!showing.has(outcome.status)) {
    return {
      look: { ...base, status: outcome.status, kind: "noPage", why: `answered ${outcome.status}: no page, or not yet` },
    };
  }
  const page = pageOfAnswer(outcome);
  const { status, bodyBytes, digest, mediaType, canonical, isOwnLanguage, title, shingles, sketch, text } = page;
  const wall = wallsOf(outcome, text ?? "")[0];
  const media = text === undefined ? "" : shownBesides(outcome).join("\n");
  const look: StoredFetch = {
    ...base,
    status,
    ...(bodyBytes !== undefined && { bodyBytes }),
    ...(digest !== undefined && { digest }),
    ...(mediaType !== undefined && { mediaType }),
    ...(canonical !== undefined && { canonical }),
    ...(isOwnLanguage === true && { isOwnLanguage }),
    ...(title !== undefined && { title }),
    ...(shingles !== undefined && { shingles }),
    ...(sketch !== undefined && { sketch }),
    ...(text !== undefined && { text }),
    ...(media !== "" && { media }),
    ...(wall !== undefined && { kind: "wall", why: `${wallWords[wall.kind]}: ${wall.why}` }),
  };
  return page.redirectTo === undefined ? { look } : { look, sentTo: page.redirectTo };
}

/** A page that sends its readers on to a URL that is left alone. */
export function sentAway(look: StoredFetch, sentTo: string, why: string): StoredFetch {
  const { url, attempt, timeMs } = look;
  return { url, attempt, timeMs, kind: "sentOn", redirect: sentTo, why: `it sends its readers on: ${why}` };
}

export const isMissing = ({ kind, status }: StoredFetch) => kind === "httpError" && status! >= 400 && status! < 500;

/** A look that showed a page. */
export function asPage(look: StoredFetch): LivePage | undefined {
  if (look.kind !== "ok" && look.kind !== "wall") return undefined;
  return {
    url: look.url,
    finalUrl: look.redirect ?? look.url,
    text: look.text ?? "",
    ...(look.sketch !== undefined && { sketch: look.sketch }),
    ...(look.shingles !== undefined && { shingles: look.shingles }),
    ...(look.digest !== undefined && { digest: look.digest }),
    ...(look.mediaType !== undefined && { mediaType: look.mediaType }),
    ...(look.canonical !== undefined && { canonical: look.canonical }),
    ...(look.isOwnLanguage === true && { isOwnLanguage: true }),
    timeMs: look.timeMs,
    shown: look.media?.split("\n") ?? [],
  };
}
