import { describe, expect, it } from "vitest";
import { readHtml } from "#src/http/page-content.js";

const isOwn = (url: string, html: string) => readHtml(html, url).isOwnLanguage === true;
const alternate = (language: string, url: string) => `<link rel="alternate" hreflang="${language}" href="${url}">`;

describe("the address of a page in its language", () => {
  it.each([
    ["http://a.test/en/x.html", true],
    ["http://a.test/da/x.html", false],
    ["http://en.a.test/x.html", true],
    ["http://a.test/x?hl=EN", true],
    ["http://a.test/x.html", false],
    ["http://a.test/token/x.html", false],
  ])("is told by the address alone: %s", (url, own) => {
    expect(isOwn(url, '<html lang="en-GB"><p>text')).toBe(own);
  });

  it("is what hreflang names for that language, whatever the address says", () => {
    const html = `<html lang="en">${alternate("en", "../english/x.html")}${alternate("da", "../da/x.html")}<p>text`;
    expect(isOwn("http://a.test/english/x.html", html)).toBe(true);
    expect(isOwn("http://a.test/en/x.html", html)).toBe(false);
    expect(isOwn("http://a.test/da/x.html", html)).toBe(false);
  });

  it("is x-default where the language is not among the links, or unknown", () => {
    const links = `${alternate("x-default", "/x.html")}${alternate("da", "/da/x.html")}`;
    expect(isOwn("http://a.test/x.html", `<html lang="en">${links}<p>text`)).toBe(true);
    expect(isOwn("http://a.test/x.html", `${links}<p>text`)).toBe(true);
    expect(isOwn("http://a.test/da/x.html", `${links}<p>text`)).toBe(false);
  });
});
