/** A shop on loopback. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

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
