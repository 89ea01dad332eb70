import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { startDemoSite } from "#src/demo/site.js";

const example = fileURLToPath(new URL("../../examples/library.mjs", import.meta.url));

it("the library's example proves rules of a log and canonizes with them", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "dustpan-library-"));
  const site = await startDemoSite({ port: 0 });
  try {
    const origin = `http://forum.test:${site.port}`;
    const urls = Array.from({ length: 6 }, (_, i) => [
      `/story_${i + 1}`,
      `/story_${i + 1}?sid=0a1b2c3d4e5f678${i}`,
    ]).flat();
    writeFileSync(path.join(folder, "urls.txt"), `${urls.map((url) => origin + url).join("\n")}\n`);
    const child = spawn(process.execPath, [example, "urls.txt", origin, "forum.test:127.0.0.1"], {
      cwd: folder,
      env: { ...process.env, DELAY_MS: "0" },
    });
    child.stdin.end(`${origin}/story_9?sid=77\n`);
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect(err).toContain("proven: remove ?sid on *.forum.test");
    expect(out).toBe(`${origin}/story_9\n`);
  } finally {
    await site.close();
    rmSync(folder, { recursive: true });
  }
});
