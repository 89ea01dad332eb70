/**
 * A GET can do harm. Logs hold links that log out, delete, confirm or buy, and links that work once: asking for them
 * again would change somebody's data or use up their token. They are recognised by whole words ("/cartoons/" is not a cart,
 * "/devote" is not a vote; the plainest also where they are joined to others), and only where a word can be a command: in a short path segment, in a parameter's
 * name, in a short value. What attackers left in a log is not asked for again either. Session ids are not tokens here: URLs that differ in nothing else are what
 * we look for.
 */

import { parameterName, parameterValue, pathParameters, queryParameters } from "../url/parameters.js";
import { parseUrl, pathOf } from "../url/parse.js";
import { isMixed, looksRandom } from "../url/random.js";
import { actionWords, everydayWords, headlineWords, nameFolders, objectWords, SESSION_END } from "./action-words.js";
import { attackPattern } from "./attack.js";

/** No other word begins or ends with these: "deletepost", "dologout", but not what was "deleted", nor "logoutput". */
const GLUED_ACTION =
  /^(?:unsubscribe|delete|remove)(?!(?:d|s|rs?)$)|(?:logout|logoff|signout|unsubscribe|delete|remove|tocart)$/;

/** An action only as a parameter or a script, "?del=5", "do=del" or "del.php": in a path it is Spanish or Italian. */
const PARAMETER_ACTION = /^(?:del|rm|markfeed|mark)$/i;
/** What a server is told to do by a parameter that is made for it: elsewhere these are everyday words. */
const COMMAND_PARAMETER = /^(?:action|act|do|op|cmd|command|task|todo|method|mode)$/i;
const COMMAND =
  /^(?:save|update|insert|create|add|drop|set|run|exec|start|stop|send|block|unblock|close|open|lock|unlock|move|merge|restore|rollback|publish|accept|reject|decline|like|unlike|follow|toggle|flag|report|clear|reset|rate|import|install|upgrade|apply|unload|reload|join|leave|markas\w*)$/i;
/** As the last part of a path with parameters beside it, "/exec?cmd=ls" or "/enable?feature=x": no page of a site is called so. */
const COMMAND_WITH_PARAMETERS =
  /^(?:rm|exec|eval|drop|enable|deploy|migrate|refund|charge|grant|rollback|trigger|unlock|block|mute)$/i;
/** What is done to whom and by which number, in three parts: "/block/user/7". */
const COMMAND_TO_SOMEBODY =
  /^(?:block|unblock|mute|unmute|follow|report|add|promote|demote|grant|assign|lock|unlock)$/i;
/** Machines that are switched by a link. */
const SWITCH_PARAMETER = /^(?:turn|power|relay|switch|light|led|state)$/i;
const SWITCH = /^(?:on|off|toggle)$/i;
/** The same in a path beside the number of what it is done to, "/posts/5/publish" or "/follow/5": elsewhere they head pages. */
const NUMBERED_COMMAND =
  /^(?:accept|reject|decline|like|unlike|follow|toggle|flag|block|unblock|mute|unmute|enable|publish|lock|unlock|restore|rollback|redeem|add|claim|bookmark|reorder|undo|revert|merge|join|leave|buy|sell|unlink|grant|deploy|drop|stop|exec|refund|reopen|assign|unassign|rate)$/i;
/** After that number, "/orders/5/refund", more words can only be commands. */
const COMMAND_AFTER_NUMBER =
  /^(?:retry|refund|ship|send|assign|promote|demote|join|leave|abort|stop|start|run|on|off|transfer|favou?rite|rsvp|rate|pin|unpin|hide|star|report|charge|reopen)$/i;
/** The parameter that says what it is done to: "/like?id=4". */
const ID_PARAMETER = /^(?:id|[ptuc]id|\w+[-_]id|item|post|product|user|topic|job|vm|device|group|session)$/i;
const NUMBER = /^\d+$/;
/** Money changes hands where a parameter says how much: "/donate?amount=5". */
const MONEY_COMMAND = /^(?:transfer|donate|bid|tip|send|deposit)$/i;
const MONEY_PARAMETER = /^(?:amount|sum|price)$/i;
const DATE = /\/(?:19|20)\d\d(?:\/\d\d?){0,2}(?=\/)/;
const SCRIPT_ACTION =
  /^(?:del|rm|drop|unlink|exec|update|insert|save|install|upgrade|migrate|backup|deploy|reindex|rate|like|send)\.(?:php\d?|aspx?|jspx?|cfm|cgi|pl|do|action)$/i;

/** Parts of a path after which a word that somebody made up is somebody's: "/password/reset/8f3a91c0". */
const tokenPlaces = new Set([
  "reset",
  "verification",
  "activation",
  "invitation",
  "recover",
  "recovery",
  "token",
  "password",
  "magic",
  "share",
]);

