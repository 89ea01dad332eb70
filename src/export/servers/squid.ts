/** Squid: a StoreID helper in Python, which tells under which key an answer is stored. */
import { sourceOf } from "../source-file.js";
import { refuseStep } from "../steps.js";
import { commented, type Target } from "../target.js";
import { pythonLanguage } from "../targets/python.js";

/** Lines are "[channel] URL [more]"; the answer is "OK" with the key, or "ERR" where the URL is its own key. */
const HELPER = `if __name__ == "__main__":
    for line in sys.stdin.buffer:
        words = line.decode("utf-8", "surrogateescape").split()
        channel = words.pop(0) + " " if words and words[0].isdigit() else ""
        asked = words[0] if words else ""
        key = canonical(asked)
        answer = "ERR" if key == asked else 'OK store-id="' + key.replace("\\\\", "\\\\\\\\").replace('"', '\\\\"') + '"'
        sys.stdout.buffer.write((channel + answer + "\\n").encode("utf-8", "surrogateescape"))
        sys.stdout.buffer.flush()
`;

export const squid: Target = {
  name: "squid",
  title: "Squid: a StoreID helper, for the key of its cache (Python)",
  expresses: "every rule, with its scope and order, until nothing changes",
  uses: ["key"],
  file: "dustpan-storeid.py",
  refuse: refuseStep,
  write: (rules, notes, _use, aliases) => {
    const source = sourceOf(pythonLanguage, rules, aliases);
    return `${commented("#", [
      ...notes,
      "In squid.conf: store_id_program /usr/bin/python3 /etc/squid/dustpan-storeid.py",
      "               store_id_children 5 startup=1 concurrency=100",
      "To check: squid -k parse",
    ])}\n${source.slice(0, source.indexOf("if __name__"))}${HELPER}`;
  },
};
