/**
 * Pages that stand in for the page that was asked for: a login, a consent form, a "prove that you are human", an empty
 * search. Two URLs that lead to the same wall say nothing about each other. These are cues, from the URL, the answer and
 * the text; whoever counts the evidence decides what they are worth.
 */

/** What a server answered, as far as walls are seen in it. */
export interface AnsweredLook {
  /** The URL that was asked for, and the one that redirects led to. */
  readonly url: string;
  readonly finalUrl: string;
  readonly redirects: readonly unknown[];
  readonly status: number;
  readonly body: Uint8Array;
}

export interface Wall {
  readonly kind: "login" | "consent" | "challenge" | "emptySearch";
  /** What gave it away. */
  readonly why: string;
}

/** A wall says little else. An article about cookies has more words than this. */
const MAX_WALL_WORDS = 250;

const LOGIN_PATH =
  /(?:^|[/._-])(?:log[-_]?in|sign[-_]?in|log[-_]?on|sso|oauth2?|authorize|authenticate)(?:$|[/._-])|[a-z]Login$/i;
const LOGIN_QUERY = /[?&;](?:action|do|mode|page|act|op)=(?:log[-_]?in|sign[-_]?in|log[-_]?on)(?:$|[&;])/i;
const PASSWORD_FIELD = /<input\b[^>]*\btype\s*=\s*["']?password\b/i;
const LOGIN_TEXT =
  /\b(?:(?:log|sign) ?in to (?:continue|view|see|access|read)|(?:must|need to|have to|please) (?:be logged in|log ?in|sign ?in)|login required|requires? you to be (?:registered|logged in)|anmelden, um|veuillez vous connecter|debe iniciar sesi[oó]n)\b/i;

const CONSENT_PATH = /(?:^|[/._-])(?:consent|gdpr|cookiewall|cookie-?consent|age-?gate|age-?verification)(?:$|[/._-])/i;
const CONSENT_TEXT =
  /\b(?:before you continue|(?:accept|agree to|consent to|allow)\b.{0,60}\bcookies|cookies?\b.{0,80}\b(?:accept|agree|consent)|cookies\b.{0,60}\b(?:zustimmen|akzeptieren|accepter|aceptar|accetta))/is;

const CHALLENGE_TEXT =
  /\b(?:checking your browser|just a moment|verify (?:that )?you are (?:a )?human|are you a robot|unusual traffic|enable javascript and cookies to continue|complete the captcha|access denied)\b/i;

const EMPTY_SEARCH_TEXT =
  /\b(?:no (?:search )?(?:results|matches|hits|entries|items|posts|topics)(?: (?:were|was))?(?: found)?\b|0 (?:results|matches|hits)\b|nothing (?:was )?found|did not match any|couldn't find (?:any|anything)|keine (?:ergebnisse|treffer)|aucun r[eé]sultat|no se (?:han )?encontr(?:aron|ado)|nessun risultato)/i;

const ERROR_TEXT =
  /\b(?:(?:was|were|is|are|be|could) not (?:be )?found|not found on this server|page not found|no such \w+|do(?:es)?(?: not|n't) exist|(?:an|internal|server|database|sql) error|error (?:40[0-9]|50[0-9])|no longer available|(?:may|might) have been (?:re)?moved|nicht gefunden|introuvable)\b/i;

/** The walls that this answer looks like. `text` is the page's plain text. */
export function wallsOf(outcome: AnsweredLook, text: string): Wall[] {
  const walls: Wall[] = [];
  const isShort = countWords(text, MAX_WALL_WORDS) <= MAX_WALL_WORDS;
  const wasSentAway = outcome.redirects.length > 0;

  const login = loginCue(outcome.url, outcome.finalUrl, outcome.status, isShort ? text : "", () =>
    hasPasswordField(outcome.body),
  );
  if (login !== undefined) walls.push({ kind: "login", why: login });
  if (wasSentAway && !CONSENT_PATH.test(pathOf(outcome.url)) && CONSENT_PATH.test(pathOf(outcome.finalUrl))) {
    walls.push({ kind: "consent", why: "redirected to a consent page" });
  } else if (isShort && CONSENT_TEXT.test(text)) {
    walls.push({ kind: "consent", why: "a short page that asks for consent" });
  }
  if (isShort && CHALLENGE_TEXT.test(text))
    walls.push({ kind: "challenge", why: "a short page that checks for humans" });
  if (isShort && EMPTY_SEARCH_TEXT.test(text)) walls.push({ kind: "emptySearch", why: "a short page without results" });
  return walls;
}

/** The wall that a page's text alone gives away, for pages of which no more is known. */
export function wallOfText(text: string): Wall | undefined {
  if (countWords(text, MAX_WALL_WORDS) > MAX_WALL_WORDS) return undefined;
  if (LOGIN_TEXT.test(text)) return { kind: "login", why: "a short page that asks to log in" };
  if (CHALLENGE_TEXT.test(text)) return { kind: "challenge", why: "a short page that checks for humans" };
  return EMPTY_SEARCH_TEXT.test(text) ? { kind: "emptySearch", why: "a short page without results" } : undefined;
}

/** A short page that says that there is no page: a soft 404, where no probe can tell. */
export function isErrorText(text: string): boolean {
  return ERROR_TEXT.test(text) && countWords(text, MAX_WALL_WORDS) <= MAX_WALL_WORDS;
}

function loginCue(
  url: string,
  finalUrl: string,
  status: number,
  shortText: string,
  hasPassword: () => boolean,
): string | undefined {
  if (status === 401) return "answered 401";
  const isLogin = looksLikeLogin(finalUrl);
  // A login page that was asked for is a page like any other.
  if (looksLikeLogin(url)) return undefined;
  if (isLogin) return "redirected to a login page";
  if (LOGIN_TEXT.test(shortText)) return "a short page that asks to log in";
  if (status === 403 && hasPassword()) return "answered 403 with a password field";
  return undefined;
}

function looksLikeLogin(url: string): boolean {
  return LOGIN_PATH.test(pathOf(url)) || LOGIN_QUERY.test(url);
}

function hasPasswordField(body: Uint8Array): boolean {
  return PASSWORD_FIELD.test(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1"));
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : "";
}

/** Words, or `limit + 1` where there are more. */
function countWords(text: string, limit: number): number {
  let words = 0;
  for (const _ of text.matchAll(/\S+/g)) if (++words > limit) break;
  return words;
}
