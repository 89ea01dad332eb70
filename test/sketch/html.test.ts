import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseHtml } from "#src/sketch/html.js";
import { collapseText } from "#src/sketch/text-builder.js";

const text = (html: string) => parseHtml(html).text;

describe("text of a page", () => {
  it.each([
    ["markup becomes white space", "a<b>b</b>c<!-- x -->d<wbr>e", "a b c d e"],
    [
      "block elements end lines",
      "<p>one<p>two</p>three<br>four<div>five<span> six</span></div>",
      "one\ntwo\nthree\nfour\nfive six",
    ],
    ["cells are parted by a space, rows by a line", "<tr><td>1</td><td>2</td></tr><tr><td>3", "1 2\n3"],
    ["white space is collapsed, blank lines dropped", " <div> </div>\n\n a \t\r\n b&nbsp;&nbsp;c <p></p> ", "a b c"],
    ["newlines count in pre only", "x\ny<pre>\n a  b\r\n\n c</pre>z\nw", "x y\na b\nc\nz w"],
    ["script and style are dropped", "a<script>var x='<p>b</p>';</script>c<STYLE>p{}</sTyLe >d", "a c d"],
    ["a script's end tag is its own", "a<script>'</scripture>'</script/x>b", "a b"],
    ["an unclosed script hides the rest", "a<script>b", "a"],
    ["noscript is text", "<noscript>no <b>scripts</b></noscript>", "no scripts"],
    ["template is not, nested too", "a<template>b<template>c</template>d</template>e", "a e"],
    ["a declarative shadow root is", "a<template shadowrootmode=open>b</template>c", "a b c"],
    ["the title is part of the text", "<title>The\n <b>Title</b></title><p>Text", "The <b>Title</b>\nText"],
    ["textarea and xmp hold text", "<textarea>&lt;a\n<b></textarea><xmp>&lt;a\n<b></xmp>", "<a\n<b>\n&lt;a\n<b>"],
    ["entities are decoded", "&lt;&#65;&#x42;&eacute;&Eacute;&hellip;&amp;amp;&euro;&rarr;", "<ABéÉ…&amp;€→"],
    [
      "without a semicolon the longest legacy name counts",
      "&notit; &ampx &copy2 &hellip &nosuch; & &; &#; &#x;",
      "¬it; &x ©2 &hellip &nosuch; & &; &#; &#x;",
    ],
    [
      "numbers out of range become U+FFFD, 128-159 windows-1252",
      "&#0;&#xD800;&#x110000;&#99999999999999;&#147;&#x1F600;",
      "\ufffd\ufffd\ufffd\ufffd\u201c\u{1F600}",
    ],
    ["a lone < is text", "1 < 2 <3 <", "1 < 2 <3 <"],
    [
      "odd comments end where browsers end them",
      "a<!-->b<!--->c<!-- -- -->d<!-- --!>e<!x>f<?php echo ?>g</>h</ x>i",
      "a b c d e f g h i",
    ],
    ["an unclosed comment hides the rest", "a<!-- b", "a"],
    ["CDATA is text, unclosed a comment", "a<![CDATA[<b> & c]]>d<![CDATA[e>f", "a <b> & c d f"],
    ["a quoted > does not end a tag", `a<b title="x>y" alt='>' c=>d`, "a d"],
    ["a tag cut off by the end is dropped", `a<b title="x>`, "a"],
    ["control characters are white space", "a\u0000b\u000bc", "a b c"],
    ["letter case is kept", "<P>Case", "Case"],
  ])("%s", (_, html, expected) => {
    expect(text(html)).toBe(expected);
  });

  it("plain text keeps its lines in the same form", () => {
    expect(collapseText("\n  a  &amp; b\r\n\r\n<c>\n")).toBe("a &amp; b\n<c>");
  });
});

