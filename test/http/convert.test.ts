import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { convertToText } from "#src/http/convert.js";
import { readContent } from "#src/http/page-content.js";

/** The smallest PDF that says something. */
function pdf(text: string): Uint8Array {
  const content = `BT /F1 12 Tf 10 100 Td (${text}) Tj ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let body = "%PDF-1.4\n";
  const places = objects.map((object, i) => {
    const at = body.length;
    body += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const table = places.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("");
  body += `xref\n0 6\n0000000000 65535 f \n${table}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
  return new TextEncoder().encode(body);
}

const hasPs2ascii = spawnSync("ps2ascii", ["/dev/null"]).error === undefined;
const hasPdftotext = spawnSync("pdftotext", ["-v"]).error === undefined;

describe("converting documents", () => {
  it("leaves other types, and what is damaged, to the digest", () => {
    expect(convertToText("image/png", pdf("x"))).toBeUndefined();
    expect(convertToText(undefined, pdf("x"))).toBeUndefined();
    expect(convertToText("application/pdf", Uint8Array.of(1, 2, 3))).toBeUndefined();
  });

  it.runIf(hasPdftotext)("reads the text of a PDF", () => {
    const content = readContent("http://a.test/x.pdf", "application/pdf", pdf("Different URLs with similar text"));
    expect(content?.text).toContain("Different URLs with similar text");
    expect(content?.shingles).toBeDefined();
  });

  it.runIf(!hasPdftotext)("does without where there is no converter", () => {
    expect(readContent("http://a.test/x.pdf", "application/pdf", pdf("text"))).toBeUndefined();
  });

  const postScript = (program: string) => new TextEncoder().encode(`%!PS\n${program}\nshowpage\n`);

  it.runIf(hasPs2ascii)("reads the text of PostScript", () => {
    const page = postScript("/Helvetica findfont 12 scalefont setfont 72 700 moveto (Similar text) show");
    expect(convertToText("application/postscript", page)).toContain("Similar text");
  });

  it.runIf(hasPs2ascii)("ends PostScript that does not end, and all that it started", () => {
    // What it starts inherits the mark; processes of others cannot be read, and those that ended have none.
    vi.stubEnv("DUSTPAN_TEST_MARK", `mark-${process.pid}`);
    const isMarked = (pid: string) => {
      try {
        if (!readFileSync(`/proc/${pid}/environ`, "utf8").includes(`DUSTPAN_TEST_MARK=mark-${process.pid}`))
          return false;
        // SIGKILL is bit 8 of what is on its way to a process that has not got round to ending.
        return !/^S\w+Pnd:\s*[0-9a-f]*[13579bdf][0-9a-f]{2}$/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
      } catch {
        return false;
      }
    };
    expect(convertToText("application/postscript", postScript("{} loop"), 500)).toBeUndefined();
    vi.unstubAllEnvs();
    const processes = existsSync("/proc") ? readdirSync("/proc").filter((name) => /^\d+$/.test(name)) : [];
    expect(processes.filter(isMarked)).toEqual([]);
  });
});
