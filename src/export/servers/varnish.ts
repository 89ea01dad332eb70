/** Varnish: the canonical URL as the key under which it caches, or a redirect there. */
import { refuseScheme, SAFE_TARGET, unsafeTarget } from "../redirects.js";
import { commented, type ExportUse, type Target } from "../target.js";
import { canonicalInVcl, refuseInVcl, VCL_EXPRESSES, VCL_NO_TABLE } from "../vcl.js";

export const varnish: Target = {
  name: "varnish",
  title: "Varnish: the key of its cache, or redirects (VCL, no module but std)",
  expresses: VCL_EXPRESSES,
  uses: ["key", "redirect"],
  file: "dustpan.vcl",
  noTable: VCL_NO_TABLE,
  refuse: (rule, _taken, use) => refuseInVcl(rule) ?? refuseScheme(rule, use),
  write: (rules, notes, use) =>
    [
      commented("#", [
        ...notes,
        'In your VCL, below "vcl 4.1;" and above a vcl_recv of your own: include "dustpan.vcl";',
        "A vcl_hash of your own, for what else tells pages apart (a cookie, say), stands above it, and does not return.",
        "To check both: varnishd -C -f default.vcl",
      ]),
      "import std;",
      "",
      canonicalInVcl(rules, 'req.http.X-Forwarded-Proto == "https"'),
      useOf(use),
    ].join("\n"),
};

/** Nobody is sent to a URL that clients would write differently. */
const IS_SAFE = `req.http.X-Canonical-URL ~ "^${SAFE_TARGET}$" && req.http.X-Canonical-URL !~ "^${unsafeTarget}$"`;

function useOf(use: ExportUse): string {
  const hash = `sub vcl_hash {
  hash_data(req.http.X-Canonical-URL);
  return (lookup);
}

sub vcl_backend_fetch {
  unset bereq.http.X-Canonical-URL;
  unset bereq.http.X-Asked-URL;
}
`;
  if (use === "key") return `sub vcl_recv {\n  call dustpan;\n}\n\n${hash}`;
  return `sub vcl_recv {
  call dustpan;
  if (req.http.X-Canonical-URL != req.http.X-Asked-URL && (req.method == "GET" || req.method == "HEAD") && ${IS_SAFE}) {
    return (synth(751, "Moved Permanently"));
  }
  unset req.http.X-Asked-URL;
  unset req.http.X-Canonical-URL;
}

sub vcl_synth {
  if (resp.status == 751) {
    set resp.status = 301;
    set resp.http.Location = req.http.X-Canonical-URL;
    return (deliver);
  }
}
`;
}
