import { chmodSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import path from "node:path";
import { it } from "vitest";
import type { Exported } from "#src/export/export-rules.js";
import { type Answer, agree, agreesOnHostileRules, canonOf, expectAgreement, temporaryFolder } from "./agreement.js";
import { freePort, reachesServer, request, requestOf, serverUrls, startServer, urlServer } from "./servers.js";
import { debianPackages } from "./tools.js";

/** Squid with the exported helper before an origin for all hosts; returns the port. */
async function startSquid(exported: string, origin: number): Promise<number> {
  const { root, env } = debianPackages("squid", "squid");
  const folder = temporaryFolder("squid");
  // As root it becomes another user, who has to read and write here.
  chmodSync(folder, 0o777);
  const port = await freePort();
  writeFileSync(path.join(folder, "dustpan-storeid.py"), exported);
  writeFileSync(
    path.join(folder, "squid.conf"),
    `http_port 127.0.0.1:${port}
visible_hostname test
cache_effective_user ${process.getuid?.() === 0 ? "nobody" : userInfo().username}
pid_filename ${folder}/squid.pid
cache_log ${folder}/cache.log
access_log none
cache_store_log none
coredump_dir ${folder}
mime_table ${root}/usr/share/squid/mime.conf
error_directory ${root}/usr/share/squid/errors/templates
icon_directory ${root}/usr/share/squid/icons
cache_mem 256 MB
maximum_object_size_in_memory 1 MB
memory_cache_shared off
cache_peer 127.0.0.1 parent ${origin} 0 no-query no-digest originserver default
never_direct allow all
http_access allow all
client_persistent_connections on
shutdown_lifetime 0 seconds
netdb_filename none
pinger_enable off
unlinkd_program ${root}/usr/lib/squid/unlinkd
store_id_program /usr/bin/env python3 ${folder}/dustpan-storeid.py
store_id_children 2 startup=2 concurrency=10
store_id_access allow all
`,
  );
  await startServer(
    `${root}/usr/sbin/squid`,
    ["-N", "-n", `test${port}`, "-f", path.join(folder, "squid.conf")],
    port,
    { env },
  );
  return port;
}

/** One after another: the first of all URLs with one key is fetched, and its answer is what the others get. */
async function askForStored(exported: Exported, urls: readonly string[]): Promise<Answer[]> {
  const { port: origin } = await urlServer();
  const port = await startSquid(exported.text, origin);
  const asked = urls.map((url) => ({ ...requestOf(url), target: url }));
  const answers = await request(port, asked, 1);
  const canon = canonOf(exported);
  const firsts = new Map<string, string>();
  return urls.map((url, i): Answer => {
    const answer = answers[i];
    if (answer === undefined || answer.status !== 200) return undefined;
    const first = firsts.get(canon(url)) ?? url;
    firsts.set(canon(url), first);
    return answer.body === first ? canon(first) : `stored for ${answer.body}`;
  });
}

it("Squid agrees with canonization: what it has stored under the same key", async () => {
  expectAgreement(await agree("squid", askForStored, { urls: serverUrls() }));
});

agreesOnHostileRules("squid", 10, askForStored, { reaches: reachesServer });