const PAGE_EXTENSION = /\.(?:php\d?|p?html?|aspx?|jspx?|cfm|cgi|pl|do|action|json|xml)$/i;

/** Files that are sent as they are, whatever they are called: "rollback.gif", "git-checkout.pdf". */
const MEDIA_EXTENSION =
  /\.(?:gif|jpe?g|png|webp|avif|svg|ico|bmp|css|m?js|woff2?|ttf|mp[34]|mpe?g|avi|mov|webm|ogg|wav|pdf|ps|txt|zip|gz|bz2|xz)$/i;

/** More words than this are a headline: "/news/how-to-delete-your-account" is a page to read. */
const MAX_COMMAND_WORDS = 3;

/** Values of these are what people typed, or where they came from and go to, not what the server is told to do. */
const TEXT_PARAMETER =
  /^(?:q|query|s|search|keywords?|terms?|text|name|tags?|cat(?:egory)?|topic|sort|order(?:by)?|return(?:_?(?:to|url))?|redirect(?:_?(?:to|url|uri))?|next|goto|continue|from|ref|referr?er|url)$/i;

/** A name with one of these words is enough, whatever the value looks like. */
const TOKEN_NAME = /token$|nonce$|^saml$|^[cx]srf$|^otp$|^jwt$/;
/** So are names of these two words: "sms_code", "unlockKey". */
const SENT_NAME =
  /^(?:code|(?:sms|auth|login|access|confirm(?:ation)?|activation|verification|security|unlock|reset|invite)[-_]?(?:code|key))$/i;

/** What people log in with, whatever it looks like. */
const CREDENTIAL_NAME =
  /^(?:pass(?:word|wd|code|phrase|wort)?|pwd|pin|kennwort|senha|(?:api|access|private|secret)[-_]?key|(?:client[-_]?)?secret)$/i;

/** These hold secrets only where the value looks like one: "key=name" sorts a list. */
const secretNames = new Set([
  "key",
  "apikey",
  "auth",
  "secret",
  "ticket",
  "code",
  "hash",
  "sig",
  "signature",
  "hmac",
  "verify",
  "verification",
  "activation",
  "invite",
  "invitation",
  "reset",
]);

/** Session ids and paging marks by names that would otherwise be tokens. */
const HARMLESS_NAMES = /^(?:cftoken|sess.*|(?:next|prev|previous)?[-_]?page[-_]?token|continuation[-_]?token)$/i;

/** Shorter values are not one-time tokens: "token=eth" names a currency. */
const MIN_TOKEN_LENGTH = 6;
/** A code that somebody was sent; shorter ones, and those of plain letters, are of languages and countries. */
const SENT_CODE = /^(?=.*\d)[\w-]{6,}$/;
const MIN_MIXED_CODE_LENGTH = 8;

const JSON_WEB_TOKEN = /\beyJ[\w-]{10,}\.[\w-]{10,}\./;

/** Why this URL is better not asked for, or undefined. */
export function skipReason(url: URL): string | undefined {
  const text = url.href;
  const parts = parseUrl(text);
  if (parts === undefined) return undefined;
  if (JSON_WEB_TOKEN.test(text)) return "carries a JSON web token";
  if (attackPattern.test(decode(text.replaceAll("+", " ")))) return "looks like an attack";

  const segments = pathOf(text, parts)
    .split("/")
    .map((segment) => segment.replace(/;.*/, ""));
  const parameters = [...queryParameters(text, parts), ...pathParameters(text, parts)].map((parameter) => ({
    name: decode(parameterName(text, parameter)),
    value: parameterValue(text, parameter),
  }));
  const hasMoney = parameters.some(({ name }) => MONEY_PARAMETER.test(name));
  const hasId = parameters.some(({ name, value }) => ID_PARAMETER.test(name) && NUMBER.test(value));
  let isAfterTokenPlace = false;
  for (const [i, segment] of segments.entries()) {
    const action = pathAction(segments, i, { hasId, hasMoney, hasParameters: parameters.length > 0 });
    if (action !== undefined && !isName(segments, i, action, parameters.length > 0)) {
      return `looks like an action: "${action}" in the path`;
    }
    if (isAfterTokenPlace && isPathToken(decode(segment))) return "carries a one-time token in the path";
    isAfterTokenPlace ||= wordsOf(decode(segment)).some((word) => tokenPlaces.has(word));
  }
  for (const { name, value } of parameters) {
    const reason = reasonOf(name, value);
    if (reason) return reason;
  }
  return undefined;
}

interface Beside {
  readonly hasId: boolean;
  readonly hasMoney: boolean;
  readonly hasParameters: boolean;
}

