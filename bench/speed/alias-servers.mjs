// How many aliases do servers bear? For tables of growing size: the processor time to export them and until the server
// listens, its memory, and its processor time for a request. nginx, apache2 and caddy are those of the PATH.
//   npm run build && node bench/speed/alias-servers.mjs [nginx|apache|caddy:SIZE...] (default: all, as in docs/export.md)
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { exportRules } from "#src/export/export-rules.js";
import { findTarget } from "#src/export/targets.js";

const wanted = process.argv.slice(2);
const PORT = 18_481;
const REQUESTS = 400;
const TICKS_A_SECOND = 100;

const source = (i) => `http://forum.test/?p=${i}`;
const target = (i) => `http://forum.test/archive/2024/some-title-of-a-story-${i}`;

/** The head of a server's configuration, and how it is started. */
const servers = {
  nginx: {
    sizes: [10_000, 100_000, 1_000_000],
    file: "dustpan.conf",
    config: [
      "nginx.conf",
      (folder) => {
        const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
          (name) => `${name}_temp_path ${folder}/${name};`,
        );
        return `daemon off; master_process off; pid nginx.pid; pcre_jit on; events {} http { access_log off; ${places.join(" ")}
        variables_hash_max_size 2048; map_hash_bucket_size 4096; map_hash_max_size 100000; include dustpan.conf;
        server { listen 127.0.0.1:${PORT}; add_header X-Canonical-URL $dustpan_key; return 204; } }`;
      },
    ],
    command: (folder) => ["nginx", ["-p", folder, "-c", "nginx.conf", "-e", "error.log"]],
  },
  apache: {
    sizes: [100, 1000, 10_000],
    file: "dustpan.conf",
    config: [
      "httpd.conf",
      (folder) => {
        const modules = ["mpm_event", "authz_core", "rewrite", "headers"].map(
          (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
        );
        return `${modules.join("\n")}\nServerRoot ${folder}\nServerName test\nPidFile httpd.pid\nErrorLog error.log\nDefaultRuntimeDir ${folder}
Listen 127.0.0.1:${PORT}\nDocumentRoot ${folder}\nMaxKeepAliveRequests 0\nInclude dustpan.conf
Header always set X-Canonical-URL %{DUSTPAN_URL}e\nRewriteRule ^ - [R=204,L]\n`;
      },
    ],
    command: (folder) => ["apache2", ["-X", "-d", folder, "-f", "httpd.conf"]],
  },
  caddy: {
    sizes: [100, 1000, 10_000],
    file: "dustpan.caddy",
    config: [
      "Caddyfile",
      () =>
        `{\n  admin off\n  auto_https off\n}\nimport dustpan.caddy\nhttp://:${PORT} {\n  bind 127.0.0.1\n  import dustpan\n  respond "{vars.dustpan}"\n}\n`,
    ],
    command: (folder) => ["caddy", ["run", "--config", `${folder}/Caddyfile`, "--adapter", "caddyfile"]],
  },
};

function used(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  const memory = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1];
  return { seconds: (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND, megabytes: Math.round(memory / 1024) };
}

const listens = () =>
  new Promise((resolve) => {
    const socket = connect(PORT, "127.0.0.1");
    socket.once("connect", () => resolve(true) ?? socket.destroy()).once("error", () => resolve(false));
  });

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
async function ask(i) {
  const asked = request({ agent, port: PORT, host: "127.0.0.1", path: `/?p=${i}`, headers: { host: "forum.test" } });
  asked.end();
  const [answer] = await once(asked, "response");
  const body = await text(answer);
  return answer.headers["x-canonical-url"] ?? body;
}

async function measure(name, size) {
  const { file, config, command } = servers[name];
  const folder = mkdtempSync(path.join(tmpdir(), "dustpan-alias-servers-"));
  const before = process.cpuUsage();
  const aliases = Array.from({ length: size }, (_, i) => ({ from: source(i), to: target(i), seenMs: 0 }));
  const exported = exportRules([], findTarget(name), { aliases });
  const { user, system } = process.cpuUsage(before);
  writeFileSync(path.join(folder, file), exported.text);
  mkdirSync(path.join(folder, "home"));
  writeFileSync(path.join(folder, config[0]), config[1](folder));
  const [program, args] = command(folder);
  const server = spawn(program, args, {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, HOME: `${folder}/home` },
  });
  let messages = "";
  server.stderr.on("data", (data) => (messages += data));
  try {
    while (!(await listens())) {
      if (server.exitCode !== null) throw new Error(`${name}: ${messages.slice(-2000)}`);
      await sleep(50);
    }
    const start = used(server.pid);
    for (let i = 0; i < REQUESTS; i++) {
      const number = (i * 7919) % size;
      const answer = await ask(number);
      if (answer !== target(number)) throw new Error(`${name} answers ${source(number)} with ${answer}`);
    }
    const end = used(server.pid);
    const row = [
      name,
      size,
      (user + system) / 1e6,
      start.seconds,
      end.megabytes,
      (1000 * (end.seconds - start.seconds)) / REQUESTS,
    ];
    console.log(
      `| ${row.map((cell) => (typeof cell === "number" ? cell.toLocaleString("en", { maximumFractionDigits: 2 }) : cell)).join(" | ")} |`,
    );
  } finally {
    server.kill("SIGKILL");
    await once(server, "exit").catch(() => {});
    rmSync(folder, { recursive: true, force: true });
  }
}

console.log("| server | aliases | s to export | s until it listens | MB | ms a request |\n|---|--:|--:|--:|--:|--:|");
const all = Object.entries(servers).flatMap(([name, { sizes }]) => sizes.map((size) => [name, size]));
const chosen =
  wanted.length === 0 ? all : wanted.map((each) => each.split(":")).map(([name, size]) => [name, Number(size)]);
for (const [name, size] of chosen) await measure(name, size);
agent.destroy();
