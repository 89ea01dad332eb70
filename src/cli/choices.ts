/** What `--format help` and `--keep help` show. */
import { inputFormats } from "../input/read-source.js";
import { allSteps, type NormalizationStep } from "../url/normalize.js";
import type { Arguments } from "./parse.js";
import { table } from "./terminal.js";

const stepWords: Readonly<Record<NormalizationStep, string>> = {
  schemeCase: "HTTP://a.test/ is http://a.test/",
  hostCase: "http://A.test/ is http://a.test/",
  defaultPort: "http://a.test:80/ and https://a.test:443/ need no port",
  fragment: "http://a.test/b#c is http://a.test/b",
  emptyPath: "http://a.test is http://a.test/",
  dotSegments: "/a/./b/../c is /a/c",
  percentCase: "%c3%a9 is %C3%A9",
};

/** What `--format help` shows, or `--keep help` if no formats were asked for. */
export function describeChoices(args: Arguments): string {
  if (args.text("format") === "help") {
    return table(
      [{ title: "--format" }, { title: "what it is" }],
      inputFormats.map(({ name, title }) => [name, title]),
    );
  }
  return table(
    [{ title: "--keep" }, { title: "what it switches off" }],
    allSteps.map((step) => [step, stepWords[step]]),
  );
}
