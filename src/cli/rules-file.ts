import path from "node:path";
import type { MineOptions, MineResult } from "../jobs/mine.js";
import type { Arguments } from "./parse.js";
export function rulesFileOf(args: Arguments): string {
  return args.text("rules") ?? path.join(path.dirname(args.text("workspace")!), "dustpan.rules.json");
}
export function settingsOf(options: MineOptions) {
  return options;
}
export async function saveMinedRules(file: string | undefined, result: MineResult, settings: unknown): Promise<string> {
  void file;
  return JSON.stringify(
    { format: "dustpan-rules", version: 1, settings, rules: result.sites.flatMap((s) => s.rules) },
    null,
    1,
  );
}
