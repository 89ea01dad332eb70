/** The Spark Connect client against a server of our own on loopback, for what a real one does not do on request. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import * as grpc from "@grpc/grpc-js";
import * as loader from "@grpc/proto-loader";
import { tableFromArrays, tableFromIPC, tableToIPC } from "@uwdata/flechette";
import { afterEach, describe, expect, it } from "vitest";
import { parseSparkAddress } from "#src/engine/spark-address.js";
import { SparkConnection } from "#src/engine/spark-connect.js";
import { sparkConnectDescriptor } from "#src/engine/spark-messages.js";

type Call = grpc.ServerWritableStream<Record<string, unknown>, object>;
/** One method's answers, the first call's first; what is asked beyond them is an error of the test. */
type Answers = ((call: Call) => void)[];

const definition = loader.fromJSON(sparkConnectDescriptor as never, { keepCase: true });
const service = definition["spark.connect.SparkConnectService"] as unknown as grpc.ServiceDefinition;

const rows = (id: string, ...values: number[]) => ({
  response_id: id,
  arrow_batch: {
    row_count: values.length,
    data: tableToIPC(tableFromArrays({ n: values }), { format: "stream" }),
  },
});
const complete = { response_id: "last", result_complete: {} };
const lose = (call: Call) => call.emit("error", { code: grpc.status.UNAVAILABLE, details: "lost" });

let server: grpc.Server | undefined;
afterEach(() => server?.forceShutdown());

interface Served {
  readonly port: number;
  /** What was asked, in order. */
  readonly asked: {
    readonly method: string;
    readonly request: Record<string, unknown>;
    readonly authorization: string;
  }[];
}

async function serve(execute: Answers, reattach: Answers = [], credentials = grpc.ServerCredentials.createInsecure()) {
  const asked: { method: string; request: Record<string, unknown>; authorization: string }[] = [];
  const note = (method: string, call: { request: Record<string, unknown>; metadata: grpc.Metadata }) =>
    asked.push({ method, request: call.request, authorization: String(call.metadata.get("authorization")[0] ?? "") });
  const stream = (method: string, answers: Answers) => (call: Call) => {
    note(method, call);
    const answer = answers.shift();
    if (answer === undefined) call.emit("error", { code: grpc.status.INTERNAL, details: "nobody expected this" });
    else answer(call);
  };
  const once =
    (method: string) =>
    (call: grpc.ServerUnaryCall<Record<string, unknown>, object>, done: grpc.sendUnaryData<object>) => {
      note(method, call);
      done(null, {});
    };
  server = new grpc.Server();
  server.addService(service, {
    ExecutePlan: stream("ExecutePlan", execute),
    ReattachExecute: stream("ReattachExecute", reattach),
    ReleaseExecute: once("ReleaseExecute"),
    Interrupt: once("Interrupt"),
    ReleaseSession: once("ReleaseSession"),
  });
  const port = await new Promise<number>((resolve, reject) => {
    server!.bindAsync("127.0.0.1:0", credentials, (error, bound) => (error === null ? resolve(bound) : reject(error)));
  });
  return { port, asked } satisfies Served;
}

async function numbers(port: number): Promise<number[]> {
  const connection = await SparkConnection.open(parseSparkAddress(`sc://127.0.0.1:${port}`));
  try {
    const batches = await connection.execute("numbers", "SELECT n FROM somewhere");
    return batches.flatMap((batch) => [...tableFromIPC(Uint8Array.from(batch)).getChild("n")].map(Number));
  } finally {
    await connection.close();
  }
}

describe("a lost connection", () => {
  it("is taken up again after the last answer, and no row comes twice", async () => {
    const { port, asked } = await serve(
      [
        (call) => {
          call.write(rows("first", 1, 2));
          lose(call);
        },
      ],
      [
        lose,
        (call) => {
          call.write(rows("second", 3));
          call.write(complete);
          call.end();
        },
      ],
    );
    expect(await numbers(port)).toEqual([1, 2, 3]);
    const again = asked.filter(({ method }) => method === "ReattachExecute");
    expect(again.map(({ request }) => request.last_response_id)).toEqual(["first", "first"]);
    const operations = asked.filter(({ request }) => request.operation_id).map(({ request }) => request.operation_id);
    expect(new Set(operations).size).toBe(1);
    expect(asked.map(({ method }) => method)).toContain("ReleaseExecute");
  });

  it("before the statement arrived: it is sent once more, under the same name", async () => {
    const forgotten = (call: Call) =>
      call.emit("error", { code: grpc.status.INTERNAL, details: "[INVALID_HANDLE.OPERATION_NOT_FOUND] which one?" });
    const answer = (call: Call) => {
      call.write(rows("first", 7));
      call.write(complete);
      call.end();
    };
    const { port, asked } = await serve([lose, answer], [forgotten]);
    expect(await numbers(port)).toEqual([7]);
    const sent = asked.filter(({ method }) => method === "ExecutePlan").map(({ request }) => request.operation_id);
    expect(sent).toHaveLength(2);
    expect(sent[0]).toBe(sent[1]);
  });

  it("after rows came, with a server that has forgotten them: an error, never half an answer", async () => {
    const { port } = await serve(
      [
        (call) => {
          call.write(rows("first", 1));
          lose(call);
        },
      ],
      [
        (call) =>
          call.emit("error", {
            code: grpc.status.INTERNAL,
            details: "[INVALID_HANDLE.OPERATION_NOT_FOUND] which one?",
          }),
      ],
    );
    await expect(numbers(port)).rejects.toThrow(/was restarted and has forgotten the statement/);
  });

  it("an answer that ends before it is complete is asked for the rest, and not forever", async () => {
    const end = (call: Call) => call.end();
    const { port, asked } = await serve([end], [end, end, end, end, end]);
    await expect(numbers(port)).rejects.toThrow(/before it was complete/);
    expect(asked.filter(({ method }) => method === "ReattachExecute").length).toBeLessThan(6);
  });
});

