/** docs/export.md: its commands are run as they stand, and each server is started with the lines that are there for it. */
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "./agreement.js";
import { askServer, freePort, startServer } from "./servers.js";
import { startTrafficServer } from "./start-trafficserver.js";
import { startVarnish } from "./start-varnish.js";
import { debianPackages, falco, isInstalled, run } from "./tools.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const docs = readFileSync(path.join(root, "docs/export.md"), "utf8");

/** An empty folder with the rules of the examples, and a `dustpan` for the shell. */
function exampleFolder(): string {
  const folder = temporaryFolder("example");
  copyFileSync(path.join(root, "examples/forum.rules.json"), path.join(folder, "dustpan.rules.json"));
  const command = path.join(folder, "dustpan");
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${root}/dist/cli/main.js" "$@"\n`);
  chmodSync(command, 0o755);
  return folder;
}

interface Example {
  readonly command: string;
  readonly output: string;
}

/** By heading: what follows "$ ", and what it prints. */
const sections = docs
  .split(/^## /m)
  .map((section) => ({
    title: section.slice(0, section.indexOf("\n")),
    examples: [...section.matchAll(/^```console\n([\s\S]*?)^```/gm)].flatMap(([, block]) => examplesOf(block!)),
  }))
  .filter(({ examples }) => examples.length > 0);

function examplesOf(block: string): Example[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((text) => {
      const end = text.indexOf("\n");
      return { command: text.slice(0, end), output: text.slice(end + 1) };
    });
}

/** Languages whose compilers may be missing. */
const compilers = ["go", "java", "rustc"];

describe("the examples of docs/export.md print what they say", () => {
  it.each(sections)("$title", ({ examples }) => {
    const folder = exampleFolder();
    for (const { command, output } of examples) {
      if (compilers.some((name) => command.includes(`${name} `) && !isInstalled("which", name))) continue;
      const { stdout, stderr } = spawnSync("bash", ["-c", command], {
        ...{ cwd: folder, encoding: "utf8" },
        env: { ...process.env, PATH: `${folder}:${process.env.PATH}` },
      });
      expect({ command, stdout, stderr }).toEqual({ command, stdout: output, stderr: "" });
    }
  });
});

/** Lines of the docs in the language of the fence, with these texts in place of others, each of which is there. */
function documented(language: string, changes: Readonly<Record<string, string>>): string {
  let text = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "m").exec(docs)![1]!;
  for (const [before, after] of Object.entries(changes)) {
    expect(text).toContain(before);
    text = text.replaceAll(before, after);
  }
  return text;
}

