import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { compile } from "#src/canon/compile.js";
import { type CanonJobOptions, openCanon } from "#src/jobs/canon.js";
import { makeRule } from "../canon/make-rule.js";

const folder = mkdtempSync(path.join(tmpdir(), "dustpan-canon-"));
afterAll(() => rmSync(folder, { recursive: true }));

const rules = [
  makeRule({ kind: "parameter", name: "sid", action: "remove" }),
  makeRule({ from: "story?id=", to: "story_" }),
  makeRule({ from: "/tür", to: "/door" }),
];

async function* piecesOf(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Runs the job on bytes that arrive in pieces of `size`. */
async function run(input: Uint8Array | string, options: Partial<CanonJobOptions> = {}, size = 7) {
  const output: Uint8Array[] = [];
  const job = openCanon(
    compile(rules),
    {
      dedupe: false,
      signal: new AbortController().signal,
      standardInput: piecesOf(Buffer.from(input), size),
      ...options,
    },
    async (piece) => {
      // Its memory is used again.
      output.push(new Uint8Array(piece));
    },
  );
  await job.file("-");
  const whole = Buffer.concat(output);
  return { output: whole, text: whole.toString(), counts: job.counts, unsettled: job.unsettled };
}

describe("a list", () => {
  it("has each URL in its canonical form, and everything else as it was", async () => {
    const { text, counts } = await run(
      "# from the log\r\nhttp://a.test/story?id=1&sid=9\r\n\n  http://a.test/x \nno url\nhttp://a.test/story_1",
    );
    expect(text).toBe("# from the log\r\nhttp://a.test/story_1\r\n\n  http://a.test/x \nno url\nhttp://a.test/story_1");
    expect(counts).toEqual({ records: 6, urls: 3, changed: 1, repeated: 0, notUrls: 1 });
  });

  it("may begin with a byte order mark, which is no part of the first URL", async () => {
    const { text, counts } = await run("\ufeffhttp://a.test/x?sid=1\r\nhttp://a.test/y?sid=1\r\n");
    expect(text).toBe("\ufeffhttp://a.test/x\r\nhttp://a.test/y\r\n");
    expect(counts).toMatchObject({ urls: 2, changed: 2 });
  });

  it("is deduplicated by canonical URL, the first record staying", async () => {
    const { text, counts } = await run("http://a.test/story?id=1\nx\nhttp://a.test/story_1\nx\nhttp://a.test/b\n", {
      dedupe: true,
    });
    expect(text).toBe("http://a.test/story_1\nx\nx\nhttp://a.test/b\n");
    expect(counts.repeated).toBe(1);
  });

  it("may be compressed; a damaged end is an error after what could be read", async () => {
    const whole = Buffer.from("http://a.test/x?sid=1\n".repeat(50_000));
    const file = path.join(folder, "list.gz");
    writeFileSync(file, gzipSync(whole));
    let output = 0;
    const job = () =>
      openCanon(compile(rules), { dedupe: false, signal: new AbortController().signal }, async (text) => {
        output += text.length;
      });
    await job().file(file);
    expect(output).toBe("http://a.test/x\n".length * 50_000);
    writeFileSync(file, gzipSync(whole).subarray(0, 1000));
    await expect(job().file(file)).rejects.toThrow(/list\.gz at byte/);
  });

  it("is read as UTF-8 by the rules, and copied byte by byte", async () => {
    const bytes = Buffer.concat([Buffer.from("http://a.test/tür\n"), Buffer.from([0xff, 0xfe, 0x0a])]);
    const { output } = await run(bytes);
    expect(output).toEqual(Buffer.concat([Buffer.from("http://a.test/door\n"), Buffer.from([0xff, 0xfe, 0x0a])]));
  });

  it("passes a line through that is too long to be a URL", async () => {
    const long = `http://a.test/${"x".repeat(3 << 20)}?sid=1`;
    const { text, counts } = await run(`${long}\nhttp://a.test/?sid=1\n`, {}, 1 << 16);
    expect(text).toBe(`${long}\nhttp://a.test/\n`);
    expect(counts).toMatchObject({ records: 2, urls: 1, notUrls: 1 });
  });
});

describe("a table", () => {
  it.each([",", ";", "\t", "|"])("with %j between its fields", async (delimiter) => {
    const rows = (url: string) => [
      `n${delimiter}"the ""URL"""${delimiter}z`,
      `1${delimiter}${url}${delimiter}"q\n""r"`,
    ];
    const { text } = await run(rows("http://a.test/story?id=1&sid=9").join("\r\n"), { column: 'the "URL"' });
    expect(text).toBe(rows("http://a.test/story_1").join("\r\n"));
  });

  it("keeps quotes where they were and puts them where they are needed", async () => {
    const { text } = await run(
      'url\n"http://a.test/?sid=1"\n"http://a.test/x,y?sid=1"\n"http://a.test/""?sid=1"\nhttp://a.test/?sid=2\n',
      { column: "URL" },
    );
    expect(text).toBe('url\n"http://a.test/"\n"http://a.test/x,y"\n"http://a.test/"""\nhttp://a.test/\n');
  });

  it("may have lines above its header; without the column it is refused", async () => {
    const { text } = await run("sep=;\na;url\n1;http://a.test/?sid=1\n", { column: "url" });
    expect(text).toBe("sep=;\na;url\n1;http://a.test/\n");
    const { counts } = await run("a,url\n1\n\n2,http://a.test/\n", { column: "url" });
    expect(counts).toMatchObject({ urls: 1, notUrls: 1 });
    await expect(run("a,b\n", { column: "url" })).rejects.toThrow('no column "url"');
  });

  it("with a lost quotation mark loses no row", async () => {
    const rows = "http://a.test/?sid=1,2\n".repeat(200_000);
    const { text, counts } = await run(`url,b\n"http://a.test/?sid=1,2\n${rows}`, { column: "url" }, 1 << 16);
    expect(text).toBe(`url,b\n"http://a.test/?sid=1,2\n${rows.replaceAll("?sid=1", "")}`);
    expect(counts.notUrls).toBe(1);
  });
});

describe("lines of JSON", () => {
  it("have the field of the object itself changed, and no other byte", async () => {
    const line = (url: string) => `{"a":{"url":"http://a.test/?sid=1"}, "n":12345678901234567890 , "url" : "${url}"}`;
    const { text, counts } = await run(
      `${line("http:\\/\\/a.test\\/story?id=1\\u0026sid=9")}\nnull\n{"url":5}\n{"url":"\n`,
      {
        column: "url",
      },
    );
    expect(text).toBe(`${line("http://a.test/story_1")}\nnull\n{"url":5}\n{"url":"\n`);
    expect(counts).toMatchObject({ records: 4, urls: 1, notUrls: 3 });
  });
});

it("copies any bytes through unchanged where no rule applies, in whatever pieces they come", async () => {
  const pieces = fc.constantFrom(
    ...['"', ",", "\n", "\r\n", "http://a.test/", "url", "\\", "{", "}", ":", " ", "é"],
    ...["\nhttp://a.test/x\n", "\nhttp://a.test/y,z\n", '\n{"url":"http://a.test/x"}\n'],
  );
  let withUrls = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(pieces, { maxLength: 60 }),
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom("", "url,b\n", "{}\n"),
      async (parts, size, head) => {
        const input = head + parts.join("");
        const { text, counts } = await run(input, head === "" ? {} : { column: "url" }, size);
        expect(text).toBe(input);
        if (counts.urls > 0) withUrls++;
      },
    ),
    { numRuns: 300 },
  );
  expect(withUrls).toBeGreaterThan(60);
});

