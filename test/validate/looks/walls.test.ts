import { describe, expect, test } from "vitest";
import type { AnsweredOutcome } from "#src/fetch/outcome.js";
import { wallsOf } from "#src/validate/looks/walls.js";

interface Shown {
  url?: string;
  finalUrl?: string;
  status?: number;
  html?: string;
  text?: string;
}

function kinds({
  url = "http://a.test/story?id=5",
  finalUrl = url,
  status = 200,
  html = "",
  text = "",
}: Shown): string[] {
  const outcome: AnsweredOutcome = {
    kind: status === 200 ? "ok" : "httpError",
    status,
    body: Buffer.from(html),
    wireBytes: html.length,
    url,
    finalUrl,
    redirects: url === finalUrl ? [] : [{ from: url, status: 302, to: finalUrl }],
    requests: 1,
    startedAtMs: 0,
    durationMs: 0,
  };
  return wallsOf(outcome, text).map(({ kind }) => kind);
}

describe("walls", () => {
  test.each<[string, Shown]>([
    ["login", { status: 401 }],
    ["login", { finalUrl: "http://a.test/login?next=/story" }],
    ["login", { finalUrl: "http://a.test/users/sign_in" }],
    ["login", { finalUrl: "http://a.test/accounts/sign-in/" }],
    ["login", { finalUrl: "http://a.test/w/Special:UserLogin" }],
    ["login", { finalUrl: "http://a.test/ucp.php?mode=login" }],
    ["login", { text: "You must be logged in to read this topic." }],
    ["login", { text: "The board requires you to be registered and logged in to view this forum." }],
    ["login", { status: 403, html: '<form><input name="p" type="password"></form>' }],
    ["consent", { finalUrl: "http://consent.a.test/consent?to=x" }],
    ["consent", { text: "We value your privacy. Please accept all cookies to go on." }],
    ["challenge", { text: "Just a moment... Checking your browser before you go on" }],
    ["emptySearch", { url: "http://a.test/search?q=x", text: "Search. No results found." }],
    ["emptySearch", { text: "Your search did not match any documents." }],
  ])("%s: %j", (kind, shown) => {
    expect(kinds(shown)).toContain(kind);
  });

  const article = "word ".repeat(300);
  test.each<[Shown]>([
    [{ text: "A story about nothing in particular." }],
    [{ url: "http://a.test/login", text: "Log in" }],
    [{ url: "http://a.test/login", finalUrl: "http://a.test/login/" }],
    [{ finalUrl: "http://a.test/blogin/x" }],
    [{ finalUrl: "http://a.test/story/5" }],
    [{ html: '<input type="password">', text: `${article} Log in` }],
    [{ text: `${article} Please log in to comment. We use cookies, accept them. No results found.` }],
  ])("no wall, case %#", (shown) => {
    expect(kinds(shown)).toEqual([]);
  });
});
