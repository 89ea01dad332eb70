import { randomUUID } from "node:crypto";
import { UserError } from "../errors.js";

/** Where a Spark Connect server is and who asks, as Spark's connection strings say it. */
export interface SparkAddress {
  readonly host: string;
  readonly port: number;
  /** Never printed. */
  readonly token?: string;
  readonly useTls: boolean;
  readonly userId: string;
  readonly sessionId: string;
  /** Sent with each call: what managed services ask for. */
  readonly headers: Readonly<Record<string, string>>;
  readonly maxMessageBytes: number;
}

const DEFAULT_PORT = 15002;
const DEFAULT_MESSAGE_BYTES = 128 * 2 ** 20;
const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Reads sc://HOST:PORT/;key=value;... The text itself is never part of an error: it may hold a token. */
export function parseSparkAddress(text: string): SparkAddress {
  const found = /^sc:\/\/([^/:;@]+|\[[0-9a-fA-F:]+\])(?::(\d+))?(?:\/(?:;(.*))?)?$/.exec(text);
  if (found === null) {
    throw new UserError(
      "--spark: expected sc://HOST:PORT, or sc://HOST:PORT/;use_ssl=true;token=... as in Spark's connection strings",
    );
  }
  const [, host, portText, parameterText = ""] = found;
  const port = portText === undefined ? DEFAULT_PORT : Number(portText);
  if (port < 1 || port > 65_535) throw new UserError(`--spark: ${port} is not a port`);
  const parameters = new Map<string, string>();
  for (const part of parameterText.split(";").filter((some) => some !== "")) {
    const equals = part.indexOf("=");
    if (equals < 1) throw new UserError("--spark: a parameter after the host has no value; expected ;name=value");
    parameters.set(part.slice(0, equals), decoded(part.slice(equals + 1)));
  }
  const take = (name: string) => {
    const value = parameters.get(name);
    parameters.delete(name);
    return value;
  };
  const token = take("token");
  const useTlsText = take("use_ssl");
  if (useTlsText !== undefined && useTlsText !== "true" && useTlsText !== "false") {
    throw new UserError(`--spark: use_ssl=${useTlsText}: expected true or false`);
  }
  // A token turns TLS on, as in Spark's own clients; on this machine one may say otherwise.
  const useTls = useTlsText === undefined ? token !== undefined : useTlsText === "true";
  if (token !== undefined && !useTls && !loopback.has(host!)) {
    throw new UserError("--spark: a token is only sent over TLS; leave use_ssl=false out");
  }
  const sessionId = take("session_id") ?? randomUUID();
  if (!UUID.test(sessionId)) throw new UserError("--spark: session_id is not a UUID");
  const userId = take("user_id") ?? "dustpan";
  take("user_agent");
  const maxMessageBytes = Number(take("grpc_max_message_size") ?? DEFAULT_MESSAGE_BYTES);
  if (!Number.isInteger(maxMessageBytes) || maxMessageBytes < 1) {
    throw new UserError("--spark: grpc_max_message_size is not a number of bytes");
  }
  return {
    host: host!,
    port,
    ...(token !== undefined && { token }),
    useTls,
    userId,
    sessionId,
    headers: Object.fromEntries(parameters),
    maxMessageBytes,
  };
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw new UserError('--spark: a value has a "%" that is not followed by two hex digits of UTF-8; write %25 for it');
  }
}
