import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

// docs/architecture.md: imports go one way, from right to left.
const layers = [
  ["model.ts", "errors.ts", "progress.ts", "numbers.ts", "string-column.ts", "documents.ts", "documents"],
  ["wasm", "thread.ts", "tables"],
  ["url", "sketch"],
  ["canon"],
  ["mine", "validate", "pages", "mirrors", "collections"],
  ["http"],
  ["store", "input", "fetch", "export", "engine", "demo", "report"],
  ["jobs"],
  ["cli", "web", "index.ts"],
];
/** Folders that run in a browser: nothing from npm, nothing from Node but what is named here. */
const pure: Record<string, string[]> = {
  "model.ts": [],
  "errors.ts": [],
  "numbers.ts": [],
  "documents.ts": [],
  documents: [],
  "string-column.ts": [],
  wasm: [],
  url: [],
  sketch: [],
  canon: [],
};
/** Names that only Node has, and names of the browser's page. */
const notEverywhere = /(?<![.\w])(?:process\.|Buffer\.|__dirname\b|require\(|window\.|localStorage\.|setImmediate\()/;
/** Folders whose files begin with a sentence that says what they are for. */
const introduced = ["jobs", "store", "cli", "collections", "fetch", "input"];
/** What a constant is, by how its value begins: a number, a string or a regular expression; a list, a table, a function. */
const plainValue = /^(?:-?\d[\w.]*(?: (?:[-+*/]|\*\*|<<) \d[\w.]*)*|"(?:[^"\\\n]|\\.)*"|`[^`]*`|\/(?![/*]).*\/[a-z]*);/;
const otherValue = /^(?:\[|\{|new |async |\(?[\w\s,:{}]*\)? =>|\w+\.(?:from|of)\()/;
/** A folder that one has to search is two folders. */
const mostFiles = 25;

const root = fileURLToPath(new URL("..", import.meta.url));
const src = path.join(root, "src");
const files = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => file.replaceAll(path.sep, "/"));
const partOf = (file: string) => file.split("/", 1)[0]!;
const layerOf = (file: string) => layers.findIndex((parts) => parts.includes(partOf(file)));
const importsOf = (file: string) =>
  [
    ...readFileSync(path.join(src, file), "utf8").matchAll(
      /(?:^|\s)(?:import|export)\s[^"';]*?from\s+"([^"]+)"|import\("([^"]+)"\)/g,
    ),
  ].map((match) => (match[1] ?? match[2])!);
const fileOf = (from: string, target: string) => {
  const stem = path.posix.join(path.posix.dirname(from), target).replace(/\.jsx?$/, "");
  return files.find((file) => [".ts", ".tsx", ".d.ts"].some((end) => file === stem + end)) ?? stem;
};
const targetsOf = (file: string) =>
  importsOf(file)
    .filter((target) => target.startsWith("."))
    .map((target) => fileOf(file, target));

describe("the architecture", () => {
  it("has a layer for every file", () => {
    expect(files.filter((file) => layerOf(file) < 0)).toEqual([]);
    expect(files.length).toBeGreaterThan(10);
  });

  it("imports from the same layer or from the left of it only", () => {
    const wrong = files.flatMap((file) =>
      targetsOf(file)
        .filter((target) => layerOf(target) > layerOf(file))
        .map((target) => `${file} -> ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it("has no cycle among files", () => {
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (file: string, way: readonly string[]) => {
      if (way.includes(file)) cycles.push([...way.slice(way.indexOf(file)), file].join(" -> "));
      if (done.has(file) || way.includes(file)) return;
      for (const target of targetsOf(file)) visit(target, [...way, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
    expect(cycles).toEqual([]);
  });

  it("keeps the pure parts free of packages and of I/O", () => {
    const wrong = files
      .filter((file) => partOf(file) in pure)
      .flatMap((file) => [
        ...importsOf(file)
          .filter((target) => !target.startsWith(".") && !pure[partOf(file)]!.includes(target))
          .map((target) => `${file} -> ${target}`),
        ...(notEverywhere.test(codeOf(file)) ? [`${file} uses ${notEverywhere.exec(codeOf(file))![0]}`] : []),
      ]);
    expect(wrong).toEqual([]);
  });

  it("has folders that can be overseen", () => {
    const counts = new Map<string, number>();
    for (const file of files) {
      const folder = path.posix.dirname(file);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    expect([...counts].filter(([, count]) => count > mostFiles)).toEqual([]);
  });

  it("writes constants in one style: plain values in capitals, everything else in camelCase", () => {
    const wrong = files.flatMap((file) =>
      [...codeOf(file).matchAll(/^(?:export )?const (\w+)(?:: [^=]+?)? =\s+(?!=)([\s\S]{1,200})/gm)]
        .filter(([, name, value]) => {
          const isCapital = /^[A-Z][A-Z0-9_]*$/.test(name!);
          return plainValue.test(value!) ? !isCapital : otherValue.test(value!) && isCapital;
        })
        .map(([, name]) => `${file}: ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it("keeps what is private behind #", () => {
    const keyword =
      /(?:^\s*|[(,]\s*)(?:private|protected|public) (?:(?:readonly|static|async|get) )*(?!constructor\b)\w+[?:(=;]/m;
    const wrong = files.filter((file) => keyword.test(codeOf(file)));
    expect(wrong).toEqual([]);
  });

  it("ends cancelled work in one way", () => {
    const own = files.filter((file) =>
      /aborted(?:\) throw| \?) new InterruptedError|throwIfAborted/.test(codeOf(file)),
    );
    expect(own.filter((file) => file !== "progress.ts")).toEqual([]);
  });

  it("says first what a file is for", () => {
    const silent = files
      .filter((file) => introduced.includes(partOf(file)))
      .filter((file) => !/^(?:#!.*\n)?\/\*\*\s[^@]*?\w[.:)`]\s/.test(readFileSync(path.join(src, file), "utf8")));
    expect(silent).toEqual([]);
  });

  it("is what docs/architecture.md says", () => {
    const page = readFileSync(path.join(root, "docs/architecture.md"), "utf8");
    const namesIn = (parts: readonly string[]) => [...new Set(parts.map((part) => part.replace(/\.ts$/, "")))];
    const line = layers.map((parts) => namesIn(parts).join(", ")).join("  <-  ");
    expect(page).toContain(line.replace(/, index$/, ""));
    const named = [...page.matchAll(/`((?!test\/)[a-z-]+\/[\w/.-]+\.ts)`/g)].map(([, file]) => file!);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((file) => !files.includes(file))).toEqual([]);
  });

  it("has every file that the docs name", () => {
    const list = (folder: string) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" }).map(
        (file) => `/${folder}/${file.replaceAll(path.sep, "/")}`,
      );
    const known = ["src", "test", "bench", "scripts", "examples"].flatMap(list);
    const pages = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "bench/README.md"].concat(
      list("docs").filter((file) => file.endsWith(".md")),
    );
    const named = pages.flatMap((page) =>
      [
        ...readFileSync(path.join(root, page), "utf8").matchAll(
          /`([\w./-]+\.(?:tsx?|mjs)|(?:src|test|bench)\/[\w/-]+)`/g,
        ),
      ].map(([, file]) => ({ page, file: file! })),
    );
    expect(named.length).toBeGreaterThan(200);
    expect(named.filter(({ file }) => !known.some((each) => each.endsWith(`/${file.replace(/\/$/, "")}`)))).toEqual([]);
  });

  it("leads a log line hop by hop to canon(url)", () => {
    const page = readFileSync(path.join(root, "docs/architecture.md"), "utf8");
    const hops = [...page.matchAll(/^(\d+)\. `([\w/.-]+\.ts)`, (function|class) `(\w+)`/gm)].map(
      ([, number, file, sort, name]) => ({ number: Number(number), file: file!, sort: sort!, name: name! }),
    );
    expect(hops.length).toBeGreaterThan(25);
    const wrong: string[] = [];
    // The files that were passed since the way set out from a command or from the workspace.
    let passed: string[] = [];
    for (const { number, file, sort, name } of hops) {
      if (number === 1) passed = [];
      const where = `${file} ${name}`;
      if (!files.includes(file)) wrong.push(`no file: ${where}`);
      else if (!declares(file, sort, name)) wrong.push(`not declared: ${where}`);
      if (passed.length > 0 && !passed.some((earlier) => new RegExp(`\\b${name}\\b`).test(codeOf(earlier)))) {
        wrong.push(`nobody before calls ${where}`);
      }
      passed.push(file);
    }
    expect(wrong).toEqual([]);
  });
});

/** Is there such a function, method or class, and not merely a call of it? */
function declares(file: string, sort: string, name: string): boolean {
  const code = codeOf(file);
  if (sort === "class") return new RegExp(`^(?:export )?class ${name}\\b`, "m").test(code);
  const method = `^  (?:(?:static|async|private|readonly) |\\*)*#?${name}(?:<[^>]*>)?\\([^;]*?\\)(?:: [^;{]*)?[;{]$`;
  return new RegExp(`\\bfunction\\*? ${name}\\b|${method}`, "m").test(code);
}

/** The file without its comments. */
function codeOf(file: string): string {
  return readFileSync(path.join(src, file), "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
}
