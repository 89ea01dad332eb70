/** Reads text or bytes as dustpan add would, and makes the columns easy to look at. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { crawlerFamilies } from "#src/input/crawlers.js";
import { type ReadOptions, readSource } from "#src/input/read-source.js";
import type { Sightings } from "#src/input/sightings.js";
import type { StringColumn } from "#src/model.js";

export const quiet = { onProgress: () => {}, signal: new AbortController().signal };

/** A folder that is gone when the test file has run. */
export function temporaryFolder(): { file(name: string, content: string | Uint8Array): string; remove(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), "dustpan-"));
  return {
    file(name, content) {
      const file = path.join(folder, name);
      writeFileSync(file, content);
      return file;
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

export async function read(content: string | Uint8Array, options: ReadOptions = {}) {
  const bytes = typeof content === "string" ? Buffer.from(content, "latin1") : content;
  async function* standardInput() {
    // Small pieces: lines and compressed blocks cross their borders.
    for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
  }
  return await readSource("-", { ...options, standardInput: standardInput() }, quiet);
}

export function strings({ count, bytes, offsets }: StringColumn): string[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: count }, (_, i) => buffer.toString("latin1", offsets[i], offsets[i + 1]));
}

/** One object a URL, without what is unknown. */
export function rows(sightings: Sightings) {
  const crawlers = new Map<number, Record<string, number>>();
  sightings.crawlerHits.url.forEach((url, i) => {
    const families = crawlers.get(url) ?? {};
    families[crawlerFamilies[sightings.crawlerHits.family[i]!]!] = sightings.crawlerHits.hits[i]!;
    crawlers.set(url, families);
  });
  const iso = (ms: number) => new Date(ms).toISOString();
  return strings(sightings.urls).map((url, i) => {
    const [min, max] = [sightings.minBytes[i]!, sightings.maxBytes[i]!];
    const [first, last] = [sightings.firstMs[i]!, sightings.lastMs[i]!];
    const redirect = sightings.redirects.url.indexOf(i);
    return {
      url,
      hits: sightings.hits[i]!,
      status: [0, 1, 2, 3, 4, 5].filter((c) => (sightings.statusClasses[i]! & (1 << c)) !== 0).join(""),
      ...(!Number.isNaN(min) && { bytes: min === max ? `${min}` : `${min}-${max}` }),
      ...(!Number.isNaN(first) && { time: first === last ? iso(first) : `${iso(first)} ${iso(last)}` }),
      ...(crawlers.has(i) && { crawlers: crawlers.get(i) }),
      ...(redirect >= 0 && { to: sightings.redirects.target[redirect] }),
    };
  });
}
