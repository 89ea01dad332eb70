/** All targets, by name. */
import { UserError } from "../errors.js";
import { programTargets } from "./programs.js";
import { serverTargets } from "./servers.js";
import type { Target } from "./target.js";
import { urlTargets } from "./url-targets.js";

/** In the order of --list. */
export const exportTargets: readonly Target[] = [...programTargets, ...serverTargets];

export function findTarget(name: string): Target {
  const target = exportTargets.find((each) => each.name === name);
  if (target === undefined) {
    const names = [...exportTargets, ...urlTargets].map((each) => each.name).join(", ");
    throw new UserError(`--to ${name}: expected one of ${names}`);
  }
  return target;
}
