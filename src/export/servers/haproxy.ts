/** HAProxy: the canonical URL as something to hash, to log or to redirect to, computed by its Lua. */
import { canonicalInLua } from "../lua.js";
import { refuseScheme } from "../redirects.js";
import { refuseStep } from "../steps.js";
import { commented, type ExportUse, type Target } from "../target.js";

export const haproxy: Target = {
  name: "haproxy",
  title: "HAProxy: the canonical URL for hashing and logs, or redirects (Lua)",
  expresses: "every rule, with its scope and order, until nothing changes",
  uses: ["key", "redirect"],
  file: "dustpan.lua",
  refuse: (rule, _taken, use) => refuseStep(rule) ?? refuseScheme(rule, use),
  hasTable: true,
  write: (rules, notes, use, aliases) => `${commented("--", [...notes, ...usage(use)])}
${canonicalInLua(rules, aliases)}
local function asked(txn)
  local scheme = txn.f:ssl_fc() == 1 and "https" or "http"
  return normalize(scheme .. "://" .. (txn.sf:req_fhdr("host") or "") .. (txn.sf:pathq() or ""))
end

core.register_fetches("asked_url", asked)
core.register_fetches("canonical_url", function(txn) return canonical(asked(txn)) end)
`,
};

function usage(use: ExportUse): string[] {
  const load = ["In the global section: lua-load dustpan.lua", "In the frontend:"];
  if (use === "key") {
    return [
      ...load,
      "  http-request set-var(txn.canonical) lua.canonical_url",
      "and, before caches: balance hash var(txn.canonical)",
    ];
  }
  return [
    ...load,
    "  http-request set-var(txn.asked) lua.asked_url",
    "  http-request set-var(txn.canonical) lua.canonical_url",
    "  http-request redirect code 301 location %[var(txn.canonical)] if METH_GET !{ var(txn.canonical),strcmp(txn.asked) eq 0 }",
  ];
}