describe("worker threads", () => {
  const alone = { threads: 1 };
  const together = { threads: 3 };
  /** Long enough that threads are started, in pieces that end anywhere. */
  const lines = (count: number, make: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => make(i)).join("\n");
  const kinds = [
    (i: number) => `http://a.test/story?id=${i}&sid=${i % 7}`,
    (i: number) => `http://a.test/plain/${i}`,
    (i: number) => `no url ${i}`,
    (i: number) => `  http://a.test/tür/${i}?sid=1\r`,
    (i: number) => `# ${i}`,
    () => "",
  ];

  it("give what one thread gives, in the order of the input", async () => {
    const list = lines(400_000, (i) => kinds[(i * 7919) % kinds.length]!(i));
    const [one, many] = [await run(list, alone, 1 << 17), await run(list, together, 1 << 17)];
    expect(one.counts.changed).toBeGreaterThan(100_000);
    expect(many.counts).toEqual(one.counts);
    expect(many.output.equals(one.output)).toBe(true);
  });

  it("give what one thread gives on lines of JSON, of other bytes and of a line without end", async () => {
    const json = lines(200_000, (i) => `{"n":${i},"url":"${kinds[i % 2]!(i)}"}`);
    const field = { column: "url" };
    const [one, many] = [
      await run(json, { ...alone, ...field }, 1 << 18),
      await run(json, { ...together, ...field }, 1 << 18),
    ];
    expect(many.output.equals(one.output)).toBe(true);
    expect(many.counts).toEqual(one.counts);
    const head = lines(350_000, kinds[1]!);
    const odd = Buffer.concat([
      Buffer.from(`${head}\n${"x".repeat(5 << 20)}?sid=1\n${head.slice(0, 1 << 20)}\n`),
      Buffer.from([0xff, 0x0a]),
      Buffer.from("http://a.test/?sid=1"),
    ]);
    for (const size of [1 << 18, odd.length]) {
      const [first, second] = [await run(odd, alone, size), await run(odd, together, size)];
      expect(second.output.equals(first.output)).toBe(true);
      expect(second.output.subarray(-15).toString()).toBe("\nhttp://a.test/");
    }
  });

  it("give what one thread gives where they read a file themselves", async () => {
    const file = path.join(folder, "list.txt");
    const head = lines(300_000, (i) => kinds[(i * 7919) % kinds.length]!(i));
    const long = (bytes: number) => `\nhttp://a.test/${"x".repeat(bytes)}?sid=1\n`;
    const lists = {
      ended: `${head}\n`,
      cut: `${head}\nhttp://a.test/last?sid=1`,
      "with long lines": [head, long(1000 << 10), head.slice(0, 1 << 20), long(1100 << 10), long(4 << 20), head].join(
        "",
      ),
    };
    for (const [name, list] of Object.entries(lists)) {
      writeFileSync(file, list);
      const output: Uint8Array[] = [];
      const job = openCanon(
        compile(rules),
        { dedupe: false, signal: new AbortController().signal, ...together },
        async (piece) => {
          // Its memory is used again.
          output.push(new Uint8Array(piece));
        },
      );
      await job.file(file);
      const one = await run(list, alone, 1 << 17);
      expect(one.counts.changed).toBeGreaterThan(50_000);
      expect(job.counts, name).toEqual(one.counts);
      expect(Buffer.concat(output).equals(one.output), name).toBe(true);
    }
  });

  it("write what is done while more is waited for", async () => {
    let isWritten = () => {};
    const written = new Promise<void>((resolve) => {
      isWritten = resolve;
    });
    async function* slowly() {
      yield* piecesOf(Buffer.from(`${lines(400_000, kinds[1]!)}\n`), 1 << 16);
      yield Buffer.from("http://a.test/the-last?sid=1\n");
      await written;
    }
    const job = openCanon(
      compile(rules),
      { dedupe: false, signal: new AbortController().signal, standardInput: slowly(), ...together },
      async (piece) => {
        if (Buffer.from(piece).includes("/the-last\n")) isWritten();
      },
    );
    await job.file("-");
    expect(job.counts).toMatchObject({ records: 400_001, changed: 1 });
  });

  it("count what finds no rest", async () => {
    const list = `${lines(400_000, kinds[1]!)}\n${`http://a.test/${"/".repeat(1500)}\n`.repeat(9)}http://a.test/`;
    const canon = compile([makeRule({ from: "//", to: "/" })]);
    const standardInput = piecesOf(Buffer.from(list), 1 << 20);
    const job = openCanon(
      canon,
      { dedupe: false, signal: new AbortController().signal, standardInput, ...together },
      async () => {},
    );
    await job.file("-");
    expect(canon.unsettled.count).toBe(0);
    expect(job.unsettled.count).toBe(9);
    expect(job.unsettled.samples).toHaveLength(3);
  });

  it("stop when they are told to, even where nobody reads the output", async () => {
    const control = new AbortController();
    const standardInput = piecesOf(Buffer.from(lines(400_000, kinds[0]!)), 1 << 20);
    let written = 0;
    const job = openCanon(compile(rules), { dedupe: false, signal: control.signal, standardInput, ...together }, () => {
      written++;
      setTimeout(() => control.abort(), 10);
      return new Promise(() => {});
    });
    await expect(job.file("-")).rejects.toThrow("the output ends in the middle");
    expect(written).toBe(1);
  });
});
