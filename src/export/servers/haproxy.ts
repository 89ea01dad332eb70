/** HAProxy: the canonical URL as something to hash, to log or to redirect to, computed by its Lua. */
import { canonicalInLua } from "../lua.js";
import { NOT_IN_HOST, refuseScheme } from "../redirects.js";
import { refuseStep } from "../steps.js";
import { commented, type ExportUse, type Target } from "../target.js";

export const haproxy: Target = {
  name: "haproxy",
  title: "HAProxy: the canonical URL for hashing and logs, or redirects (Lua)",
  expresses: "every rule, with its scope and order, until nothing changes",
  uses: ["key", "redirect"],
  file: "dustpan.lua",
  refuse: (rule, _taken, use) => refuseStep(rule) ?? refuseScheme(rule, use),
  write: (rules, notes, use, aliases) => `${commented("--", [...notes, ...usage(use)])}
${canonicalInLua(rules, aliases)}
local function asked(txn)
  local scheme = txn.f:ssl_fc() == 1 and "https" or "http"
  local host = txn.sf:req_fhdr("host") or ""
  return normalize(scheme .. "://" .. (host:find("[${NOT_IN_HOST}]") and "" or host) .. (txn.sf:pathq() or ""))
end

-- HAProxy reads what a fetch returns when Lua may have freed it already: the last answers are kept.
local kept, last = {}, 0
local function register(name, fetch)
  core.register_fetches(name, function(txn)
    last = last % 256 + 1
    kept[last] = fetch(txn)
    return kept[last]
  end)
end

register("asked_url", asked)
${use === "key" ? AS_KEY : AS_REDIRECT}`,
};

const AS_KEY = `register("canonical_url", function(txn) return canonical(asked(txn)) end)
`;

/** SAFE_TARGET and unsafeTarget as Lua patterns. */
const AS_REDIRECT = `-- Will every client ask for the URL as it is written? Nobody is sent to another.
local function is_safe(url)
  local scheme, port, path, query = url:match("^(https?)://[a-z0-9._-]+(:?%d*)(/[^?]*)%??(.*)$")
  if path == nil or port == ":" or port:sub(1, 2) == ":0" then return false end
  if port == (scheme == "http" and ":80" or ":443") then return false end
  if path:find("[^][A-Za-z0-9._~!$&'()*+,;=:@%%/-]") or query:find("[^][A-Za-z0-9._~!$&()*+,;=:@%%/?-]") then return false end
  if url:find("%%[a-f]%x") or url:find("%%[0-9A-F][a-f]") then return false end
  for segment in path:gmatch("[^/]+") do
    local dots = segment:gsub("%%2[Ee]", ".")
    if dots == "." or dots == ".." then return false end
  end
  return true
end

register("canonical_url", function(txn)
  local url = asked(txn)
  local target = canonical(url)
  return is_safe(target) and target or url
end)
`;

function usage(use: ExportUse): string[] {
  const load = [
    "To check: haproxy -c -f haproxy.cfg",
    "In the global section: lua-load dustpan.lua",
    "In the frontend:",
  ];
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
