/** What somebody does who has dustpan for the first time, and what it says then. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rulesInUse } from "#src/canon/cycles.js";
import { parseRulesFile } from "#src/canon/file/rules-file.js";
import { Folder } from "./folder.js";
import { openShop, type Shop } from "./shop.js";

let folder: Folder;
beforeEach(() => {
  folder = new Folder();
});
afterEach(() => folder.remove());

describe("an input that is there already", () => {
  const line = (i: number) =>
    `192.0.2.1 - - [10/Oct/2025:13:55:36 +0000] "GET /story/${i} HTTP/1.1" 200 ${1000 + i} "-" "-"\n`;

  it("through a pipe, too, takes the place of what was there", async () => {
    const log = Array.from({ length: 30 }, (_, i) => line(i)).join("");
    await folder.run(["add", "-"], log);
    const again = await folder.run(["add", "-", "--base", "https://shop.test"], log);
    expect(again.stdout).toContain("read again, replacing what was there");
    const { sites } = JSON.parse((await folder.run(["info", "--json"])).stdout);
    expect(sites).toMatchObject([{ site: "shop.test", urls: 30, hits: 30 }]);
  });

  it("leaves no likely rules of URLs that it no longer has", async () => {
    const pairs = Array.from({ length: 20 }, (_, i) => line(i) + line(i).replace("/story/", "/s/")).join("");
    writeFileSync(folder.at("access.log"), pairs);
    const likely = async () => {
      const { rules } = JSON.parse((await folder.run(["rules", "list", "--json"])).stdout);
      return rules.map(({ site }: { site: string }) => site);
    };
    await folder.run(["run", "access.log"]);
    expect(await likely()).toContain("");
    await folder.run(["run", "access.log", "--base", "https://shop.test"]);
    expect(new Set(await likely())).toEqual(new Set(["shop.test"]));
  });
});

describe("files", () => {
  const visits = (host: string, name: string) => {
    const secret = (i: number) => `8d3f${(i * 7919).toString(16).padStart(6, "0")}a91c7e`;
    const urls = Array.from({ length: 20 }, (_, i) => [
      `http://${host}/${name}/${i}`,
      `http://${host}/${name}/${i}?token=${secret(i)}`,
    ]);
    writeFileSync(folder.at(`${name}.txt`), `${urls.flat().join("\n")}\n`);
  };
  const modeOf = (name: string) => (statSync(folder.at(name)).mode & 0o777).toString(8);

  it("of two workspaces in one folder never mix", async () => {
    visits("a.test", "apples");
    visits("b.test", "pears");
    await folder.run(["run", "apples.txt", "-w", "a.duckdb"]);
    await folder.run(["run", "pears.txt", "-w", "b.duckdb"]);
    const { stderr } = await folder.run(["aliases", "-w", "b.duckdb"]);
    expect(stderr).toContain('"dustpan crawl URL..." asks the site');
    expect(readdirSync(folder.path).sort()).toEqual([
      "a-report.html",
      "a.duckdb",
      "a.rules.json",
      "apples.txt",
      "b-report.html",
      "b.aliases.tsv",
      "b.duckdb",
      "b.rules.json",
      "pears.txt",
    ]);
    const rules = (name: string) => readFileSync(folder.at(name), "utf8");
    expect(rules("a.rules.json")).toContain("a.test");
    expect(rules("a.rules.json")).not.toContain("b.test");
    expect(rules("b.rules.json")).not.toContain("a.test");
    await folder.run(["run", "apples.txt"]);
    const other = await folder.run(["rules", "list", "-w", "c.duckdb"]);
    expect(other).toMatchObject({ status: 2, stdout: "" });
    expect(other.stderr).toMatch(/no rules file at .*c\.rules\.json; .*dustpan\.rules\.json is another workspace's/);
  });

  it("with what visitors asked for are their owner's alone; rules and report are for all", async () => {
    visits("a.test", "apples");
    await folder.run(["run", "apples.txt"]);
    await folder.run(["aliases"]);
    expect(modeOf("dustpan.duckdb")).toBe("600");
    expect(modeOf("dustpan.aliases.tsv")).toBe("600");
    await folder.run(["export", "--to", "canonical-links", "-o", "links.tsv"]);
    expect(modeOf("links.tsv")).toBe("600");
    const usual = (0o666 & ~process.umask()).toString(8);
    expect(modeOf("dustpan.rules.json")).toBe(usual);
    expect(modeOf("dustpan-report.html")).toBe(usual);
    await folder.run(["info", "--compact"]);
    expect(modeOf("dustpan.duckdb")).toBe("600");
  });

  it("and documents mask what visitors carry", async () => {
    visits("a.test", "apples");
    const run = await folder.run(["run", "apples.txt", "--json"]);
    const { rules } = JSON.parse(run.stdout).validated;
    expect(rules.length).toBeGreaterThan(0);
    const shown = await folder.run(["rules", "show", rules[0].id, "--json"]);
    const validated = await folder.run(["validate", "--offline", "--json"]);
    for (const { stdout } of [run, shown, validated]) expect(stdout).not.toContain("8d3f0");
    expect(shown.stdout).toContain("•••");
    const unmasked = await folder.run(["run", "apples.txt", "--json", "--unmask"]);
    expect(unmasked.stdout).toContain("8d3f0");
    const plan = ["validate", "--site", "a.test", "--dry-run"];
    for (const flags of [[], ["--json"]]) {
      const { stdout } = await folder.run([...plan, ...flags]);
      expect(stdout).toContain("token=8d•••");
      expect(stdout).not.toContain("8d3f0");
    }
    expect((await folder.run([...plan, "--unmask"])).stdout).toContain("8d3f0");
  });

  it("that are damaged are shown without them", async () => {
    const line = '192.0.2.1 - - [10/Oct/2025:13:55:36 +0000] "GET /a HTTP/1.1" 200 9 "-" "-"';
    writeFileSync(folder.at("torn.log"), `${line}\n${line.replace("]", "").replace("/a", "/a?token=8d3f0a91c7e")}\n`);
    for (const flags of [[], ["--json"], ["--strict"]]) {
      const { stdout, stderr } = await folder.run(["add", "torn.log", "-w", `w${flags}.duckdb`, ...flags]);
      expect(stdout + stderr).toContain("token=8d•••");
      expect(stdout + stderr).not.toContain("8d3f0");
    }
  });
});

describe("rules", () => {
  it("that hang together in a long chain, in whatever order, undo nothing", () => {
    const chain = Array.from({ length: 30 }, (_, i) => ({
      ...{ kind: "substring", from: `/p${i}/`, to: `/p${i + 1}/`, status: "valid" },
    }));
    for (const rules of [chain, chain.toReversed()]) {
      const file = parseRulesFile(JSON.stringify({ format: "dustpan-rules", version: 2, rules }));
      expect(rulesInUse(file.rules).dropped).toEqual([]);
    }
  });
});

describe("--site", () => {
  let shop: Shop;
  beforeEach(async () => {
    shop = await openShop();
    const hosts = [`shop.test:${shop.port}`, `www.shop.test:${shop.port}`];
    const urls = hosts.flatMap((host) => [
      ...Array.from({ length: 30 }, (_, i) => `http://${host}/product/${i}`),
      ...Array.from({ length: 12 }, (_, i) => `http://${host}/product/${i}?sid=${1000 + 37 * i}`),
    ]);
    writeFileSync(folder.at("urls.txt"), `${urls.join("\n")}\n`);
  });
  afterEach(() => shop.close());

  const reach = ["--resolve", "shop.test:127.0.0.1", "--resolve", "www.shop.test:127.0.0.1", "--delay", "0"];

  it("of a bare host takes in the hosts below it that the input names", async () => {
    const { status, stdout, stderr } = await folder.run([
      "run",
      "urls.txt",
      "--site",
      `shop.test:${shop.port}`,
      ...reach,
    ]);
    expect(status, stderr).toBe(0);
    expect(stdout).toMatch(/ok {2}.*www\./);
    expect([...shop.asked].sort()).toEqual(["shop.test", "www.shop.test"]);
  });

  it("is whose log it is, where its lines name no host", async () => {
    const paths = Array.from({ length: 30 }, (_, i) => [`/product/${i}`, `/product/${i}?sid=${1000 + 37 * i}`]).flat();
    const lines = paths.map(
      (to) => `192.0.2.1 - - [10/Oct/2025:13:55:36 +0000] "GET ${to} HTTP/1.1" 200 900 "-" "-"\n`,
    );
    writeFileSync(folder.at("access.log"), lines.join(""));
    const site = `shop.test:${shop.port}`;
    const proven = await folder.run(["run", "access.log", "--site", site, ...reach]);
    expect(proven.stdout).toMatch(/ok {2}drop \?sid/);
    // What was added before stays as it is, and those who have it are told what to do.
    await folder.run(["run", "access.log", "-w", "bare.duckdb"]);
    const bare = ["-w", "bare.duckdb", "--site", site, ...reach];
    const told = /these URLs have no host: add the input again with --base ORIGIN/;
    expect((await folder.run(["run", "access.log", ...bare])).stdout).toMatch(told);
    expect((await folder.run(["validate", ...bare, "--dry-run"])).stdout).toMatch(told);
  });

  it("of one origin leaves others alone, and what stays undecided says why and what to do", async () => {
    const site = `http://www.shop.test:${shop.port}`;
    const { status, stdout, stderr } = await folder.run(["run", "urls.txt", "--site", site, ...reach]);
    expect(status, stderr).toBe(0);
    expect([...shop.asked]).not.toContain("shop.test");
    expect(stdout + stderr).toContain(`host shop.test:${shop.port} is not among the sites`);
    expect(stdout + stderr).toContain(`add --site shop.test:${shop.port}`);
  });
});
