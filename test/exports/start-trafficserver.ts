/** Traffic Server for the tests of exports. */
import { copyFileSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import path from "node:path";
import { temporaryFolder } from "./agreement.js";
import { freePort, startServer } from "./servers.js";
import { debianPackages, run } from "./tools.js";

/** Traffic Server with the exported file as dustpan.lua, and these lines of its remap.config; returns the port. */
export async function startTrafficServer(exported: string, remap: string): Promise<number> {
  const installed = debianPackages("trafficserver", "trafficserver");
  const folder = temporaryFolder("trafficserver");
  // It refuses to be root, and another user may not look into root's folders.
  const isRoot = process.getuid?.() === 0;
  const root = isRoot ? path.join(folder, "program") : installed.root;
  if (isRoot) cpSync(installed.root, root, { recursive: true, verbatimSymlinks: true });
  const env = { LD_LIBRARY_PATH: installed.env.LD_LIBRARY_PATH!.replaceAll(installed.root, root) };
  const port = await freePort();
  for (const name of ["etc", "run", "log", "cache"]) mkdirSync(path.join(folder, name));
  const write = (name: string, text: string) => writeFileSync(path.join(folder, "etc", name), text);
  write("dustpan.lua", exported);
  write("remap.config", `${remap}\n`);
  write("plugin.config", "xdebug.so\n");
  write("storage.config", `${folder}/cache 64M\n`);
  write(
    "records.config",
    [
      `CONFIG proxy.config.http.server_ports STRING ${port}:ip-in=127.0.0.1`,
      `CONFIG proxy.config.admin.user_id STRING ${isRoot ? "nobody" : userInfo().username}`,
      `CONFIG proxy.config.body_factory.template_sets_dir STRING ${root}/etc/trafficserver/body_factory`,
      "CONFIG proxy.config.http.cache.required_headers INT 0",
      "CONFIG proxy.config.reverse_proxy.enabled INT 1",
      "CONFIG proxy.config.http.strict_uri_parsing INT 0",
      "CONFIG proxy.config.url_remap.remap_required INT 1",
      "",
    ].join("\n"),
  );
  copyFileSync(`${root}/etc/trafficserver/ip_allow.yaml`, path.join(folder, "etc", "ip_allow.yaml"));
  const own = { sysconfdir: "etc", runtimedir: "run", logdir: "log", cachedir: "cache", localstatedir: "run" };
  const system = { bindir: "usr/bin", sbindir: "usr/sbin", libdir: "usr/lib/trafficserver", datadir: "usr/share" };
  const plugins = { libexecdir: "usr/lib/trafficserver/modules", includedir: "usr/include", mandir: "usr/share/man" };
  const lines = [
    `prefix: ${folder}`,
    `exec_prefix: ${folder}`,
    ...Object.entries(own).map(([key, value]) => `${key}: ${folder}/${value}`),
    ...Object.entries({ ...system, ...plugins }).map(([key, value]) => `${key}: ${root}/${value}`),
    `infodir: ${root}/usr/share/info`,
  ];
  writeFileSync(path.join(folder, "runroot.yaml"), `${lines.join("\n")}\n`);
  if (isRoot) run("chmod", ["-R", "a+rwX", folder]);
  await startServer(`${root}/usr/bin/traffic_server`, [`--run-root=${folder}/runroot.yaml`], port, { env });
  return port;
}