describe("what a page says about itself", () => {
  it("finds links in document order, decoded and trimmed", () => {
    const html = `<a href=" /a?x=1&amp;y=2&copy=3 ">a</a><A HREF=b>b</A><area href='c'><iframe src="d"></iframe><frame src=e>
      <a name=x><a href=""><link rel=stylesheet href=f><a href=g href=h>`;
    expect(parseHtml(html).links).toEqual(["/a?x=1&y=2&copy=3", "b", "c", "d", "e", "g"]);
  });
  it("reads title, base, canonical, robots and refresh", () => {
    const html = `<head><title> A &amp;\n B </title><title>no</title><base target=_top><base href="/x/"><base href="/y/">
      <link rel="Shortlink CANONICAL" href="/c"><link rel=canonical href="/d"><meta name=Robots content=noindex>
      <meta name=robots content=nofollow><meta http-equiv=Refresh content="3;URL='next page.html'">`;
    const { title, base, canonical, robots, refresh } = parseHtml(html);
    expect({ title, base, canonical, robots, refresh }).toEqual({
      title: "A & B",
      base: "/x/",
      canonical: "/c",
      robots: "noindex, nofollow",
      refresh: { delaySeconds: 3, url: "next page.html" },
    });
  });
  it("leaves out what is not said", () => {
    const languages =
      "<HTML lang=pt-BR><link rel=alternate hreflang=X-Default href=/><a hreflang=da href=/da/>Dansk</a>";
    expect(parseHtml(languages)).toMatchObject({
      language: "pt-br",
      alternates: [{ language: "x-default", url: "/" }],
    });
    expect(parseHtml("")).toEqual({ title: "", text: "", links: [] });
  });
  it.each([
    ["0; url=/a", { delaySeconds: 0, url: "/a" }],
    ["0.5;/a", { delaySeconds: 0, url: "/a" }],
    ["5, URL = /a", { delaySeconds: 5, url: "/a" }],
    ["300", undefined],
    ["300;", undefined],
  ])("reads a refresh of %s", (content, refresh) => {
    expect(parseHtml(`<meta http-equiv=refresh content="${content}">`).refresh).toEqual(refresh);
  });
  it("does not follow a refresh for those without scripts", () => {
    const html = "<noscript><meta http-equiv=refresh content='0;url=/n'></noscript>";
    expect(parseHtml(html).refresh).toBeUndefined();
  });
});

describe("any input", () => {
  const pieces = [
    "<",
    ">",
    "</",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "&",
    "&amp",
    ";",
    '"',
    "'",
    "=",
    "/",
    " ",
    "\n",
    "a",
    "b",
  ];
  const tags = [
    "<p>",
    "<pre>",
    "</pre>",
    "<title>",
    "</title>",
    "<script>",
    "</script>",
    "<template>",
    "</template>",
    "<a href=",
  ];
  it("gives lines of words, one space between them", () => {
    let words = 0;
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces, ...tags), { maxLength: 60 }), (parts) => {
        const result = text(parts.join(""));
        words += result.length;
        for (const line of result === "" ? [] : result.split("\n")) expect(line).toMatch(/^[^\s]+( [^\s]+)*$/);
      }),
    );
    expect(words).toBeGreaterThan(100);
  });

  // Not a timed assertion: a quadratic parser would need hours for these, and the test's time limit would end it.
  const SIZE = 2_000_000;
  it.each([
    "<a ",
    '<a href="',
    "<!--",
    "<![CDATA[",
    "</",
    "<title>",
    "<script></",
    "&#",
    "&a",
    "<p",
    "<pre>",
    "<div>",
    "<!",
    "<a b='>",
    "a<b=",
    "--",
    "</script",
  ])("is linear in repetitions of %s", (piece) => {
    parseHtml(piece.repeat(SIZE / piece.length));
    parseHtml(`<script>${piece.repeat(SIZE / piece.length)}`);
  });
  it("survives an attribute of 10 MB", () => {
    expect(parseHtml(`<a href="${"x".repeat(10_000_000)}">a</a>`).links[0]).toHaveLength(10_000_000);
  });
});
