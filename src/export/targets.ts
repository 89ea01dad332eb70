/** All targets, by name. */
import { UserError } from "../errors.js";
import { SERVERS } from "./servers.js";
import type { Target } from "./target.js";
import { go } from "./targets/go.js";
import { java } from "./targets/java.js";
import { javascript } from "./targets/javascript.js";
import { python } from "./targets/python.js";
import { rust } from "./targets/rust.js";

/** In the order of --list. */
export const TARGETS: readonly Target[] = [javascript, python, go, java, rust, ...SERVERS];

export function findTarget(name: string): Target {
  const target = TARGETS.find((each) => each.name === name);
  if (target === undefined) {
    throw new UserError(`--to ${name}: expected one of ${TARGETS.map((each) => each.name).join(", ")}`);
  }
  return target;
}
