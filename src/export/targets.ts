/** All targets, by name. */
import { UserError } from "../errors.js";
import type { Target } from "./target.js";
import { crawlee } from "./targets/crawlee.js";
import { duplicateUrlDiscarder } from "./targets/duplicate-url-discarder.js";
import { go } from "./targets/go.js";
import { java } from "./targets/java.js";
import { javascript } from "./targets/javascript.js";
import { python } from "./targets/python.js";
import { rust } from "./targets/rust.js";
import { scrapy } from "./targets/scrapy.js";
import { varnish } from "./targets/varnish.js";
import { worker } from "./targets/worker.js";

const programs: readonly Target[] = [
  javascript,
  python,
  go,
  java,
  rust,
  crawlee,
  scrapy,
  duplicateUrlDiscarder,
  worker,
];
const servers: readonly Target[] = [varnish];

/** In the order of --list. */
export const TARGETS: readonly Target[] = [...programs, ...servers];

export function findTarget(name: string): Target {
  const target = TARGETS.find((each) => each.name === name);
  if (target === undefined) {
    throw new UserError(`--to ${name}: expected one of ${TARGETS.map((each) => each.name).join(", ")}`);
  }
  return target;
}
