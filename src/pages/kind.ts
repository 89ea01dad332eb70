/**
 * A guess at what a cluster is (the descriptions of tables 1 and 2 of Fetterly et al. 2004), from cues that are already
 * known. Rules are tried in order and the first that holds names the kind and says why; nothing is learned or weighed.
 */
export type ClusterKind =
  | "empty"
  | "soft error"
  | "login"
  | "form"
  | "parked"
  | "mirror"
  | "directory"
  | "session or parameters"
  | "template"
  | "copies";

/** What is known of a cluster; a sample of its members is enough for `urls`. */
export interface ClusterCues {
  readonly size: number;
  readonly hosts: number;
  /** URLs of some members, the representative's first. */
  readonly urls: readonly string[];
  /** Of the representative. */
  readonly title?: string;
  readonly text?: string;
  readonly words?: number;
  readonly status?: number;
  /** Share of members that agree with the root in all six supershingles. */
  readonly identicalShare?: number;
}

export interface KindGuess {
  readonly kind: ClusterKind;
  readonly why: string;
}

const EMPTY_TITLE = /^\W*(untitled( document| page)?|no title|new page( \d+)?|index|home ?page|welcome)?\W*$/i;
const ERROR_WORDS =
  /\b(404|403|500|503|not found|does(n.t| not) exist|no longer (available|exists)|page (is )?(missing|unavailable)|forbidden|access denied|internal server error|an error (has )?occurred|error (message|page)|fatal error|cannot (be found|display))\b/i;
const LOGIN_WORDS =
  /\b(log ?in|sign ?in|sign ?on|password|forgot(ten)? your|register(ed)? to|members? only|authentication)\b/i;
const LOGIN_URL = /[/?&=._-](log-?in|sign-?in|logon|auth|account|register)\b/i;
const FORM_WORDS =
  /\b(add (a |your )?(comment|reply|review)|reply to|e-?mail (this|a friend)|send (this|a) |post (a )?comment)\b/i;
const FORM_URL = /[/?&=._-](add|reply|replytocom|comment|review|print|send|email|share)\b/i;
const PARKED_WORDS =
  /\b(domain (name )?(is |may be )?(for sale|parked)|buy this domain|coming soon|under construction|default (web )?(site )?page|it works|apache .{0,30}test page|welcome to nginx)\b/i;
const DIRECTORY_WORDS = /\b(index of \/|parent directory|site ?map|directory of|last modified)\b/i;
const DIRECTORY_URL = /\/(site-?map|directory|browse|archives?|categor(y|ies)|tags?)\b|[?&]C=[NMSD];O=[AD]/i;

const FEW_WORDS = 25;
const ERROR_HEAD = 300;

export function guessKind(cues: ClusterCues): KindGuess {
  const title = cues.title ?? "";
  const head = `${title}\n${(cues.text ?? "").slice(0, ERROR_HEAD)}`;
  const found = (pattern: RegExp, text: string) => pattern.exec(text)?.[0].trim();
  const inMostUrls = (pattern: RegExp) => {
    const matching = cues.urls.filter((url) => pattern.test(url));
    return matching.length > cues.urls.length / 2 ? found(pattern, matching[0]!) : undefined;
  };

  const words = cues.words ?? (cues.text === undefined ? undefined : (cues.text.match(/\w+/g) ?? []).length);
  if (words !== undefined && words <= 3 && EMPTY_TITLE.test(title)) {
    return { kind: "empty", why: title === "" ? `${words} words and no title` : `nothing but the title "${title}"` };
  }
  if (cues.status !== undefined && cues.status >= 400) return { kind: "soft error", why: `status ${cues.status}` };
  const parked = found(PARKED_WORDS, head);
  if (parked !== undefined) return { kind: "parked", why: `the page begins with "${parked}"` };
  const error = found(ERROR_WORDS, head);
  if (error !== undefined) return { kind: "soft error", why: `a good status, but the page says "${error}"` };
  const login = inMostUrls(LOGIN_URL) ?? found(LOGIN_WORDS, title);
  if (login !== undefined) return { kind: "login", why: `"${login}" in its URLs or title` };
  const directory = found(DIRECTORY_WORDS, title) ?? inMostUrls(DIRECTORY_URL);
  const paths = cues.urls.map(splitUrl);
  const distinctPaths = new Set(paths.map(({ path }) => path)).size;
  if (cues.hosts > 1 && distinctPaths * 2 <= cues.urls.length + 1 && cues.urls.length > 1) {
    return { kind: "mirror", why: `${cues.hosts} hosts, and the same path on several of them` };
  }
  if (directory !== undefined) return { kind: "directory", why: `"${directory}" in its URLs or title` };
  const form = inMostUrls(FORM_URL) ?? found(FORM_WORDS, title);
  if (form !== undefined) return { kind: "form", why: `"${form}" in its URLs or title` };
  const withQuery = paths.filter(({ query }) => query !== "").length;
  if (withQuery * 2 > cues.urls.length && distinctPaths * 2 <= cues.urls.length) {
    return { kind: "session or parameters", why: "few paths, told apart by their queries" };
  }
  if (cues.identicalShare !== undefined && cues.identicalShare < 0.5) {
    return { kind: "template", why: "most members differ from the root in a small part" };
  }
  if (words !== undefined && words <= FEW_WORDS) return { kind: "template", why: `only ${words} words` };
  return { kind: "copies", why: cues.hosts > 1 ? `${cues.hosts} hosts, unlike paths` : "one host, unlike paths" };
}

function splitUrl(url: string): { readonly path: string; readonly query: string } {
  const afterHost = url.replace(/^[a-z]+:\/\/[^/?#]*/i, "");
  const mark = afterHost.search(/[?;]/);
  return mark < 0 ? { path: afterHost, query: "" } : { path: afterHost.slice(0, mark), query: afterHost.slice(mark) };
}
