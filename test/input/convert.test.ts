import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { convertToText } from "#src/input/convert.js";
import { readContent } from "#src/input/page-content.js";

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
});