/** What a server behind the one of the example was asked for. */
async function startOrigin() {
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer(({ headers }, response) => {
    seen.push(headers);
    response.setHeader("cache-control", "max-age=600");
    response.end("a page");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { seen, address: `127.0.0.1:${(server.address() as { port: number }).port}` };
}

/** One page, as docs/export.md says. */
const samePage = ["/story?id=7&sid=9", "/story?id=7&sid=1", "/story_7"].map((target) => `http://forum.test${target}`);

/** The folder with the exported file, as the command of the docs writes it. */
function exportedFolder(target: string, file: string): string {
  const folder = exampleFolder();
  run(path.join(folder, "dustpan"), ["export", "-q", "--to", target, "-o", file], { cwd: folder });
  return folder;
}

async function askInTurn(port: number): Promise<void> {
  for (const url of samePage) expect(await askServer(port, [url])).toEqual(["a page"]);
}

describe("the servers' lines of docs/export.md, as each program checks and runs them", () => {
  it("nginx", async () => {
    const { root, env } = debianPackages("nginx", "nginx");
    const folder = exportedFolder("nginx", "dustpan.conf");
    const [origin, port] = [await startOrigin(), await freePort()];
    const http = documented("nginx", {
      "listen 80;": `listen 127.0.0.1:${port};`,
      "127.0.0.1:8080": origin.address,
      "/var/cache/nginx": `${folder}/cache`,
    });
    mkdirSync(path.join(folder, "tmp"));
    const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path tmp/${name};`);
    writeFileSync(
      path.join(folder, "nginx.conf"),
      `daemon off; master_process off; pid nginx.pid; events {}\n${http.replace("http {", `http { access_log off; ${places.join(" ")}`)}`,
    );
    const [nginx, args] = [`${root}/usr/sbin/nginx`, ["-p", folder, "-c", "nginx.conf", "-e", "error.log"]];
    run(nginx, [...args, "-t"], { env });
    await startServer(nginx, args, port, { env });
    await askInTurn(port);
    expect(origin.seen).toHaveLength(1);
  });

  it("Varnish", async () => {
    const folder = exportedFolder("varnish", "dustpan.vcl");
    const origin = await startOrigin();
    const vcl = documented("vcl", { 'port = "8080"': `port = "${origin.address.split(":")[1]}"` });
    const port = await startVarnish(readFileSync(path.join(folder, "dustpan.vcl"), "utf8"), vcl);
    await askInTurn(port);
    expect(origin.seen).toHaveLength(1);
  });

  it.skipIf(!isInstalled("go", "version"))("Fastly: falco finds no error in them", () => {
    const folder = exportedFolder("fastly", "dustpan.vcl");
    writeFileSync(path.join(folder, "main.vcl"), documented("fastly", {}));
    run(falco(), ["lint", "-I", ".", "main.vcl"], { cwd: folder });
  });

  it("HAProxy", async () => {
    const { root, env } = debianPackages("haproxy", "haproxy");
    const folder = exportedFolder("haproxy", "dustpan.lua");
    const [one, two, port] = [await startOrigin(), await startOrigin(), await freePort()];
    const lines = documented("haproxy", {
      "/etc/haproxy": folder,
      "bind :80": `bind 127.0.0.1:${port}`,
      "127.0.0.1:8081": one.address,
      "127.0.0.1:8082": two.address,
    });
    const file = path.join(folder, "haproxy.cfg");
    writeFileSync(file, lines);
    run(`${root}/usr/sbin/haproxy`, ["-c", "-f", file], { env });
    await startServer(`${root}/usr/sbin/haproxy`, ["-db", "-f", file], port, { env });
    await askInTurn(port);
    expect([one.seen.length, two.seen.length].sort()).toEqual([0, 3]);
  });

  it("Apache httpd", async () => {
    const { root, env } = debianPackages("apache2", "apache2-bin");
    const folder = exportedFolder("apache", "dustpan.conf");
    const [origin, port] = [await startOrigin(), await freePort()];
    const lines = documented("apache", {
      "*:80": `*:${port}`,
      "/etc/apache2/conf-available": folder,
      "127.0.0.1:8080": origin.address,
    });
    const modules = ["mpm_event", "authz_core", "rewrite", "headers", "proxy", "proxy_http"].map(
      (name) => `LoadModule ${name}_module ${root}/usr/lib/apache2/modules/mod_${name}.so`,
    );
    const places = ["PidFile httpd.pid", "ErrorLog error.log", `DefaultRuntimeDir ${folder}`, `ServerRoot ${folder}`];
    const head = [...modules, ...places, "ServerName test", `Listen 127.0.0.1:${port}`];
    writeFileSync(path.join(folder, "httpd.conf"), `${head.join("\n")}\n${lines}`);
    const [apache, args] = [`${root}/usr/sbin/apache2`, ["-d", folder, "-f", "httpd.conf"]];
    run(apache, [...args, "-t"], { env });
    await startServer(apache, ["-X", ...args], port, { env });
    await askInTurn(port);
    expect(origin.seen.map((headers) => headers["x-canonical-url"])).toEqual(samePage.map(() => samePage[2]));
  });

  it("Caddy", async () => {
    const { root, env } = debianPackages("caddy", "caddy");
    const folder = exportedFolder("caddy", "dustpan.caddy");
    const [origin, port] = [await startOrigin(), await freePort()];
    const lines = documented("caddyfile", {
      "http://forum.test {": `http://forum.test:${port} {\n  bind 127.0.0.1`,
      "localhost:8080": origin.address,
    });
    writeFileSync(path.join(folder, "Caddyfile"), `{\n  admin off\n}\n${lines}`);
    const config = ["--config", path.join(folder, "Caddyfile"), "--adapter", "caddyfile"];
    const places = { ...env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    const caddy = `${root}/usr/bin/caddy`;
    run(caddy, ["validate", ...config], { env: places, cwd: folder });
    // It is written as Caddy formats it.
    const own = readFileSync(path.join(folder, "dustpan.caddy"), "utf8");
    expect(run(caddy, ["fmt", "-"], { env: places, input: own })).toBe(own);
    await startServer(caddy, ["run", ...config], port, { env: places, cwd: folder });
    await askInTurn(port);
    expect(origin.seen.map((headers) => headers["x-canonical-url"])).toEqual(samePage.map(() => samePage[2]));
  });

  it("Traffic Server", async () => {
    const folder = exportedFolder("trafficserver", "dustpan.lua");
    const origin = await startOrigin();
    const remap = documented("remap", { "127.0.0.1:8080": origin.address });
    const port = await startTrafficServer(readFileSync(path.join(folder, "dustpan.lua"), "utf8"), remap);
    await askInTurn(port);
    expect(origin.seen).toHaveLength(1);
  });
});
