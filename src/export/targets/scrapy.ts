/** Scrapy: a request fingerprinter, so that its duplicate filter goes by the canonical URL. */
import { sourceOf } from "../source-file.js";
import { refuseStep } from "../steps.js";
import { commented, type Target } from "../target.js";
import { pythonLanguage } from "./python.js";

const FINGERPRINTER = `
class CanonicalFingerprinter:
    """Two requests for URLs with one canonical URL have one fingerprint, so that the second is filtered.

    settings.py: REQUEST_FINGERPRINTER_CLASS = "canonical_fingerprinter.CanonicalFingerprinter"
    The request itself is sent as it is. What is not read with GET or HEAD has the fingerprint that Scrapy gives it.
    """

    def __init__(self, crawler=None):
        from scrapy.utils.request import RequestFingerprinter

        self._others = RequestFingerprinter(crawler)

    @classmethod
    def from_crawler(cls, crawler):
        return cls(crawler)

    def fingerprint(self, request):
        if request.method not in ("GET", "HEAD") or request.body:
            return self._others.fingerprint(request)
        url = canonical(request.url)
        return hashlib.sha1(f"{request.method} {url}".encode("utf-8", "surrogatepass")).digest()
`;

export const scrapy: Target = {
  name: "scrapy",
  title: "Scrapy: a request fingerprinter",
  expresses: "every rule, with its scope and order, until nothing changes; requests are sent as they are",
  uses: ["key"],
  file: "canonical_fingerprinter.py",
  refuse: refuseStep,
  write: (rules, notes, _use, aliases) => {
    const source = sourceOf(pythonLanguage, rules, aliases).replace("import re\n", "import hashlib\nimport re\n");
    return `${commented("#", notes)}\n${source.replace('\n\nif __name__ == "__main__":', (main) => `\n${FINGERPRINTER}${main}`)}`;
  },
};
