/** The worker thread of warc-pool.ts. */
import { answerQuestions } from "../../thread.js";
import { answerBatch } from "./warc-pool.js";

answerQuestions(() => answerBatch);
