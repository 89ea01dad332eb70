import vm from "node:vm";
import { expect, it } from "vitest";
import { sketchText } from "#src/sketch/index.js";
import { bundleOf } from "../bundle.js";

const TEXT =
  "The quick brown fox jumps over the lazy dog, 素早い茶色の狐, and runs away from the hunter who came too late today";

it("is one script that carries its WebAssembly, and fetches and reads nothing", async () => {
  const code = await bundleOf("#src/sketch/index.js", "sketch");
  expect(code).not.toMatch(/\bnode:|\brequire\(|__vite-browser-external|\bfetch\(|import\.meta/);
  const run = (globals: object): string =>
    vm.runInNewContext(`${code}; sketch.sketchText(${JSON.stringify(TEXT)}).features.join()`, {
      TextEncoder,
      TextDecoder,
      ...globals,
    });
  // atob reads the kernel: it runs where there is WebAssembly, and plain JavaScript takes its place where there is none.
  let kernels = 0;
  const countingAtob = (text: string) => {
    kernels++;
    return atob(text);
  };
  const features = sketchText(TEXT)!.features.join();
  expect(run({ atob: countingAtob })).toBe(features);
  expect(kernels).toBeGreaterThan(0);
  kernels = 0;
  expect(run({ atob: countingAtob, WebAssembly: undefined })).toBe(features);
  expect(kernels).toBe(0);
});
