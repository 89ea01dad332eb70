/** Session ids and tokens belong to people: a report that is passed on shows that they exist, not their values. */
import { isMixed, looksRandom } from "./random.js";

/** Replaces what was taken out. A URL that contains it is shown, but never linked. */
export const MASK = "\u2022\u2022\u2022";

/** Parameters whose value is secret whatever it looks like. */
const SECRET_NAME =
  /sid$|sess|^cfid$|^cftoken$|^zenid$|token$|nonce|csrf|xsrf|^otp$|^ticket$|^jwt$|pass(?:$|w|code|phrase)|^pwd$|secret|(?:api|access|private)[-_.]?key|^key$|^auth|signature|^sig$|hmac|e-?mail|^pin$|^code$|phone|^mobile$|^tel$|^ssn$|^iban$|^cvv$|^cvc2?$|^dob$|birth(?:day|date)?$|card[-_.]?n(?:o|um|umber)$|(?:^|[-_.])(?:first|last|full|sur)[-_.]?name$/i;
/** The same in other languages: passwords, addresses, telephone numbers, dates of birth. */
const SECRET_WORD =
  /kennwort|mot.?de.?passe|contrase|^clave$|senha|wachtwoord|courriel|^correo|t.l.fon|geburt|naissance|nacimiento/i;
/** Parameters in which advertisers number a visitor's click or address. */
const VISITOR_NAME = /^(?:_ga|_gl|mc_eid|mkt_tok|[gw]braid|\w*clk?id)$/i;
/** Keys whose first letters say which service they are for. */
const KNOWN_KEY =
  /\b(?:A[KS]IA[A-Z0-9]{16}|AIza[\w-]{35}|gh[oprsu]_\w{30,}|[prs]k_(?:live|test)_\w{16,}|xox\w-[\w-]{10,})/g;
/** In a query, also in one that is itself a parameter's value and percent-encoded. */
const QUERY_PARAMETER = /(^|[?&]|%3f|%26)([^=&;?#/\s]{1,64}?)(=|%3d)((?:(?!%26)[^&;#\s])+)/gi;
const PATH_PARAMETER = /(;|%3b)([^=&;?#/\s]{1,64}?)(=|%3d)([^&;#/?\s]+)/gi;
const EQUALS = /=|%3d/i;
const CREDENTIALS = /(\/\/[^/?#@\s:]*):[^/?#@\s]*@/g;
const JSON_WEB_TOKEN = /eyJ[\w-]{10,}\.[\w-]{10,}(?:\.[\w-]*)?/g;
const UUID = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi;
const LONG_RUN = /[A-Za-z0-9]{16,}/g;
/** A whole value or segment in base64 for URLs, which "-" and "_" would cut into short runs. */
const ENCODED_RUN = /(?<=[=/]|%3d|%2f)[\w-]{20,}(?=$|[/?&#;%\s])/gi;
/** Numbers of cards and accounts, which have a check digit. */
const LONG_NUMBER = /(?<!\d)\d{13,19}(?!\d)/g;
const ACCOUNT = /\b[A-Z]{2}\d{2}[A-Z0-9]{11,30}\b/g;
const EMAIL = /[\w.+-]{1,64}(?:@|%(?:25)*40)[\w-]{1,64}(?:\.[\w-]{1,64})+/gi;
const TOKEN_PLACES =
  "reset|invite|invitation|magic-?link|verify|verification|confirm|confirmation|activate|activation|recover|recovery|password|unsubscribe|token|share|login|signin|session";
/** A segment after one of these is for one person: "/reset/<token>", "/invite/<token>". */
const pathToken = new RegExp(String.raw`(/(?:[\w-]{0,32}[-_])?(?:${TOKEN_PLACES})/)([^/?#\s]{6,})`, "gi");
/** Any text to mask has a parameter, an "@", one of those places, or a long run; most texts have none of these. */
const SECRET_PLACE = new RegExp(`[=@%]|(?:${TOKEN_PLACES})/`, "i");
/** Every key, token and number that is recognised by its form has a run this long. */
const LONG_WORD = /[\w-]{13}/;
/** Shorter values get no hint. */
const MIN_HINT_LENGTH = 8;

/** Takes secrets out of a URL, or out of any piece of one. */
export function maskSecrets(text: string): string {
  const hasLongWord = LONG_WORD.test(text);
  if (!hasLongWord && !SECRET_PLACE.test(text)) return text;
  // Most texts have no "@" and no long run: checking for these is quicker than looking for each kind of secret that
  // contains them.
  const hasAt = /@|%(?:25)?40/.test(text);
  const plain = hasAt ? text.replace(CREDENTIALS, `$1:${MASK}@`) : text;
  const keyless = hasLongWord ? plain.replace(JSON_WEB_TOKEN, hint).replace(KNOWN_KEY, hint) : plain;
  const named = maskParameters(keyless).replace(UUID, hint);
  const placed = (hasAt ? named.replace(EMAIL, hint) : named).replace(
    pathToken,
    (whole, before: string, token: string) => (/\d/.test(token) ? before + hint(token) : whole),
  );
  if (!hasLongWord) return placed;
  return placed
    .replace(ENCODED_RUN, (run) => (isEncoded(run) ? hint(run) : run))
    .replace(LONG_RUN, (run) => (looksRandom(run, 3) ? hint(run) : run))
    .replace(LONG_NUMBER, (digits) => (isCardNumber(digits) ? hint(digits) : digits))
    .replace(ACCOUNT, (account) => (isAccount(account) ? hint(account) : account));
}

/** Masks every text of a document, so that none can be forgotten. */
export function maskDocument<T>(document: T): T;
export function maskDocument(value: unknown): unknown {
  if (typeof value === "string") return maskSecrets(value);
  if (Array.isArray(value)) return value.map((entry: unknown) => maskDocument(entry));
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value) || value instanceof Date) {
    return value;
  }
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, maskDocument(field)]));
}

/**
 * A key that "-" and "_" cut into pieces; a run with a word beside the key is the name of a page, and only the key
 * goes.
 */
function isEncoded(run: string): boolean {
  const pieces = run.split(/[-_]/);
  const hasKey = pieces.some((piece) => looksRandom(piece, 3));
  return isMixed(run) || (hasKey && !pieces.some((piece) => /^[a-z]{3,}$/.test(piece)));
}

/** Begins as cards do, and has the check digit (ISO/IEC 7812-1): one in ten other numbers of this length does. */
function isCardNumber(digits: string): boolean {
  if (!/^[3-6]/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const doubled = Number(digits.at(-1 - i)) * (1 + (i % 2));
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** An international account number: its letters as numbers, the first four characters last, leave 1 (ISO 13616). */
function isAccount(text: string): boolean {
  const digits = (text.slice(4) + text.slice(0, 4)).replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  let rest = 0;
  for (const digit of digits) rest = (10 * rest + Number(digit)) % 97;
  return rest === 1;
}

function maskParameters(text: string): string {
  if (!EQUALS.test(text)) return text;
  const mask = (_: string, before: string, name: string, equals: string, value: string) =>
    `${before}${name}${equals}${isSecretName(name) ? hint(value) : maskParameters(value)}`;
  return text.replace(PATH_PARAMETER, mask).replace(QUERY_PARAMETER, mask);
}

function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) || SECRET_WORD.test(name) || VISITOR_NAME.test(name);
}

/** Two letters tell sessions apart well enough, and do not give access to any. */
function hint(value: string): string {
  return value.includes(MASK) ? value : value.length < MIN_HINT_LENGTH ? MASK : value.slice(0, 2) + MASK;
}
