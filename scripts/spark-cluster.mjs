/**
 * A real Spark cluster on loopback for the tests and benchmarks: a master, workers and a Connect server, each a process of
 * its own that is ended by its id. pyspark holds all of it, and is installed into a virtual environment in a cache folder.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import net from "node:net";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const pyspark = "pyspark==4.1.1";
const startMs = 240_000;
/** The last: the process that started a test's process is gone. */
const signals = ["SIGTERM", "SIGINT", "disconnect"];

/** What this machine lacks to install and run Spark, or undefined. */
export function lackForSpark() {
  const runs = (program, args) => spawnSync(program, args, { stdio: "ignore" }).status === 0;
  if (!runs("java", ["-version"])) return "Java";
  return runs("python3", ["-c", "import venv, ensurepip"]) ? undefined : "Python with venv and pip";
}

/** SPARK_HOME, installed where needed: two minutes and half a gigabyte the first time. */
export function installSpark() {
  const cache =
    process.env.DUSTPAN_SPARK_CACHE ??
    path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), ".cache"), "dustpan-spark");
  const home = () => {
    const lib = path.join(cache, "venv", "lib");
    const python = existsSync(lib) ? readdirSync(lib).find((name) => name.startsWith("python3")) : undefined;
    return python === undefined ? undefined : path.join(lib, python, "site-packages", "pyspark");
  };
  if (home() === undefined || !existsSync(path.join(home(), "bin", "spark-class"))) {
    mkdirSync(cache, { recursive: true });
    execFileSync("python3", ["-m", "venv", path.join(cache, "venv")], { stdio: "inherit" });
    execFileSync(path.join(cache, "venv", "bin", "pip"), ["install", "--quiet", "--no-deps", "--no-compile", pyspark], {
      stdio: "inherit",
    });
  }
  return home();
}

/** Starts master, workers and Connect server; `stop` ends what still runs. */
export async function startCluster({
  home = installSpark(),
  workers = 2,
  cores = 1,
  workerMemory = "2g",
  executorMemory = "1500m",
  driverMemory = "1g",
  javaOptions = "",
  conf = {},
} = {}) {
  const [masterPort, connectPort] = await freePorts(2);
  const folder = mkdtempSync(path.join(tmpdir(), "dustpan-spark-"));
  const running = new Map();
  const env = {
    ...process.env,
    SPARK_HOME: home,
    SPARK_NO_DAEMONIZE: "1",
    JDK_JAVA_OPTIONS: javaOptions,
    SPARK_LOCAL_IP: "127.0.0.1",
    SPARK_LOCAL_DIRS: path.join(folder, "local"),
    SPARK_WORKER_DIR: path.join(folder, "work"),
  };
  // A suite that is ended from outside must leave no process behind.
  const endAtOnce = () => {
    for (const child of running.values()) child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  };
  const onSignal = () => process.exit(1);
  process.once("exit", endAtOnce);
  for (const signal of signals) process.once(signal, onSignal);
  const start = (name, program, args) => {
    const log = openSync(path.join(folder, `${name}.log`), "a");
    const child = spawn(path.join(home, "bin", program), args, { env, stdio: ["ignore", log, log], cwd: folder });
    running.set(name, child);
    child.once("exit", () => running.get(name) === child && running.delete(name));
    return child;
  };
  const end = async (name, signal = "SIGTERM") => {
    const child = running.get(name);
    if (child === undefined) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    if (await Promise.race([ended.then(() => false), sleep(10_000, true, { ref: false })])) child.kill("SIGKILL");
    await ended;
  };
  const master = `spark://127.0.0.1:${masterPort}`;
  const settings = {
    "spark.driver.host": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.log.level": "WARN",
    "spark.sql.shuffle.partitions": "4",
    "spark.connect.grpc.binding.port": String(connectPort),
    "spark.connect.grpc.binding.address": "127.0.0.1",
    "spark.sql.warehouse.dir": path.join(folder, "warehouse"),
    "spark.task.maxFailures": "8",
    ...conf,
  };
  const startServer = async () => {
    start("connect", "spark-submit", [
      ...["--master", master, "--driver-memory", driverMemory],
      ...["--executor-memory", executorMemory, "--executor-cores", "1"],
      ...Object.entries(settings).flatMap(([key, value]) => ["--conf", `${key}=${value}`]),
      ...["--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "spark-internal"],
    ]);
    await reach(connectPort, running.get("connect"), path.join(folder, "connect.log"));
  };
  const startWorker = (number) =>
    start(`worker-${number}`, "spark-class", [
      "org.apache.spark.deploy.worker.Worker",
      ...["--host", "127.0.0.1", "--cores", String(cores), "--memory", workerMemory],
      ...["--webui-port", "0", "-d", path.join(folder, `worker-${number}`), master],
    ]);
  const stop = async () => {
    for (const name of [...running.keys()].reverse()) await end(name);
    rmSync(folder, { recursive: true, force: true });
    process.removeListener("exit", endAtOnce);
    for (const signal of signals) process.removeListener(signal, onSignal);
  };
  try {
    const masterArgs = ["--host", "127.0.0.1", "--port", String(masterPort), "--webui-port", "0"];
    start("master", "spark-class", ["org.apache.spark.deploy.master.Master", ...masterArgs]);
    await reach(masterPort, running.get("master"), path.join(folder, "master.log"));
    for (let number = 1; number <= workers; number++) startWorker(number);
    await startServer();
  } catch (error) {
    await stop();
    throw error;
  }
  return { address: `sc://127.0.0.1:${connectPort}`, folder, end, startServer, startWorker, stop };
}

/** Ports that nobody listens on. */
export async function freePorts(count) {
  const servers = Array.from({ length: count }, () => net.createServer());
  await Promise.all(
    servers.map((server) => new Promise((resolve) => server.listen({ host: "127.0.0.1", port: 0 }, resolve))),
  );
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

async function reach(port, child, log) {
  const deadline = Date.now() + startMs;
  while (!(await accepts(port))) {
    const failure =
      child.exitCode !== null
        ? `Spark ended with code ${child.exitCode}`
        : Date.now() > deadline && `Spark does not listen on port ${port} after ${startMs / 1000} s`;
    if (failure) throw new Error(`${failure}; its last words:\n${readFileSync(log, "utf8").slice(-2000)}`);
    await sleep(250);
  }
}

function accepts(port) {
  return new Promise((resolve) => {
    const socket = net.connect({ host: "127.0.0.1", port });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
