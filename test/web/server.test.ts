import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Tickets } from "#src/web/server/access.js";
import { startTestSite, type TestSite, token } from "./site.js";

let site: TestSite;
beforeAll(async () => {
  site = await startTestSite();
});
afterAll(() => site.close());

/** fetch sets Host and Origin itself; here they are what a test says. */
function ask(path: string, headers: Record<string, string> = {}, method = "GET") {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: string }>((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port: site.server.port, path, method, headers }, (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (text: string) => {
        body += text;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    sent.on("error", reject);
    sent.end();
  });
}

const bearer = { Authorization: `Bearer ${token}` };

describe("who may ask", () => {
  it("lets in everybody who has the token, and gives nothing to keep", async () => {
    const page = await ask("/rules");
    expect([page.status, page.headers["set-cookie"]]).toEqual([200, undefined]);
    expect(page.body).not.toContain(token);
    const answer = await ask("/api/rules", bearer);
    expect([answer.status, answer.headers["set-cookie"]]).toEqual([200, undefined]);
    expect(site.server.url).toBe(`http://127.0.0.1:${site.server.port}/#token=${token}`);
  });

  it("takes a ticket once, and for its address alone", async () => {
    const ticketFor = async (address: unknown) => {
      const response = await fetch(`http://127.0.0.1:${site.server.port}/api/tickets`, {
        method: "POST",
        headers: { ...bearer, "Content-Type": "application/json" },
        body: JSON.stringify({ address }),
      });
      return { status: response.status, ticket: ((await response.json()) as { ticket?: string }).ticket };
    };
    const { ticket } = await ticketFor("/api/rules-file");
    expect((await ask(`/api/rules-file?ticket=${ticket}`)).status).toBe(200);
    expect((await ask(`/api/rules-file?ticket=${ticket}`)).status).toBe(401);
    const other = await ticketFor("/api/rules-file");
    expect((await ask(`/api/rules?ticket=${other.ticket}`)).status).toBe(401);
    expect((await ask(`/api/rules-file?ticket=${other.ticket}`)).status).toBe(401);
    expect((await ticketFor("http://evil.test/")).status).toBe(400);
    expect((await ask("/api/tickets", {}, "POST")).status).toBe(401);
  });

  it("expires tickets", () => {
    let now = 0;
    const tickets = new Tickets(() => now);
    const early = tickets.issue("/api/x");
    const late = tickets.issue("/api/x");
    now = 59_000;
    expect(tickets.take(early, "/api/x")).toBe(true);
    now = 61_000;
    expect(tickets.take(late, "/api/x")).toBe(false);
  });

  it("answers what is not an address", async () => {
    for (const path of ["//:", "//evil.test/x", "//[", "/%zz", "/\\\\evil"]) {
      const { status, headers } = await ask(path);
      expect(path.startsWith("//") ? [400] : [200, 400, 401, 404], path).toContain(status);
      expect(headers.location, path).toBeUndefined();
    }
  });

  it.each([
    ["without a token", "/api/rules", {}, 401],
    ["with a wrong token", "/api/rules", { Authorization: "Bearer other" }, 401],
    ["with a token in the address", `/api/rules?token=${token}`, {}, 401],
    ["with a cookie", "/api/rules", { Cookie: `dustpan=${token}` }, 401],
    ["under another name (DNS rebinding)", "/api/rules", { ...bearer, Host: "evil.test" }, 421],
    ["for the page under another name", "/rules", { Host: "evil.test" }, 421],
    ["from another origin", "/api/rules", { ...bearer, Origin: "http://evil.test" }, 403],
    ["from a file", "/api/rules", { ...bearer, Origin: "null" }, 403],
    ["from another site", "/api/rules", { ...bearer, "Sec-Fetch-Site": "cross-site" }, 403],
  ])("refuses requests %s", async (_, path, headers, status) => {
    const answer = await ask(path, headers);
    expect(answer.status).toBe(status);
    expect(answer.body).not.toContain('rules":');
  });

  it("allows no inline script, no frame and no guessing of types", async () => {
    const { headers, status, body } = await ask("/rules", bearer);
    expect(status).toBe(200);
    expect(headers["content-security-policy"]).toMatch(/default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(headers["content-security-policy"]).not.toMatch(/unsafe/);
    expect(headers["content-security-policy"]).toMatch(/frame-ancestors 'none'/);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(body).not.toMatch(/<script(?![^>]* src=)/);
    expect(body).not.toMatch(/https?:\/\//);
  });

  it("sends no file from outside the client", async () => {
    for (const path of ["/assets/../../server/server.js", "/assets/%2e%2e/index.html", "/assets/nothing.js"]) {
      const { body, status } = await ask(path, bearer);
      expect(status === 404 || body.includes('<div id="app">'), path).toBe(true);
    }
  });

  it("takes changes as JSON only, with the method that they need", async () => {
    expect((await ask("/api/rules", bearer, "POST")).status).toBe(400);
    expect((await ask("/api/rules", bearer, "DELETE")).status).toBe(405);
    expect((await ask("/api/nothing", bearer)).status).toBe(404);
  });
});
