/** Real programs for the tests of exports: installed once into a folder outside the repository, used from there. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";

const cache = process.env.DUSTPAN_EXPORT_TOOLS ?? path.join(homedir(), ".cache", "dustpan-export-tests");

/** Before the second try to install something, and before the third: a registry may be away for a moment. */
const PAUSES_MS = [5_000, 30_000];

/**
 * A folder that `install` has filled; a half-filled one is filled again. What cannot be installed is named. Test files run beside
 * each other: each installer (apt-get, npm, ...) is used by one of them at a time.
 */
function installed(
  installer: string,
  name: string,
  what: readonly string[],
  install: (folder: string) => void,
): string {
  const folder = path.join(cache, `${installer}-${name}`.replaceAll(/[^\w.@=-]+/g, "_"));
  const done = path.join(folder, ".installed");
  mkdirSync(cache, { recursive: true });
  const lock = path.join(cache, `${installer}.lock`);
  while (!existsSync(done) && !takeLock(lock)) sleepSync(200);
  if (existsSync(done)) return folder;
  try {
    for (let tries = 0; ; tries++) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder);
      try {
        install(folder);
        break;
      } catch (error) {
        const pauseMs = PAUSES_MS[tries];
        const words = `${name} (${what.join(", ")}) could not be installed`;
        if (pauseMs === undefined) throw new Error(`${words}, tried ${tries + 1} times`, { cause: error });
        console.warn(`${words}, tried again in ${pauseMs / 1000} s: ${error}`);
        sleepSync(pauseMs);
      }
    }
    writeFileSync(done, "");
  } finally {
    rmSync(lock);
  }
  return folder;
}

function sleepSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Is the lock ours now? One whose process is gone holds nobody up. */
function takeLock(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    return true;
  } catch {
    const holder = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
    if (holder > 0 && !existsSync(`/proc/${holder}`)) rmSync(file, { force: true });
    return false;
  }
}

/** Runs a program to its end and returns what it wrote; throws with its messages where it fails. */
export function run(
  command: string,
  args: readonly string[],
  options: {
    readonly cwd?: string;
    readonly input?: string;
    readonly env?: NodeJS.ProcessEnv;
    readonly timeoutMs?: number;
  } = {},
): string {
  const { cwd, input, env, timeoutMs = 300_000 } = options;
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    ...(cwd !== undefined && { cwd }),
    ...(input !== undefined && { input }),
    ...(env !== undefined && { env }),
    encoding: "utf8",
    maxBuffer: 2 ** 30,
    timeout: timeoutMs,
  });
  if (error !== undefined || status !== 0) {
    throw new Error(`${command} ${args.join(" ")}: ${error ?? `exit code ${status}`}\n${stderr}\n${stdout}`);
  }
  return stdout;
}

/** The same without blocking this process, which may have a server that the program asks. */
export async function runAside(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Promise<string> {
  const program = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr] = [program.stdout, program.stderr].map((stream) => text(stream));
  const [status] = await once(program, "exit");
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: exit code ${status}\n${await stderr}`);
  return stdout!;
}

/** Packages from npm; returns the folder with node_modules. */
export function npmPackages(name: string, ...packages: string[]): string {
  return installed("npm", name, packages, (folder) => {
    // A package that asks for a version of another that was never published gets the newest there is.
    const overrides = { "@adguard/agtree": "4.2.0" };
    writeFileSync(path.join(folder, "package.json"), JSON.stringify({ private: true, type: "module", overrides }));
    run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", ...packages], { cwd: folder });
  });
}

/** Packages from PyPI in an environment of their own; returns the path of its Python. */
export function pythonPackages(name: string, ...packages: string[]): string {
  const folder = installed("pypi", name, packages, (own) => {
    run("python3", ["-m", "venv", own]);
    run(
      path.join(own, "bin", "pip"),
      ["install", "--quiet", "--no-compile", "--disable-pip-version-check", ...packages],
      {
        timeoutMs: 600_000,
      },
    );
  });
  return path.join(folder, "bin", "python");
}

/** What several test files use. */
export const crawleePackages = () => npmPackages("crawlee", "@crawlee/cheerio@3");
export const scrapyPython = () => pythonPackages("scrapy", "scrapy==2.*", "duplicate-url-discarder==0.3.*");

const ALONE = "<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>";

/** Jars from Maven Central, these alone: what they ask for is not all there. Returns the class path. */
export function mavenJars(name: string, ...artifacts: string[]): string {
  const folder = installed("maven", name, artifacts, (own) => {
    const dependencies = artifacts.map((artifact) => {
      const [group, id, version] = artifact.split(":");
      return `<dependency><groupId>${group}</groupId><artifactId>${id}</artifactId><version>${version}</version>${ALONE}</dependency>`;
    });
    writeFileSync(
      path.join(own, "pom.xml"),
      `<project><modelVersion>4.0.0</modelVersion><groupId>export</groupId><artifactId>tests</artifactId><version>1</version><dependencies>${dependencies.join("")}</dependencies></project>`,
    );
    run("mvn", ["-q", "-B", "dependency:copy-dependencies", "-DoutputDirectory=jars"], {
      cwd: own,
      timeoutMs: 600_000,
    });
  });
  return path.join(folder, "jars", "*");
}

/**
 * Debian packages unpacked, not installed: nothing starts, nothing of the system changes. What they need and the machine
 * lacks comes with them. Returns the root folder, and the environment in which its programs find their libraries.
 */
export function debianPackages(
  name: string,
  ...packages: string[]
): { readonly root: string; readonly env: Record<string, string> } {
  const root = installed("debian", name, packages, (folder) => {
    if (spawnSync("apt-cache", ["show", ...packages]).status !== 0) run("apt-get", ["-qq", "update"]);
    const plan = run("apt-get", ["-s", "--no-install-recommends", "install", ...packages]);
    const missing = [...plan.matchAll(/^Inst (\S+)/gm)].map(([, each]) => each!);
    // Where they are installed, they are unpacked anyway; a renewal of something else is not needed.
    const wanted = new Set([...packages, ...missing.filter((each) => !isUnpacked(each))]);
    run("apt-get", ["-qq", "download", ...wanted], { cwd: folder });
    run("sh", ["-c", 'for package in *.deb; do dpkg -x "$package" . && rm "$package"; done'], { cwd: folder });
  });
  return {
    root,
    env: {
      LD_LIBRARY_PATH: `${root}/usr/lib/x86_64-linux-gnu:${root}/lib/x86_64-linux-gnu:${root}/usr/lib/trafficserver`,
    },
  };
}

function isUnpacked(name: string): boolean {
  return spawnSync("dpkg", ["-s", name]).status === 0;
}

/** The newest falco that Go's module proxy is sure to have, built from its sources. */
export function falco(): string {
  const folder = installed("go", "falco", ["github.com/ysugimoto/falco"], (own) => {
    writeFileSync(
      path.join(own, "go.mod"),
      "module exports\n\ngo 1.20\n\nrequire github.com/ysugimoto/falco v1.13.0\n",
    );
    run("go", ["build", "-mod=mod", "-o", "falco", "github.com/ysugimoto/falco/cmd/falco"], {
      cwd: own,
      timeoutMs: 600_000,
    });
  });
  return path.join(folder, "falco");
}

export function isInstalled(command: string, ...args: string[]): boolean {
  return spawnSync(command, args.length > 0 ? args : ["--version"]).status === 0;
}
