import { parentPort } from "node:worker_threads";
import { Kernel } from "./detect/kernel.js";
import { sortUrls } from "./detect/order.js";
import { joinStep, supportStep } from "./detect/steps.js";
import type { Message } from "./detect/threads.js";

let kernel: Kernel | undefined;

/** The thread side of detect/threads.ts. */
parentPort!.on("message", ({ source, task: { step, args } }: Message) => {
  kernel ??= new Kernel(source);
  if (step === "sort") parentPort!.postMessage(sortUrls(kernel, ...args));
  else if (step === "join") parentPort!.postMessage(joinStep(kernel, ...args));
  else parentPort!.postMessage(supportStep(kernel, ...args));
});
