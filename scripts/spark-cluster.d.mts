/** A running cluster; names are master, worker-1, worker-2, ... and connect. */
export interface SparkCluster {
  readonly address: string;
  readonly folder: string;
  end(name: string, signal?: NodeJS.Signals): Promise<void>;
  startServer(): Promise<void>;
  startWorker(number: number): void;
  stop(): Promise<void>;
}

export interface SparkClusterOptions {
  readonly home?: string;
  readonly workers?: number;
  readonly cores?: number;
  readonly workerMemory?: string;
  readonly executorMemory?: string;
  readonly driverMemory?: string;
  /** For every process. */
  readonly javaOptions?: string;
  readonly conf?: Readonly<Record<string, string>>;
}

export function lackForSpark(): string | undefined;
export function installSpark(): string;
export function startCluster(options?: SparkClusterOptions): Promise<SparkCluster>;