/** The action that a part of a path names, by what stands around it. */
function pathAction(
  segments: readonly string[],
  i: number,
  { hasId, hasMoney, hasParameters }: Beside,
): string | undefined {
  const segment = segments[i]!;
  const before = segments[i - 1] ?? "";
  const isLast = i === segments.length - 1;
  const isNumbered = NUMBER.test(before) || NUMBER.test(segments[i + 1] ?? "") || (isLast && hasId);
  return (
    SCRIPT_ACTION.exec(segment)?.[0] ??
    (isNumbered ? NUMBERED_COMMAND.exec(segment)?.[0] : undefined) ??
    (NUMBER.test(before) && isLast ? COMMAND_AFTER_NUMBER.exec(segment)?.[0] : undefined) ??
    (hasParameters && isLast ? COMMAND_WITH_PARAMETERS.exec(segment)?.[0] : undefined) ??
    (objectWords.has(segments[i + 1]?.toLowerCase() ?? "") && NUMBER.test(segments[i + 2] ?? "")
      ? COMMAND_TO_SOMEBODY.exec(segment)?.[0]
      : undefined) ??
    (hasMoney && isLast ? MONEY_COMMAND.exec(segment)?.[0] : undefined) ??
    actionIn(segment) ??
    // "/account/close" is one command in two segments.
    actionIn(`${before} ${segment}`)
  );
}

/** Is it the name of a page all the same? Only where nothing says what the action would be done to, and nobody's session ends. */
function isName(segments: readonly string[], i: number, action: string, hasParameters: boolean): boolean {
  const isNumbered = segments
    .join("/")
    .replace(DATE, "")
    .split("/")
    .some((segment) => NUMBER.test(segment));
  if (hasParameters || i < segments.length - 1 || isNumbered) return false;
  if (SESSION_END.test(action)) return false;
  if (nameFolders.has(segments[i - 1]?.toLowerCase() ?? "")) return true;
  const words = segments[i]!.replace(/\.html?$/i, "").split("-");
  if (words.length < 2 || !words.every((word) => /^\p{Ll}+$/u.test(word))) return false;
  const isHeadline = words.some((word) => headlineWords.has(word));
  return isHeadline || (everydayWords.has(action) && !words.some((word) => objectWords.has(word)));
}

function reasonOf(name: string, value: string): string | undefined {
  const named = PARAMETER_ACTION.exec(name)?.[0] ?? actionIn(name);
  if (named) return `looks like an action: "${named}" in a parameter's name`;
  const command = COMMAND_PARAMETER.test(name) ? COMMAND.exec(value)?.[0] : undefined;
  const switched = SWITCH_PARAMETER.test(name) ? SWITCH.exec(value)?.[0] : undefined;
  const action = TEXT_PARAMETER.test(name)
    ? undefined
    : (command ?? switched ?? PARAMETER_ACTION.exec(value)?.[0] ?? actionIn(value));
  if (action) return `looks like an action: "${action}" in parameter ${name}`;
  if (HARMLESS_NAMES.test(name)) return undefined;
  if (value !== "" && CREDENTIAL_NAME.test(name)) return `carries somebody's credentials in parameter ${name}`;
  if (SENT_NAME.test(name) && isSentCode(decode(value))) return `carries a one-time token in parameter ${name}`;
  const words = wordsOf(name);
  if (value.length >= MIN_TOKEN_LENGTH && words.some((word) => TOKEN_NAME.test(word))) {
    return `carries a one-time token in parameter ${name}`;
  }
  if (words.some((word) => secretNames.has(word)) && looksRandom(decode(value), 1)) {
    return `carries a key or signature in parameter ${name}`;
  }
  return undefined;
}

function isSentCode(value: string): boolean {
  return SENT_CODE.test(value) || (value.length >= MIN_MIXED_CODE_LENGTH && isMixed(value));
}

/** What stands after "reset" and the like: a word that nobody would choose, with digits in it or of mixed letters. */
function isPathToken(segment: string): boolean {
  if (looksRandom(segment, 1)) return true;
  return (
    segment.length >= 8 && /\d/.test(segment) && /^[\w+/=.~-]+$/.test(segment) && !/^\d{4}-\d\d-\d\d$/.test(segment)
  );
}

/** The action that a path segment or a value names, or undefined. */
function actionIn(text: string): string | undefined {
  const plain = decode(text);
  if (MEDIA_EXTENSION.test(plain)) return undefined;
  const words = wordsOf(plain.replace(PAGE_EXTENSION, ""));
  if (words.length > MAX_COMMAND_WORDS) return undefined;
  const action = actionWords.find((action) => words.some((_, i) => action.every((word, j) => words[i + j] === word)));
  return action?.join(" ") ?? words.find((word) => GLUED_ACTION.test(word));
}

/** Lower-case words: letters in a row, cut where small letters meet capitals ("addToCart", "UserLogout"). */
function wordsOf(text: string): string[] {
  const words = text.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+/gu) ?? [];
  return words.map((word) => word.toLowerCase());
}

/** Percent-decoded; "%6Cogout" is a logout to the server, whatever noise or Latin-1 is next to it. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replace(/%([0-7][0-9a-f])/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  }
}
