import { randomUUID } from "node:crypto";
import type * as Grpc from "@grpc/grpc-js";
import { EngineError, UserError } from "../errors.js";
import { stopIfAborted } from "../progress.js";
import type { SparkAddress } from "./spark-address.js";
import {
  type ExecutePlanResponse,
  INTERRUPT_OPERATION,
  type StageInfo,
  sparkConnectDescriptor,
} from "./spark-messages.js";

/** How far a statement is, over all its stages. */
export interface SparkProgress {
  readonly tasks: number;
  readonly done: number;
  readonly stages: number;
}

export interface ExecuteOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: SparkProgress) => void;
  /** Beyond this many rows the answer is refused. */
  readonly maxRows?: number;
}

export class TooManyRows extends Error {
  override name = "TooManyRows";
}

const CLIENT_TYPE = "dustpan";
/** A lost connection is tried again this many times, with these pauses: a server that restarts has forgotten us anyway. */
const reattachPausesMs = [500, 1000, 2000, 4000];
const CONNECT_MS = 10_000;

/** Which status codes say that the connection was lost, and not that the statement is wrong. */
const UNAVAILABLE = 14;
const UNAUTHENTICATED = 16;
const PERMISSION_DENIED = 7;
const RESOURCE_EXHAUSTED = 8;

type Client = Grpc.Client & {
  ExecutePlan(request: object, metadata: Grpc.Metadata): Grpc.ClientReadableStream<ExecutePlanResponse>;
  ReattachExecute(request: object, metadata: Grpc.Metadata): Grpc.ClientReadableStream<ExecutePlanResponse>;
} & Record<
    "ReleaseExecute" | "Interrupt" | "ReleaseSession",
    (request: object, metadata: Grpc.Metadata, options: object, done: (error: Error | null) => void) => void
  >;

/**
 * A Spark Connect session: SQL in, Arrow out. Statements go on at the server when the connection is lost, and are taken up
 * again where the answer stopped.
 */
export class SparkConnection {
  readonly #address: SparkAddress;
  readonly #grpc: typeof Grpc;
  readonly #client: Client;

  private constructor(address: SparkAddress, grpc: typeof Grpc, client: Client) {
    this.#address = address;
    this.#grpc = grpc;
    this.#client = client;
  }

  static async open(address: SparkAddress, signal?: AbortSignal): Promise<SparkConnection> {
    const { grpc, loader } = await loadGrpc();
    const definition = loader.fromJSON(sparkConnectDescriptor as never, {
      keepCase: true,
      longs: Number,
      defaults: false,
    });
    const loaded = grpc.loadPackageDefinition(definition) as unknown as {
      spark: { connect: { SparkConnectService: Grpc.ServiceClientConstructor } };
    };
    const credentials = address.useTls ? grpc.credentials.createSsl() : grpc.credentials.createInsecure();
    const client = new loaded.spark.connect.SparkConnectService(`${address.host}:${address.port}`, credentials, {
      "grpc.max_receive_message_length": address.maxMessageBytes,
      "grpc.max_send_message_length": address.maxMessageBytes,
      "grpc.keepalive_time_ms": 60_000,
      "grpc.primary_user_agent": CLIENT_TYPE,
    }) as unknown as Client;
    const connection = new SparkConnection(address, grpc, client);
    try {
      await connection.#reach(signal);
      return connection;
    } catch (error) {
      client.close();
      throw error;
    }
  }

