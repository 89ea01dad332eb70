/**
 * Worker threads that answer questions, each thread in the order in which it was asked: the one way in which threads talk
 * to each other here. What a thread throws is thrown where the answer is awaited, with its class; a thread that is gone
 * fails whatever is still asked of it, so that nobody waits forever.
 */
import { parentPort, Worker, workerData } from "node:worker_threads";
import { DataError, InterruptedError, InvariantError, UserError } from "./errors.js";

export interface ThreadOptions<Note> {
  /** What the thread begins with. */
  readonly data?: unknown;
  /** What the thread says before it answers. */
  readonly onNote?: (note: Note) => void;
  /** Ends the thread; its open questions fail with an InterruptedError that says `remainder`. */
  readonly signal?: AbortSignal;
  readonly remainder?: string;
}

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

type Message<Answer, Note> =
  | { readonly answer: Answer }
  | { readonly note: Note }
  | { readonly error: { readonly name: string; readonly message: string; readonly place?: string } };

export class Thread<Question, Answer, Note = never> {
  readonly #worker: Worker;
  readonly #waiting: Waiting<Answer>[] = [];
  /** Why the thread no longer answers. */
  #gone: Error | undefined;
  readonly #stopListening: () => void;

  constructor(file: URL, { data, onNote, signal, remainder = "" }: ThreadOptions<Note> = {}) {
    this.#worker = new Worker(file, { workerData: data });
    this.#worker.on("message", (message: Message<Answer, Note>) => {
      if ("note" in message) onNote?.(message.note);
      else if ("answer" in message) this.#waiting.shift()?.resolve(message.answer);
      else this.#waiting.shift()?.reject(withItsClass(message.error));
    });
    this.#worker.on("error", (error: Error) => this.#fail(error));
    this.#worker.on("exit", (code) => this.#fail(new InvariantError(`a thread ended early, with code ${code}`)));
    const onAbort = () => {
      this.#fail(new InterruptedError(remainder));
      void this.#worker.terminate();
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    this.#stopListening = () => signal?.removeEventListener("abort", onAbort);
    if (signal?.aborted) onAbort();
  }

  /** Questions that it has not answered yet. */
  get load(): number {
    return this.#waiting.length;
  }

  /** The buffers of `given` are the thread's from now on. */
  ask(question: Question, given: readonly ArrayBuffer[] = []): Promise<Answer> {
    const answer = new Promise<Answer>((resolve, reject) => {
      if (this.#gone !== undefined) {
        reject(this.#gone);
        return;
      }
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(question, given);
    });
    // If the caller stopped and nobody waits for it any more, nobody has to hear of its failure.
    answer.catch(() => {});
    return answer;
  }

  async end(): Promise<void> {
    this.#stopListening();
    await this.#worker.terminate();
  }

  #fail(error: Error): void {
    this.#gone ??= error;
    this.#stopListening();
    for (const { reject } of this.#waiting.splice(0)) reject(this.#gone);
  }
}

/** The thread with the fewest questions to answer; undefined where there is none. */
export function leastBusy<T extends { readonly load: number }>(threads: readonly T[]): T | undefined {
  return threads.reduce<T | undefined>(
    (least, one) => (least === undefined || one.load < least.load ? one : least),
    undefined,
  );
}

/**
 * The thread's side: `begin` gets what the thread begins with, and gives the function that answers. `given` names the
 * buffers of an answer that the thread does not need any more.
 */
export function answerQuestions<Data, Question, Answer, Note = never>(
  begin: (data: Data, note: (note: Note) => void) => (question: Question) => Answer | Promise<Answer>,
  given: (answer: Answer) => readonly ArrayBuffer[] = () => [],
): void {
  const port = parentPort;
  if (port === null) throw new InvariantError("this file runs as a worker thread only");
  const send = (message: Message<Answer, Note>, buffers: readonly ArrayBuffer[] = []) =>
    port.postMessage(message, buffers);
  const answerTo = begin(workerData as Data, (note) => send({ note }));
  const reply = async (question: Question): Promise<void> => {
    let answer: Answer;
    try {
      answer = await answerTo(question);
    } catch (error) {
      if (!(error instanceof UserError || error instanceof DataError)) throw error;
      const { name, message } = error;
      send({ error: { name, message, ...(error instanceof DataError && { place: error.place }) } });
      return;
    }
    send({ answer }, given(answer));
  };
  let last = Promise.resolve();
  port.on("message", (question: Question) => {
    last = last.then(() => reply(question));
  });
}

/** Between threads an error loses its class, and keeps its name. */
function withItsClass({ name, message, place }: { name: string; message: string; place?: string }): Error {
  if (name !== "DataError" || place === undefined) return new UserError(message);
  return new DataError(message.slice(`${place}: `.length), place);
}
