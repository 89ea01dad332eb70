import { expect, it } from "vitest";
import { mediaOf } from "#src/fetch/media.js";
import { dataOf } from "#src/fetch/page-data.js";

const media = (html: string, url = "http://a.test/album?picture=7&sid=ab12") => mediaOf(url, html);

it("pictures and films of a page have names, wherever they come from", () => {
  expect(
    media(`<img alt=x src="../p/1.jpg"><IMG SRC='//cdn.a.test/p/1.jpg?v=2'><img src=http://b.test/p/2.jpg>`),
  ).toEqual(["p/1.jpg", "p/2.jpg"]);
  expect(media(`<iframe src="/embed/k3"></iframe><object data="m.swf"><frame src=f.html>`)).toEqual([
    "embed/k3",
    "m.swf",
    "f.html",
  ]);
  expect(media("<p>src=none</p><img><img src=''>")).toEqual([]);
});

it("pictures in the page, in styles, for several screens, and those that are loaded later are named", () => {
  const [one, other] = ["AA", "AB"].map((data) => media(`<img src="data:image/png;base64,${data}">`));
  expect(one).toHaveLength(1);
  expect(one).not.toEqual(other);
  expect(media(`<p style="background: url('/b/1.jpg')"><style>p { background: url(b/2.jpg) }</style>`)).toEqual([
    "b/1.jpg",
    "b/2.jpg",
  ]);
  expect(media(`<p style="background: url(&quot;/b/3.jpg&quot;)">`)).toEqual(["b/3.jpg"]);
  expect(media(`<source srcset="/s.webp 1x, /l.webp 2x"><img src="blank.gif" data-src="/p/7.jpg">`)).toEqual([
    "s.webp",
    "blank.gif",
    "p/7.jpg",
  ]);
});

it("white space in names, and a > in quotation marks, hide nothing", () => {
  expect(media(`<img src="/p 1.jpg"><p style="background: url('/p 2.jpg')">`)).toEqual(["p+1.jpg", "p+2.jpg"]);
  expect(media(`<img src="/draw?text=one+page"><a href="//b.test/?q=one%20street">`)).toEqual([
    "draw?text=one+page",
    "//b.test/?q=one+street",
  ]);
  expect(media(`<input name="Your name" value=Ann>`)).toEqual([expect.stringMatching(/^field:Your\+name=\w+$/)]);
  expect(media(`<img alt="Home > Album" src="1.jpg"><img alt = '>' src=2.jpg><img alt="><img src=3.jpg>`)).toEqual([
    "1.jpg",
    "2.jpg",
    "3.jpg",
  ]);
});

it("drawings and what stands in fields are shown; what is hidden, or said by the URL, is not", () => {
  const chart = (height: number) => media(`<svg><rect height="${height}"/></svg><svg`);
  expect(chart(3)).toHaveLength(1);
  expect(chart(3)).not.toEqual(chart(4));
  const field = (attributes: string) => media(`<input name=a ${attributes}>`);
  expect(field("value=blue")).toHaveLength(1);
  expect(field("value=blue")).not.toEqual(field("value=red"));
  for (const other of ["type=hidden value=x7", "type=submit value=Go", "value=ab12", "value=''"])
    expect(field(other)).toEqual([]);
});

it("files to download and links elsewhere are shown, but not those that take the page's address along", () => {
  expect(media(`<a href="/get/a-1.zip?from=b">a</a><a class=x href='../m.pdf#p2'>b</a><a href="/next">c</a>`)).toEqual([
    "get/a-1.zip",
    "m.pdf",
  ]);
  expect(media(`<a href="//b.test/x?id=3&amp;sid=ab12#y">d</a><a href="https://a.test/y">e</a>`)).toEqual([
    "//b.test/x?id=3",
  ]);
  const shared = `<a href="https://b.test/share?u=http%3A%2F%2Fa.test%2Falbum">f</a>`;
  expect(media(`${shared}<a href="https://b.test/save/http://a.test/album">g</a>`)).toEqual([]);
});

it("the query of a script counts, but for what it says of the page", () => {
  expect(media(`<img src="/pic.php?id=3&amp;sid=ab12">`)).toEqual(["pic.php?id=3"]);
  expect(media(`<img src="/count?page=/album%3Fpicture">`)).toEqual(["count"]);
});

it("reads drawings and data for scripts whose tags are in capitals", () => {
  const drawing = (path: string) => media(`<SVG><path d="${path}"/></SVG>`);
  expect(drawing("M1 1")).toHaveLength(1);
  expect(drawing("M1 1")).not.toEqual(drawing("M2 2"));
  const script = `<SCRIPT>show("five words or more of a sentence")</SCRIPT>`;
  expect(dataOf(script)).toEqual(dataOf(script.toLowerCase()));
  expect(dataOf(script)).toHaveLength(1);
});
