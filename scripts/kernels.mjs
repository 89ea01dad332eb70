// Compiles the AssemblyScript of src/**/assembly/ to WebAssembly, and writes its bytes into dist/ as modules with strings: so
// it runs wherever JavaScript does, in bundles too, and nobody has to fetch or read a file. Does nothing where dist/ is up to date.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import asc from "assemblyscript/asc";

// A stub for a runtime: nothing is allocated. What does not compile without a warning does not compile.
const common = ["--runtime", "stub", "--optimizeLevel", "3", "--noAssert"];
// Beyond 2 GB too, and by all threads at once.
const shared = [
  "--importMemory",
  "--noExportMemory",
  "--sharedMemory",
  "--maximumMemory",
  "65536",
  "--enable",
  "threads",
];

// Files of one kernel may give each other sixteen bytes at once; nobody else sees them.
const simd = ["--enable", "simd", "--disableWarning", "112"];

/** By the module that is written: the names that it exports, and what each is compiled from, with which options. */
const modules = {
  "mine/detect/kernel-code.js": {
    tokensCode: ["mine/detect/assembly/tokens.ts", ...shared],
    // Counts are as narrow as the list allows.
    detectionCode1: ["mine/detect/assembly/detection.ts", ...shared, "--use", "COUNT_BYTES=1"],
    detectionCode2: ["mine/detect/assembly/detection.ts", ...shared, "--use", "COUNT_BYTES=2"],
    detectionCode4: ["mine/detect/assembly/detection.ts", ...shared, "--use", "COUNT_BYTES=4"],
  },
  "jobs/canon/kernel-code.js": {
    aliasesCode: ["jobs/canon/assembly/aliases.ts", ...shared, ...simd],
    linesCode: ["jobs/canon/assembly/lines.ts", "--initialMemory", "16", ...simd],
  },
  "collections/kernel-code.js": {
    denseCode: ["collections/assembly/dense.ts", "--initialMemory", "1", ...simd],
  },
  "store/growing/kernel-code.js": {
    markCode: ["store/growing/assembly/mark.ts", "--initialMemory", "1"],
  },
  "sketch/kernel-code.js": {
    sketchCode: ["sketch/assembly/sketch.ts", "--initialMemory", "16", ...simd],
  },
};

export async function compileKernels() {
  for (const [file, exports] of Object.entries(modules)) {
    const target = path.join("dist", file);
    if (existsSync(target) && modified(target) > newestSource(path.dirname(file))) continue;
    const lines = ["// Written by scripts/kernels.mjs."];
    for (const [name, [entry, ...options]] of Object.entries(exports)) {
      const code = await compile(path.join("src", entry), options);
      lines.push(`export const ${name} = "${Buffer.from(code).toString("base64")}";`);
    }
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, `${lines.join("\n")}\n`);
  }
}

async function compile(entry, options) {
  let code;
  const { error, stderr } = await asc.main([entry, ...common, ...options, "--outFile", "code"], {
    writeFile: (_, contents) => {
      code = contents;
    },
  });
  if (error === null && stderr.toString() === "") return code;
  console.error(`${stderr}${error?.message ?? "warnings count as errors"}`);
  process.exit(1);
}

const modified = (file) => statSync(file).mtimeMs;

/** When a source of this folder's kernels was changed last; they import plain numbers from outside, too. */
function newestSource(folder) {
  const assembly = path.join("src", folder, "assembly");
  const sources = readdirSync(assembly).map((name) => path.join(assembly, name));
  const imported = sources.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/from "(\.\.\/[^"]+)"/g)].map(([, target]) =>
      path.join(assembly, `${target}.ts`),
    ),
  );
  return Math.max(...[...sources, ...imported, "scripts/kernels.mjs", "package.json"].map(modified));
}
