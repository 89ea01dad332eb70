import fc from "fast-check";
import { expect, it } from "vitest";
import { hostInSql } from "#src/store/urls/sources.js";
import { Workspace } from "#src/store/workspace.js";
import { hostIn, parseUrl, serverIn } from "#src/url/parse.js";

it("a host is without its port and in lower case, a server is with it", () => {
  expect(hostIn("HTTP://me:secret@WWW.a.test:8080/x?http://b.test/")).toBe("www.a.test");
  expect(serverIn("HTTP://me:secret@WWW.a.test:8080/x")).toBe("www.a.test:8080");
  expect([hostIn("http://[2001:DB8::1]:80/"), serverIn("http://a.test")]).toEqual(["[2001:db8::1]", "a.test"]);
  expect([hostIn("/x"), hostIn("ftp://a.test/"), serverIn("no URL")]).toEqual(["", "", ""]);
});

it("the workspace means the same by a host as everybody else", async () => {
  const piece = fc.constantFrom("a", "B", ".", "-", ":", "80", "@", "/", "?", "#", "[::1]", "%41", "é", "x.test");
  const urls = fc
    .sample(fc.tuple(fc.constantFrom("http://", "HTTPS://"), fc.array(piece, { minLength: 1, maxLength: 8 })), 3000)
    .map(([scheme, pieces]) => scheme + pieces.join(""))
    .filter((url) => parseUrl(url) !== undefined);
  expect(urls.length).toBeGreaterThan(300);
  const workspace = Workspace.inMemory();
  const rows = await workspace.write(async (connection) =>
    (
      await connection.runAndReadAll(
        `SELECT ${hostInSql("url")} FROM (SELECT unnest(from_json($1, '["VARCHAR"]')) AS url)`,
        [JSON.stringify(urls)],
      )
    ).getRows(),
  );
  workspace.close();
  expect(rows.map(([host], i) => [urls[i], host])).toEqual(urls.map((url) => [url, hostIn(url)]));
});
