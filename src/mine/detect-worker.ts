/** The thread side of detect/threads.ts. */
import { answerQuestions } from "../thread.js";
import { Kernel } from "./detect/kernel.js";
import { sortUrls } from "./detect/order.js";
import { joinStep, supportStep } from "./detect/steps.js";
import type { Message } from "./detect/threads.js";

answerQuestions(() => {
  let kernel: Kernel | undefined;
  return ({ source, task: { step, args } }: Message) => {
    kernel ??= new Kernel(source);
    if (step === "sort") return sortUrls(kernel, ...args);
    return step === "join" ? joinStep(kernel, ...args) : supportStep(kernel, ...args);
  };
});
