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
  write: (rules, notes, use) =>
    [
      commented("#", [...notes, ...usage(use)]),
      "",
      canonicalInVcl(rules, IS_SECURE),
      ...(use === "key" ? [] : [REDIRECT]),
    ].join("\n"),
};

/** The edge looks at the connection: Fastly keeps a header that a client sent by itself. A shield's client is the edge, which says what it saw. */
const IS_SECURE =
  "(fastly.ff.visits_this_service == 0 && fastly_info.edge.is_tls) || (fastly.ff.visits_this_service > 0 && req.http.Fastly-SSL)";

/** Its own range for errors that VCL raises. Nobody is sent to a URL that clients would write differently. */
const REDIRECT = `# To be called from vcl_recv.
sub dustpan_recv {
  call dustpan;
  if (req.http.X-Canonical-URL != req.http.X-Asked-URL && (req.method == "GET" || req.method == "HEAD")
      && req.http.X-Canonical-URL ~ {"^${SAFE_TARGET}$"}
      && req.http.X-Canonical-URL !~ {"^${unsafeTarget}$"}) {
    error 651;
  }
  unset req.http.X-Asked-URL;
  unset req.http.X-Canonical-URL;
}

# To be called from vcl_error.
sub dustpan_error {
  if (obj.status == 651) {
    set obj.status = 301;
    set obj.response = "Moved Permanently";
    set obj.http.Location = req.http.X-Canonical-URL;
    synthetic "";
  }
}
`;

function usage(use: ExportUse): string[] {
  const upload = 'Upload it as a VCL file, and in the main one: include "dustpan";';
  const check = "To check both: falco -I . main.vcl";
  return use === "key"
    ? [
        upload,
        "In vcl_recv: call dustpan;",
        "In vcl_hash, instead of req.url and req.http.host: set req.hash += req.http.X-Canonical-URL;",
        "In vcl_miss and vcl_pass: unset bereq.http.X-Canonical-URL; unset bereq.http.X-Asked-URL;",
        check,
      ]
    : [upload, "In vcl_recv: call dustpan_recv;", "In vcl_error: call dustpan_error;", check];
}
