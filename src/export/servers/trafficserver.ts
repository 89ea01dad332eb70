/** Apache Traffic Server: the canonical URL as the key of its cache, computed by its Lua plugin. */
import { canonicalInLua } from "../lua.js";
import { refuseStep } from "../steps.js";
import { commented, type Target } from "../target.js";

export const trafficserver: Target = {
  name: "trafficserver",
  title: "Apache Traffic Server: the key of its cache (tslua)",
  expresses: "every rule, with its scope and order, until nothing changes",
  uses: ["key"],
  file: "dustpan.lua",
  refuse: refuseStep,
  write: (rules, notes, _use, aliases) => `${commented("--", [
    ...notes,
    "In remap.config, for the site: map http://forum.test/ http://origin/ @plugin=tslua.so @pparam=dustpan.lua",
  ])}
${canonicalInLua(rules, aliases)}
function do_remap()
  ts.http.set_cache_url(canonical(ts.client_request.get_pristine_url()))
  return 0
end
`,
};
