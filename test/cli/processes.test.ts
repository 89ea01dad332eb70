/** Commands as processes: they print what they print in a test's own process, and end with the same code. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { prose } from "../jobs/near-duplicates.js";
import { Folder } from "./folder.js";

const mainFile = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

let folder: Folder;
beforeAll(async () => {
  folder = new Folder();
  const pages = ["a.test", "b.test"].flatMap((host) =>
    Array.from({ length: 6 }, (_, i) => {
      const html = `<title>${i}</title><p>${prose(i + 1, 60)}<a href="/${(i + 1) % 6}">next</a>`;
      return [`http://${host}/${i}`, `http://${host}/${i}?sid=${i * 7 + 11}`].map((url) => ({
        url,
        status: 200,
        html,
      }));
    }).flat(),
  );
  writeFileSync(folder.at("pages.jsonl"), pages.map((page) => `${JSON.stringify(page)}\n`).join(""));
  for (const words of ["add pages.jsonl", "mine", "validate --offline"]) {
    expect(await folder.run(words.split(" "))).toMatchObject({ status: 0 });
  }
});
afterAll(() => folder.remove());

it.each([
  ["canon http://a.test/1?sid=3", 0],
  ["canon nowhere.txt", 2],
  ["check --max-dust 1%", 1],
  ["cluster --json", 0],
  ["export --to nginx", 0],
  ["info --json", 0],
  ["mine pages.jsonl", 0],
  ["report -o report.html", 0],
  ["rules list", 0],
])("%s", async (line, status) => {
  const words = line.split(" ");
  const here = await folder.run(words);
  expect(here.status, here.stderr).toBe(status);
  expect(here.stdout.length + here.stderr.length).toBeGreaterThan(0);
  expect(await folder.runProcess(words)).toEqual(here);
});

it("says where what is piped into canon is not read", () => {
  const line = `echo http://a.test/1 | "${process.execPath}" "${mainFile}" canon`;
  const { status, stdout, stderr } = spawnSync("sh", ["-c", line], { cwd: folder.path, encoding: "utf8" });
  expect(status, stderr).toBe(0);
  expect(stderr).toContain('"dustpan canon -" reads what is piped in');
  expect(stdout.split("\n").length).toBeGreaterThan(2);
});
