// The thread of thread.test.ts.
import { DataError, UserError } from "#src/errors.js";
import { answerQuestions } from "#src/thread.js";

answerQuestions(
  (data, note) => (question) => {
    if (question === "user") throw new UserError("not like this");
    if (question === "data") throw new DataError("not a number", "a.csv:3");
    if (question === "bug") throw new TypeError("undefined is not a function");
    if (question === "exit") process.exit(7);
    if (question === "forever") for (;;);
    note(`asked ${question}`);
    const answer = { data, question, bytes: Uint8Array.of(1, 2, 3) };
    return question === 1 ? new Promise((resolve) => setTimeout(() => resolve(answer), 20)) : answer;
  },
  ({ bytes }) => [bytes.buffer],
);
