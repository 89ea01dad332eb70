/** The thread side of detect/threads.ts. */
import { answerQuestions } from "../thread.js";
import { Kernel } from "./detect/kernel.js";
import { type Message, perform } from "./detect/threads.js";

answerQuestions(() => {
  let kernel: Kernel | undefined;
  return ({ source, task }: Message) => {
    kernel ??= new Kernel(source);
    return perform(kernel, task);
  };
});
