/**
 * Fastly: its file read by falco, the parser and linter of Fastly's VCL, and its subroutines compared in Varnish. Where DUSTPAN_FALCO names
 * a falco whose simulator knows PCRE (2.0 and later, which Go's module proxy may not have), in that simulator too.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { type Exported, exportRules } from "#src/export/export-rules.js";
import type { ExportUse } from "#src/export/target.js";
import { findTarget } from "#src/export/targets.js";
import {
  type Agreement,
  type Answer,
  agree,
  agreesOnHostileRules,
  expectAgreement,
  RULES,
  temporaryFolder,
} from "./agreement.js";
import { hostileRuleLists } from "./hostile-rules.js";
import { askRedirects, askServer, freePort, reachesServer, serverUrls, startServer } from "./servers.js";
import { canonicalUnlessTooLong, SYNTH, startVarnish, unlessTooLong } from "./start-varnish.js";
import { falco, isInstalled, run } from "./tools.js";

/** What its file says to call, in Varnish. */
const VARNISH =
  'vcl 4.1;\nimport std;\nbackend default none;\ninclude "dustpan.vcl";\nsub vcl_recv { call dustpan; }\n';

/** Varnish does not know how a request came to Fastly: headers of these tests say it there. */
const inVarnish = (text: string) =>
  text
    .replaceAll("fastly_info.edge.is_tls", "req.http.Test-Tls")
    .replaceAll("fastly.ff.visits_this_service == 0", "!req.http.Test-Shield")
    .replaceAll("fastly.ff.visits_this_service > 0", "req.http.Test-Shield");

async function askVarnish({ text }: Exported, urls: readonly string[]): Promise<Answer[]> {
  return askServer(await startVarnish(inVarnish(text), `${VARNISH}${SYNTH}`), urls, canonicalUnlessTooLong);
}

it("the subroutines agree with canonization, in Varnish", async () => {
  expectAgreement(await agree("fastly", askVarnish, { urls: serverUrls() }));
});

it("takes the edge's word for https, and no client's", async () => {
  const { text } = exportRules(RULES, findTarget("fastly"));
  const port = await startVarnish(inVarnish(text), `${VARNISH}${SYNTH}`);
  const schemeOf = async (headers: string) =>
    (await askServer(port, ["http://a.test/"], undefined, headers))[0]?.split(":")[0];
  expect(await schemeOf("")).toBe("http");
  expect(await schemeOf("Fastly-SSL: 1\r\n")).toBe("http");
  expect(await schemeOf("Test-Tls: 1\r\n")).toBe("https");
  expect(await schemeOf("Test-Shield: 1\r\nTest-Tls: 1\r\n")).toBe("http");
  expect(await schemeOf("Test-Shield: 1\r\nFastly-SSL: 1\r\n")).toBe("https");
});

agreesOnHostileRules("fastly", 4, askVarnish, { reaches: reachesServer });

/** What its file says to call, in Fastly's own words; everything is answered with its key, or redirected. */
const CALLS: Readonly<Record<ExportUse, string>> = {
  key: `sub vcl_recv {
#FASTLY recv
  call dustpan;
  error 650;
}
sub vcl_hash {
#FASTLY hash
  set req.hash += req.http.X-Canonical-URL;
  return(hash);
}
sub vcl_miss {
#FASTLY miss
  unset bereq.http.X-Canonical-URL;
  unset bereq.http.X-Asked-URL;
  return(fetch);
}
`,
  redirect: "sub vcl_recv {\n#FASTLY recv\n  call dustpan_recv;\n  error 650;\n}\n",
};
const error = (use: ExportUse) => `sub vcl_error {
#FASTLY error
${use === "redirect" ? "  call dustpan_error;\n" : ""}  if (obj.status == 650) {
    set obj.status = 200;
    synthetic ${use === "redirect" ? '"stay"' : "req.http.X-Canonical-URL"};
  }
  return(deliver);
}
`;

/** The folder with the exported file and a main one. */
function folderWith(text: string, use: ExportUse): string {
  const folder = temporaryFolder("fastly");
  writeFileSync(path.join(folder, "dustpan.vcl"), text);
  writeFileSync(path.join(folder, "main.vcl"), `include "dustpan";\n${CALLS[use]}${error(use)}`);
  return folder;
}

it.skipIf(!isInstalled("go", "version")).each(["key", "redirect"] as const)(
  "falco finds no error in it, as %s",
  (use) => {
    const lists = [RULES, ...hostileRuleLists(20, 61 + Number(process.env.DUSTPAN_SEED ?? 0))];
    for (const rules of lists) {
      const proven = rules.map((rule) => ({ ...rule, status: "valid" as const }));
      const { text } = exportRules(proven, findTarget("fastly"), { use });
      run(falco(), ["lint", "-I", ".", "main.vcl"], { cwd: folderWith(text, use) });
    }
    // It does find what is wrong, in expressions too.
    for (const wrong of ["return (synth(200));", 'if (req.url ~ "(a") { restart; }', "set req.http.A = std.no(1);"]) {
      const folder = folderWith(`sub dustpan${use === "key" ? "" : "_recv"} { ${wrong} }`, use);
      expect(() => run(falco(), ["lint", "-I", ".", "main.vcl"], { cwd: folder })).toThrow("[ERROR]");
    }
  },
);

const simulator = process.env.DUSTPAN_FALCO;
/** It keeps what it did for each request, and takes some hundredths of a second for it: a sample. */
const someUrls = () => serverUrls().filter((_, i) => i % 10 === 0);
const expectNoDifference = ({ different, compared, changed }: Agreement) => {
  expect(different.slice(0, 5)).toEqual([]);
  expect(compared).toBeGreaterThan(500);
  expect(changed).toBeGreaterThan(100);
};

async function startFalco({ text }: Exported, use: ExportUse): Promise<number> {
  const [port, folder] = [await freePort(), folderWith(text, use)];
  writeFileSync(path.join(folder, ".falco.yml"), `simulator:\n  port: ${port}\n`);
  await startServer(simulator!, ["simulate", "--proxy", "-I", ".", "main.vcl"], port, { cwd: folder });
  return port;
}

it.skipIf(simulator === undefined)("falco's simulator: a client's own Fastly-SSL makes no https", async () => {
  const port = await startFalco(exportRules(RULES, findTarget("fastly")), "key");
  expect(await askServer(port, ["http://a.test/"], undefined, "Fastly-SSL: 1\r\n")).toEqual(["http://a.test/"]);
});

it.skipIf(simulator === undefined)("agrees with canonization in falco's simulator: the key", async () => {
  const ask = async (exported: Exported, urls: readonly string[]) =>
    askServer(await startFalco(exported, "key"), urls, canonicalUnlessTooLong);
  expectNoDifference(await agree("fastly", ask, { urls: someUrls(), label: "fastly, in falco" }));
});

it.skipIf(simulator === undefined)("agrees with canonization in falco's simulator: redirects", async () => {
  const ask = async (exported: Exported, urls: readonly string[]) =>
    unlessTooLong(await askRedirects(await startFalco(exported, "redirect"), urls), urls);
  const options = { urls: someUrls(), use: "redirect", label: "fastly, redirects, in falco" } as const;
  expectNoDifference(await agree("fastly", ask, options));
});
