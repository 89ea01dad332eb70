import { fileURLToPath } from "node:url";
import { build } from "vite";

/** What a bundler makes of a module of ours for a browser: a script that sets the variable `name`. */
export async function bundleOf(module: string, name: string): Promise<string> {
  const [output] = (await build({
    configFile: false,
    logLevel: "silent",
    build: { write: false, lib: { entry: fileURLToPath(import.meta.resolve(module)), formats: ["iife"], name } },
  })) as { output: { code: string }[] }[];
  return output!.output[0]!.code;
}
