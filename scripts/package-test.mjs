// What others get: packs dustpan (which builds it from clean), installs the file into an empty folder, runs the command there, and
// checks every entry point at run time and its types under nodenext and bundler, without skipLibCheck. Takes about a minute.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), "dustpan-package-"));
const { version, devDependencies } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));

function run(command, args, { cwd = folder, input } = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    input,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}:\n${stdout}\n${stderr}`);
  return stdout;
}
function expect(what, actual, wanted) {
  if (actual !== wanted) throw new Error(`${what}: expected ${JSON.stringify(wanted)}, got ${JSON.stringify(actual)}`);
  console.error(`ok  ${what}`);
}

const program = `
import assert from "node:assert/strict";
import * as dustpan from "dustpan";
import { compile, describeRule, parseRulesFile } from "dustpan/canon";
import { textShingles } from "dustpan/sketch";
import about from "dustpan/package.json" with { type: "json" };

const file = parseRulesFile(JSON.stringify({ format: "dustpan-rules", version: 1, settings: {}, rules: [
  { kind: "parameter", name: "sid", action: "remove", scope: {}, status: "valid", decision: null, source: "hand", support: 0, confirmed: 0 },
] }));
const canon: (url: string) => string = compile(file.rules);
assert.equal(canon("http://a.test/?sid=1"), "http://a.test/");
assert.match(describeRule(file.rules[0]!), /sid/);
assert.equal(textShingles("one two three four five six seven eight nine ten")?.length, 4);
assert.equal(dustpan.compile, compile);
const workspace: dustpan.Workspace = dustpan.Workspace.inMemory();
const options: dustpan.AddOptions = { snapshot: "default", text: false };
const added = await dustpan.add(workspace, ["urls.txt"], options, () => {}, { onProgress: () => {}, signal: new AbortController().signal });
assert.equal(added[0]!.records, 2);
workspace.close();
console.log(about.version);
`;

try {
  const packed = JSON.parse(
    run("npm", ["pack", "--json", "--pack-destination", folder], { cwd: root }).replace(/^[^[]*/, ""),
  );
  const tarball = path.join(folder, packed[0].filename);
  const names = packed[0].files.map((file) => file.path);
  const strangers = names.filter((name) => !/^(?:dist|docs|examples)\/|^[A-Z-]+(?:\.md)?$|^package\.json$/.test(name));
  expect("nothing but the build and the documents is packed", strangers.join(), "");
  expect(
    "the app is packed",
    names.some((name) => name.startsWith("dist/web/client/assets/")),
    true,
  );

  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ name: "empty", private: true, type: "module" }));
  const types = ["typescript", "@types/node"].map((name) => `${name}@${devDependencies[name]}`);
  run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", tarball, ...types]);
  const dustpan = (...args) => run("npx", ["--no-install", "dustpan", ...args]);
  expect("the version", dustpan("--version").trim(), version);
  writeFileSync(path.join(folder, "urls.txt"), "http://a.test/?sid=1\nhttp://a.test/\n");
  // Each command with what it needs, or told what it lacks: all that it loads is in the package.
  const bin = path.join(folder, "node_modules/dustpan/dist/cli/main.js");
  const commands = [...dustpan("--help").matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name]) => name);
  for (const name of commands) {
    const line = name === "demo" ? ["demo", "--folder", "."] : name === "serve" ? ["serve", "--port", "none"] : [name];
    const { status, stderr } = spawnSync(process.execPath, [bin, ...line], {
      cwd: folder,
      input: "",
      encoding: "utf8",
    });
    expect(`${name} starts`, [0, 2].includes(status) && !stderr.includes("fault in dustpan"), true);
  }
  expect("a list is mined", JSON.parse(dustpan("mine", "urls.txt", "--json")).format, "dustpan-rules");

  writeFileSync(path.join(folder, "program.ts"), program);
  const [, snippet] = /```ts\n([\s\S]*?)```/.exec(readFileSync(path.join(root, "README.md"), "utf8"));
  writeFileSync(path.join(folder, "readme.ts"), snippet);
  for (const [module, moduleResolution] of [
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ]) {
    const compilerOptions = {
      module,
      moduleResolution,
      target: "es2023",
      strict: true,
      skipLibCheck: false,
      resolveJsonModule: true,
      types: ["node"],
      outDir: module,
    };
    writeFileSync(
      path.join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions, files: ["program.ts", "readme.ts"] }),
    );
    run("npx", ["--no-install", "tsc", "-p", "tsconfig.json"]);
    expect(
      `entry points and types under ${moduleResolution}`,
      run(process.execPath, [`${module}/program.js`]).trim(),
      version,
    );
  }
  // Both entry points that promise it run without any dependency.
  rmSync(path.join(folder, "node_modules", "@duckdb"), { recursive: true });
  for (const name of readdirSync(path.join(folder, "node_modules"))) {
    if (!["dustpan", ".bin", ".package-lock.json"].includes(name))
      rmSync(path.join(folder, "node_modules", name), { recursive: true });
  }
  const alone = `import("dustpan/canon").then(() => import("dustpan/sketch")).then(() => console.log("fine"))`;
  expect("canon and sketch need no dependency", run(process.execPath, ["-e", alone]).trim(), "fine");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
