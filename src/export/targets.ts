/** All targets, by name. */
import { UserError } from "../errors.js";
import type { Target } from "./target.js";
import { go } from "./targets/go.js";
import { java } from "./targets/java.js";
import { javascript } from "./targets/javascript.js";
import { nginx } from "./targets/nginx.js";
import { python } from "./targets/python.js";
import { rust } from "./targets/rust.js";
import { varnish } from "./targets/varnish.js";

/** In the order of --list. */
export const TARGETS: readonly Target[] = [javascript, python, go, java, rust, nginx, varnish];

export function findTarget(name: string): Target {
  const target = TARGETS.find((each) => each.name === name);
  if (target === undefined) {
    throw new UserError(`--to ${name}: expected one of ${TARGETS.map((each) => each.name).join(", ")}`);
  }
  return target;
}
