/** nginx for the tests of exports. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { temporaryFolder } from "./agreement.js";
import { freePort, startServer } from "./servers.js";
import { debianPackages } from "./tools.js";

/** nginx with the exported file in its http block; returns the port. */
export async function startNginx(exported: string, http: string, server: string): Promise<number> {
  const { root, env } = debianPackages("nginx", "nginx");
  const folder = temporaryFolder("nginx");
  const port = await freePort();
  mkdirSync(path.join(folder, "tmp"));
  writeFileSync(path.join(folder, "dustpan.conf"), exported);
  // What the file itself asks for.
  const [hashes = ""] = /map_hash_bucket_size .*;$/m.exec(exported) ?? [];
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path tmp/${name};`);
  writeFileSync(
    path.join(folder, "nginx.conf"),
    `daemon off; master_process off; pid nginx.pid; error_log error.log; pcre_jit on;
events { worker_connections 256; }
http { access_log off; ${paths.join(" ")} variables_hash_max_size 2048; ${hashes} ${http}
  include dustpan.conf;
  server { listen 127.0.0.1:${port}; default_type text/plain; keepalive_requests 100000; ${server} } }`,
  );
  await startServer(`${root}/usr/sbin/nginx`, ["-p", folder, "-c", "nginx.conf", "-e", "error.log"], port, { env });
  return port;
}
