/** Ctrl-C, as a terminal sends it to a process. */
import { execFileSync, spawn } from "node:child_process";
import { open } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Folder } from "./folder.js";

const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

let folder: Folder;
beforeEach(() => {
  folder = new Folder();
});
afterEach(() => folder.remove());

it.each([["canon"], ["validate", "--offline"], ["export", "--to", "nginx"], ["rules", "list"]])(
  "ends %s while it still reads rules, however many there are",
  async (...words) => {
    // A pipe that nobody writes into: rules without an end.
    execFileSync("mkfifo", [folder.at("endless.json")]);
    const child = spawn(process.execPath, [main, ...words, "--rules", "endless.json"], { cwd: folder.path });
    const exit = new Promise((resolve) => child.on("exit", (_, signal) => resolve(signal)));
    const writer = await open(folder.at("endless.json"), "w");
    child.kill("SIGINT");
    expect(await exit).toBe("SIGINT");
    await writer.close();
  },
);
