import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { type Exported, exportRules } from "#src/export/export-rules.js";
import { findTarget } from "#src/export/targets.js";
import { type Answer, agree, agreesOnHostileRules, expectAgreement, RULES, temporaryFolder } from "./agreement.js";
import { keysAreOwn, redirectsAreSafe } from "./safe-requests.js";
import { askRedirects, askServer, freePort, reachesServer, serverUrls, startServer, urlServer } from "./servers.js";
import { debianPackages } from "./tools.js";

/** Caddy with the exported file; returns the port. */
async function startCaddy(exported: string, site: string): Promise<number> {
  const { root, env } = debianPackages("caddy", "caddy");
  const folder = temporaryFolder("caddy");
  const port = await freePort();
  writeFileSync(path.join(folder, "dustpan.caddy"), exported);
  writeFileSync(
    path.join(folder, "Caddyfile"),
    `{
  admin off
  auto_https off
}
import dustpan.caddy
http://:${port} {
  bind 127.0.0.1
  import dustpan
  ${site}
}
`,
  );
  await startServer(
    `${root}/usr/bin/caddy`,
    ["run", "--config", path.join(folder, "Caddyfile"), "--adapter", "caddyfile"],
    port,
    { env: { ...env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }, cwd: folder },
  );
  return port;
}

/** A URL with a brace in it keeps its own key, as the target says: that counts as refused. */
function withoutBraces(urls: readonly string[], answers: readonly Answer[]): Answer[] {
  return answers.map((answer, i) => (answer === urls[i] && answer!.includes("{") ? undefined : answer));
}

it("Caddy never reads what it is asked for as a name of its own", async () => {
  const { text } = exportRules(RULES, findTarget("caddy"));
  const port = await startCaddy(text, 'respond "{vars.dustpan}" 200');
  const urls = ["http://forum.test/a?x={env.HOME}&sid=1", "http://forum.test/{http.request.method}?sid=1"];
  expect(await askServer(port, urls)).toEqual(urls);
});

it("Caddy reads the lines that the file says, as they stand there", async () => {
  const { text } = exportRules(RULES, findTarget("caddy"));
  const [, ...lines] = /^# Then, say:\n((?:# {3}.*\n)+)/m.exec(text) ?? [];
  const origin = await urlServer();
  const said = lines.join("").replaceAll("#   ", "").replace("localhost:8080", `127.0.0.1:${origin.port}`);
  const port = await startCaddy(text, said);
  expect(await askServer(port, ["http://forum.test/a?sid=1"])).toEqual(["http://forum.test/a?sid=1"]);
});

const startWithUrls = ({ text }: Exported) => startCaddy(text, 'respond "{vars.dustpan}" 200');

async function askForUrls(exported: Exported, urls: readonly string[]): Promise<Answer[]> {
  return withoutBraces(urls, await askServer(await startWithUrls(exported), urls));
}

const startRedirecting = ({ text }: Exported) => startCaddy(text, "respond 200");

async function askForRedirects(exported: Exported, urls: readonly string[]): Promise<Answer[]> {
  return withoutBraces(urls, await askRedirects(await startRedirecting(exported), urls));
}

it("Caddy agrees with canonization: the variable", async () => {
  expectAgreement(await agree("caddy", askForUrls, { urls: serverUrls() }));
});

it("Caddy agrees with canonization: redirects, which end after one", async () => {
  const options = { urls: serverUrls(), use: "redirect", label: "caddy, redirects" } as const;
  expectAgreement(await agree("caddy", askForRedirects, options));
});

keysAreOwn("caddy", startWithUrls);
redirectsAreSafe("caddy", startRedirecting);

agreesOnHostileRules("caddy", 40, askForUrls, { reaches: reachesServer });
agreesOnHostileRules("caddy", 20, askForRedirects, {
  ...{ reaches: reachesServer, use: "redirect", label: "caddy, redirects" },
});