it.each([
  "[PATH_NOT_FOUND] Path does not exist: file:/data/my pages/*. SQLSTATE: 42K03",
  "[PATH_NOT_FOUND] Path does not exist: file:/data/my pages/*.",
])("names the path that is not there, as Spark 4 and 3.5 say it: %s", async (details) => {
  const { port } = await serve([(call) => call.emit("error", { code: grpc.status.INTERNAL, details })]);
  await expect(numbers(port)).rejects.toThrow(/^Spark finds nothing at file:\/data\/my pages\/\*$/);
});

it("a statement that nobody waits for any more is interrupted at the server, by its name", async () => {
  const stop = new AbortController();
  const working = (call: Call) => {
    call.write({
      response_id: "first",
      execution_progress: { stages: [{ stage_id: 1, num_tasks: 4, num_completed_tasks: 1 }] },
    });
  };
  const { port, asked } = await serve([working]);
  const connection = await SparkConnection.open(parseSparkAddress(`sc://127.0.0.1:${port}`));
  const told: object[] = [];
  const onProgress = (progress: object) => {
    told.push(progress);
    stop.abort();
  };
  const answer = connection.execute("numbers", "SELECT n FROM somewhere", { signal: stop.signal, onProgress });
  await expect(answer).rejects.toMatchObject({ name: "InterruptedError" });
  await connection.close();
  expect(told).toEqual([{ tasks: 4, done: 1, stages: 1 }]);
  const sent = asked.find(({ method }) => method === "ExecutePlan")!.request.operation_id;
  const interrupted = asked.filter(({ method }) => method === "Interrupt").map(({ request }) => request.operation_id);
  expect(interrupted).toEqual([sent]);
  expect(asked.map(({ method }) => method)).not.toContain("ReattachExecute");
});

/** A process of its own on a busy machine. */
const PROCESS_MS = 180_000;

describe("TLS and tokens", () => {
  const token = "not-for-anybodys-eyes";
  const certificate = "test/engine/tls/localhost-certificate.pem";
  const tls = () =>
    grpc.ServerCredentials.createSsl(null, [
      { private_key: readFileSync("test/engine/tls/localhost-key.pem"), cert_chain: readFileSync(certificate) },
    ]);
  const refuse = (call: Call) => call.emit("error", { code: grpc.status.UNAUTHENTICATED, details: `who is ${token}?` });

  /** The command, as a process that knows the certificate or does not. */
  async function mine(port: number, environment: NodeJS.ProcessEnv): Promise<string> {
    const address = `sc://localhost:${port}/;token=${token}`;
    const flags = ["mine", "--engine", "spark", "--spark", address, "--input", "/nowhere", "--output", "/nowhere/out"];
    const failing = promisify(execFile)(process.execPath, [path.resolve("dist/cli/main.js"), ...flags], {
      // gRPC has a variable of its own for the same.
      env: { ...process.env, GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: "", ...environment },
    });
    const { stdout, stderr } = await failing.catch((error: { stdout: string; stderr: string }) => error);
    return stdout + stderr;
  }

  it(
    "a token goes to a server whose certificate is known, and into no message",
    async () => {
      const { port, asked } = await serve([refuse], [], tls());
      const said = await mine(port, { NODE_EXTRA_CA_CERTS: path.resolve(certificate) });
      expect(said).toContain(`the Spark server at localhost:${port} refused the token`);
      expect(said).not.toContain(token);
      expect(asked[0]).toMatchObject({ method: "ExecutePlan", authorization: `Bearer ${token}` });
    },
    PROCESS_MS,
  );

  it(
    "a certificate that nobody vouches for ends it before the token is sent",
    async () => {
      const { port, asked } = await serve([refuse], [], tls());
      const said = await mine(port, { NODE_EXTRA_CA_CERTS: "" });
      expect(said).toMatch(/no Spark Connect server answers at localhost:\d+ over TLS.*NODE_EXTRA_CA_CERTS/s);
      expect(said).not.toContain(token);
      expect(asked).toEqual([]);
    },
    PROCESS_MS,
  );
});
