/** A shop on loopback, its lists and its logs, and the command line to run on them. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

export interface Done {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder of its own, in which dustpan is run as people do. */
export class Folder {
  readonly path = mkdtempSync(path.join(tmpdir(), "dustpan-shop-"));

  at(...names: readonly string[]): string {
    return path.join(this.path, ...names);
  }

  run(words: readonly string[], input?: string): Promise<Done> {
    const child = spawn(process.execPath, [main, ...words], { cwd: this.path });
    const read = (stream: NodeJS.ReadableStream) =>
      new Promise<string>((resolve) => {
        let text = "";
        stream.setEncoding?.("utf8");
        stream.on("data", (part) => {
          text += part;
        });
        stream.on("end", () => resolve(text));
      });
    child.stdin.end(input);
    const exit = new Promise<number | null>((resolve) => child.on("close", resolve));
    return Promise.all([exit, read(child.stdout), read(child.stderr)]).then(([status, stdout, stderr]) => ({
      status,
      stdout,
      stderr,
    }));
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

export interface Shop {
  readonly port: number;
  readonly asked: Set<string>;
  close(): Promise<void>;
}

/** Products that www and any session show alike; what a product is comes from its number. */
export async function openShop(): Promise<Shop> {
  const asked = new Set<string>();
  const server = createServer((request, response) => {
    const host = request.headers.host ?? "";
    asked.add(host.replace(/:\d+$/, ""));
    const id = /^\/product\/(\d+)/.exec(request.url ?? "")?.[1];
    response.statusCode = id === undefined ? 404 : 200;
    response.setHeader("content-type", "text/html");
    const words = Array.from({ length: 40 }, (_, i) => `word${(Number(id) * 7919 + i * 104729) % 9973}`);
    response.end(id === undefined ? "nothing here" : `<title>Product ${id}</title><p>${words.join(" ")}</p>`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