  async #reach(signal: AbortSignal | undefined): Promise<void> {
    const client = this.#client;
    const address = this.#address;
    const isReady = await Promise.race([isReachable(client.getChannel(), this.#grpc), aborted(signal)]);
    stopIfAborted({ signal }, "stopped before Spark answered");
    if (!isReady) {
      throw new UserError(
        `no Spark Connect server answers at ${address.host}:${address.port}${address.useTls ? " over TLS" : ""}; is it running, and is this its port?${
          address.useTls ? " A certificate that this machine does not know is made known by NODE_EXTRA_CA_CERTS." : ""
        }`,
      );
    }
  }

  /** Runs a statement to its end; the answer's batches are each a whole Arrow IPC stream. `step` and the SQL are what an error names. */
  async execute(step: string, sql: string, options: ExecuteOptions = {}): Promise<Uint8Array[]> {
    const operationId = randomUUID();
    const batches: Uint8Array[] = [];
    let rows = 0;
    let lastResponse: string | undefined;
    const take = (response: ExecutePlanResponse) => {
      lastResponse = response.response_id ?? lastResponse;
      if (response.arrow_batch !== undefined) {
        rows += response.arrow_batch.row_count;
        if (options.maxRows !== undefined && rows > options.maxRows) throw new TooManyRows();
        batches.push(response.arrow_batch.data);
      }
      if (response.execution_progress !== undefined)
        options.onProgress?.(sumUp(response.execution_progress.stages ?? []));
      return response.result_complete !== undefined;
    };
    let isSent = false;
    try {
      for (let failures = 0; ; ) {
        const before = lastResponse;
        const stream = isSent
          ? this.#client.ReattachExecute(this.#reattachRequest(operationId, lastResponse), this.#metadata())
          : this.#client.ExecutePlan(this.#planRequest(operationId, sql), this.#metadata());
        isSent = true;
        try {
          if (await consume(stream, take, options.signal)) break;
          // A server may end an answer before it is complete, to be asked for the rest; not again and again for nothing.
          if (lastResponse === before && ++failures > reattachPausesMs.length) {
            throw new EngineError("the Spark server ended its answer before it was complete", `step ${step}`, sql);
          }
        } catch (error) {
          // The statement was lost on its way, and nothing of it ran.
          if (lastResponse === undefined && failures > 0 && isForgotten(error)) isSent = false;
          else if (codeOf(error) !== UNAVAILABLE) throw error;
          failures = lastResponse === before ? failures + 1 : 1;
          const pauseMs = reattachPausesMs[failures - 1];
          if (pauseMs === undefined) throw error;
          await Promise.race([new Promise((resolve) => setTimeout(resolve, pauseMs)), aborted(options.signal)]);
          if (options.signal?.aborted) throw error;
        }
      }
      await this.#release(operationId);
      return batches;
    } catch (error) {
      if (!isLost(error)) await this.#interrupt(operationId);
      stopIfAborted(options, `stopped in step ${step}; finished steps are kept`);
      if (error instanceof TooManyRows) throw error;
      throw this.#explain(error, step, sql);
    }
  }

  async close(): Promise<void> {
    await this.#call("ReleaseSession", { ...this.#session() });
    this.#client.close();
  }

  #session(): object {
    return {
      session_id: this.#address.sessionId,
      user_context: { user_id: this.#address.userId, user_name: this.#address.userId },
      client_type: CLIENT_TYPE,
    };
  }

  #planRequest(operationId: string, sql: string): object {
    const isQuery = /^\s*(SELECT|WITH)\b/i.test(sql);
    return {
      ...this.#session(),
      operation_id: operationId,
      request_options: [{ reattach_options: { reattachable: true } }],
      plan: isQuery
        ? { root: { sql: { query: sql } } }
        : { command: { sql_command: { sql, input: { sql: { query: sql } } } } },
    };
  }

  #reattachRequest(operationId: string, lastResponse: string | undefined): object {
    return {
      ...this.#session(),
      operation_id: operationId,
      ...(lastResponse !== undefined && { last_response_id: lastResponse }),
    };
  }

