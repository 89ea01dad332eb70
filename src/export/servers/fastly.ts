/** Fastly: the canonical URL as the key under which it caches, or a redirect there, in its dialect of VCL. */
import { refuseScheme, SAFE_TARGET, unsafeTarget } from "../redirects.js";
import { commented, type ExportUse, type Target } from "../target.js";
import { canonicalInVcl, refuseInVcl, VCL_EXPRESSES } from "../vcl.js";

export const fastly: Target = {
  name: "fastly",
  title: "Fastly: the key of its cache, or redirects (custom VCL)",
  expresses: VCL_EXPRESSES,
  uses: ["key", "redirect"],
  file: "dustpan.vcl",
  noTable: "the file is what Fastly and Varnish have in common, and Varnish has none",
  refuse: (rule, _taken, use) => refuseInVcl(rule) ?? refuseScheme(rule, use),
  write: (rules, notes, use) => [commented("#", [...notes, ...usage(use)]), "", canonicalInVcl(rules)].join("\n"),
};

function usage(use: ExportUse): string[] {
  const upload = 'Upload it as a VCL file, and in the main one: include "dustpan";';
  if (use === "key") {
    return [
      upload,
      "In vcl_recv: call dustpan;",
      "In vcl_hash, instead of req.url and req.http.host: set req.hash += req.http.X-Canonical-URL;",
      "In vcl_miss and vcl_pass: unset bereq.http.X-Canonical-URL; unset bereq.http.X-Asked-URL;",
    ];
  }
  return [
    upload,
    "In vcl_recv: call dustpan;",
    '  if (req.http.X-Canonical-URL != req.http.X-Asked-URL && (req.method == "GET" || req.method == "HEAD")',
    `    && req.http.X-Canonical-URL ~ {"^${SAFE_TARGET}$"} && req.http.X-Canonical-URL !~ {"^${unsafeTarget}$"}) { error 751; }`,
    "In vcl_error: if (obj.status == 751) {",
    '  set obj.status = 301; set obj.http.Location = req.http.X-Canonical-URL; synthetic ""; return (deliver); }',
  ];
}
