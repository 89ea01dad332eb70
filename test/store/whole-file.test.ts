import { execFileSync } from "node:child_process";
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { replaceWhole, writeWhole } from "#src/store/whole-file.js";

const folder = mkdtempSync(path.join(tmpdir(), "dustpan-whole-"));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => path.join(folder, name);
const draftsLeft = () => readdirSync(folder).filter((name) => name.endsWith(".tmp"));

describe("a file that is there whole or not at all", () => {
  it("stays as it was where a write fails, with nothing beside it", async () => {
    writeFileSync(at("kept"), "before");
    const failing = replaceWhole(at("kept"), async (draft) => {
      writeFileSync(draft, "half");
      throw new Error("no space left");
    });
    await expect(failing).rejects.toThrow("no space left");
    expect([readFileSync(at("kept"), "utf8"), draftsLeft()]).toEqual(["before", []]);
  });

  it("is replaced where a link leads, and the link stays", async () => {
    writeFileSync(at("real"), "before");
    symlinkSync("real", at("link"));
    writeWhole(at("link"), "after");
    expect([readFileSync(at("real"), "utf8"), lstatSync(at("link")).isSymbolicLink()]).toEqual(["after", true]);
    await replaceWhole(at("link"), async (draft) => writeFileSync(draft, "later"));
    expect([readFileSync(at("real"), "utf8"), lstatSync(at("link")).isSymbolicLink()]).toEqual(["later", true]);
    expect(draftsLeft()).toEqual([]);
  });

  it("is written to where it is a pipe or a device, which stays what it is", async () => {
    execFileSync("mkfifo", [at("pipe")]);
    const written: string[] = [];
    await replaceWhole(at("pipe"), async (draft) => void written.push(draft));
    expect(written).toEqual([at("pipe")]);
    expect(lstatSync(at("pipe")).isFIFO()).toBe(true);
    symlinkSync("/dev/null", at("nowhere"));
    writeWhole(at("nowhere"), "gone");
    expect(lstatSync("/dev/null").isCharacterDevice()).toBe(true);
  });
});