  #release(operationId: string): Promise<void> {
    return this.#call("ReleaseExecute", { ...this.#session(), operation_id: operationId, release_all: {} });
  }

  #interrupt(operationId: string): Promise<void> {
    const request = { ...this.#session(), interrupt_type: INTERRUPT_OPERATION, operation_id: operationId };
    return this.#call("Interrupt", request);
  }

  /** Courtesies to the server: it gets along without them, so their failing is not an error. */
  #call(method: "ReleaseExecute" | "Interrupt" | "ReleaseSession", request: object): Promise<void> {
    return new Promise((resolve) => {
      this.#client[method](request, this.#metadata(), { deadline: Date.now() + 5000 }, () => resolve());
    });
  }

  #metadata(): Grpc.Metadata {
    const metadata = new this.#grpc.Metadata();
    const { token, headers } = this.#address;
    if (token !== undefined) metadata.set("authorization", `Bearer ${token}`);
    for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
    return metadata;
  }

  #explain(error: unknown, step: string, sql: string): Error {
    if (error instanceof EngineError) return error;
    const address = this.#address;
    const where = `${address.host}:${address.port}`;
    const code = codeOf(error);
    const text = this.#withoutToken(error instanceof Error ? error.message : String(error));
    if (code === UNAUTHENTICATED || code === PERMISSION_DENIED) {
      return new UserError(
        `the Spark server at ${where} refused ${address.token === undefined ? "a caller without a token" : "the token"}`,
      );
    }
    if (code === UNAVAILABLE) {
      return new EngineError(
        `the Spark server at ${where} is gone; finished steps are kept, and the same command goes on from there`,
        `step ${step}`,
      );
    }
    // Spark 3.5 says no SQLSTATE after it.
    const missing = /PATH_NOT_FOUND\].*?: (.+?)\.?(?: SQLSTATE|$)/m.exec(text)?.[1];
    if (missing !== undefined) return new UserError(`Spark finds nothing at ${missing}`);
    if (/SESSION_(CLOSED|CHANGED|NOT_FOUND)/.test(text) || isForgotten(error)) {
      return new EngineError(
        `the Spark server at ${where} was restarted and has forgotten the statement; the same command goes on`,
        `step ${step}`,
      );
    }
    const hint = code === RESOURCE_EXHAUSTED ? " (a message is larger than grpc_max_message_size)" : "";
    return new EngineError(`${text.replace(/^\d+ [A-Z_]+: /, "").split("\n", 1)[0]}${hint}`, `step ${step}`, sql);
  }

  #withoutToken(text: string): string {
    const { token } = this.#address;
    return token === undefined ? text : text.replaceAll(token, "***");
  }
}

/** Reads a stream to its end; true where the server said that the answer is complete. */
function consume(
  stream: Grpc.ClientReadableStream<ExecutePlanResponse>,
  take: (response: ExecutePlanResponse) => boolean,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let isComplete = false;
    const cancel = () => stream.cancel();
    if (signal?.aborted) cancel();
    signal?.addEventListener("abort", cancel, { once: true });
    const end = (finish: () => void) => {
      signal?.removeEventListener("abort", cancel);
      finish();
    };
    stream.on("data", (response: ExecutePlanResponse) => {
      try {
        if (take(response)) isComplete = true;
      } catch (error) {
        // After a cancelled stream comes an error of its own, which nobody waits for any more.
        end(() => reject(error));
        stream.cancel();
      }
    });
    stream.on("error", (error: Error) => end(() => reject(error)));
    stream.on("end", () => end(() => resolve(isComplete)));
  });
}

function sumUp(stages: readonly StageInfo[]): SparkProgress {
  let tasks = 0;
  let done = 0;
  for (const stage of stages) {
    tasks += Number(stage.num_tasks ?? 0);
    done += Number(stage.num_completed_tasks ?? 0);
  }
  return { tasks, done, stages: stages.length };
}

function codeOf(error: unknown): number | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "number" ? code : undefined;
}

/** False at the first failure of all the host's addresses: nobody who mistyped a port should have to wait for the time-out. */
async function isReachable(
  channel: ReturnType<Grpc.Client["getChannel"]>,
  { connectivityState }: typeof Grpc,
): Promise<boolean> {
  const deadline = Date.now() + CONNECT_MS;
  for (;;) {
    const state = channel.getConnectivityState(true);
    if (state === connectivityState.READY) return true;
    if (state === connectivityState.TRANSIENT_FAILURE) return false;
    const hasChanged = await new Promise<boolean>((resolve) => {
      channel.watchConnectivityState(state, deadline, (error) => resolve(error === undefined));
    });
    if (!hasChanged) return false;
  }
}

function isForgotten(error: unknown): boolean {
  return error instanceof Error && /OPERATION_NOT_FOUND/.test(error.message);
}

function isLost(error: unknown): boolean {
  const code = codeOf(error);
  return code === UNAVAILABLE || code === UNAUTHENTICATED || code === PERMISSION_DENIED;
}

function aborted(signal: AbortSignal | undefined): Promise<false> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve(false);
    signal?.addEventListener("abort", () => resolve(false), { once: true });
  });
}

/** Only those who ask for Spark load it, and only they need it installed. */
async function loadGrpc(): Promise<{ grpc: typeof Grpc; loader: typeof import("@grpc/proto-loader") }> {
  try {
    return { grpc: await import("@grpc/grpc-js"), loader: await import("@grpc/proto-loader") };
  } catch {
    throw new UserError(
      "Spark needs two packages that are not installed: npm install @grpc/grpc-js @grpc/proto-loader",
    );
  }
}
