import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
  it("lets in whoever has the token, by address, cookie or header", async () => {
    const first = await ask(`/rules?status=valid&token=${token}`);
    expect(first.status).toBe(303);
    expect(first.headers.location).toBe("/rules?status=valid");
    const [cookie] = first.headers["set-cookie"] as string[];
    expect(cookie).toMatch(/HttpOnly; SameSite=Strict/);
    expect((await ask("/api/rules", { Cookie: cookie!.split(";")[0]! })).status).toBe(200);
    expect((await ask("/api/rules", bearer)).status).toBe(200);
  });

  it("never redirects to another site", async () => {
    const { headers } = await ask(`//evil.test/x?token=${token}`);
    expect(String(headers.location ?? "")).not.toMatch(/^\/\//);
  });

  it.each([
    ["without a token", "/api/rules", {}, 401],
    ["with a wrong token", "/api/rules", { Authorization: "Bearer other" }, 401],
    ["with a wrong token in the address", "/?token=other", {}, 401],
    ["under another name (DNS rebinding)", "/api/rules", { ...bearer, Host: "evil.test" }, 421],
    ["under another name with the token in the address", `/?token=${token}`, { Host: "evil.test" }, 421],
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
