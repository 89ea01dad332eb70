import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { apiRoutes } from "#src/web/server/api.js";

const docs = readFileSync(new URL("../../docs/web.md", import.meta.url), "utf8");
const folder = fileURLToPath(new URL("../../src/web/server", import.meta.url));
const sources = readdirSync(folder)
  .map((file) => readFileSync(path.join(folder, file), "utf8"))
  .join("\n");

/** "GET /api/rules/ID?outcome" as method, path with * for what is filled in, and names in the query. */
const documented = [...docs.matchAll(/`(GET|POST|DELETE) (\/api\/[^`? ]*)(?:\?([^` ]*))?/g)].map(
  ([, method, address, query]) => ({
    route: `${method} ${address!.replace(/\/[A-Z]+(?=\/|\.|$)(\.\w+)?/g, "/*")}`,
    names: (query ?? "").split("&").flatMap((pair) => (pair === "" ? [] : [pair.split("=")[0]!])),
  }),
);

describe("docs/web.md", () => {
  it("has every route of the API, and none that is not there", () => {
    const served = apiRoutes.map(({ method, path: address }) => `${method} ${address.replace(/:\w+/g, "*")}`);
    expect(new Set(documented.map(({ route }) => route))).toEqual(new Set(served));
  });

  it("names what a request may ask for as the server reads it", () => {
    const names = new Set(documented.flatMap((entry) => entry.names));
    expect(names.size).toBeGreaterThan(10);
    for (const name of names) expect(sources, name).toContain(`"${name}"`);
  });

  it("names every document", () => {
    const formats = [...sources.matchAll(/documentOf\(\s*"(dustpan-[a-z-]+)"/g)].map(([, format]) => format!);
    expect(formats.length).toBeGreaterThan(15);
    for (const format of new Set(formats)) expect(docs, format).toContain(`\`${format}\``);
  });
});
