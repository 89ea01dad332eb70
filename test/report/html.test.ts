import fc from "fast-check";
import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { escapeHtml, html } from "#src/report/html.js";

describe("html", () => {
  it("escapes what is put in, and keeps its own", () => {
    const inner = html`<b title="${'"><i>'}">${"<script>"}</b>`;
    expect(html`<p>${inner}${[1, "&", undefined, false]}</p>`.text).toBe(
      '<p><b title="&#34;&#62;&#60;i&#62;">&#60;script&#62;</b>1&#38;</p>',
    );
  });

  it("shows a URL that would be written backwards for what it is", () => {
    expect(escapeHtml("http://a.test/\u202egnp.exe\u0007")).toBe("http://a.test/\ufffdgnp.exe\ufffd");
  });

  it("gives any text back as text, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const { document } = parseHTML(`<p>${escapeHtml(text)}</p>`);
        expect(document.querySelectorAll("*")).toHaveLength(1);
        expect(document.querySelector("p")?.textContent).toBe(
          text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, "\ufffd"),
        );
      }),
    );
  });
});
