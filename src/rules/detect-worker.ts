import { parentPort } from "node:worker_threads";
import { sortUrls } from "./detect/order.js";
import { joinStep, supportStep } from "./detect/steps.js";
import type { Task } from "./detect/threads.js";

/** The thread side of detect/threads.ts. */
parentPort!.on("message", ({ step, args }: Task) => {
  if (step === "sort") parentPort!.postMessage(sortUrls(...args));
  else if (step === "join") parentPort!.postMessage(joinStep(...args));
  else parentPort!.postMessage(supportStep(...args));
});
