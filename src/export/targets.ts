/** All targets, by name. */
import { UserError } from "../errors.js";
import { PROGRAMS } from "./programs.js";
import { SERVERS } from "./servers.js";
import type { Target } from "./target.js";

/** In the order of --list. */
export const TARGETS: readonly Target[] = [...PROGRAMS, ...SERVERS];

export function findTarget(name: string): Target {
  const target = TARGETS.find((each) => each.name === name);
  if (target === undefined) {
    throw new UserError(`--to ${name}: expected one of ${TARGETS.map((each) => each.name).join(", ")}`);
  }
  return target;
}
