import { describe, expect, it } from "vitest";
import { renderVerdicts } from "#src/cli/render-verdicts.js";
import type { Terminal } from "#src/cli/terminal.js";
import type { Rule } from "#src/model.js";
import { makeRule } from "../canon/make-rule.js";

const terminal = { color: false, width: 200 } as unknown as Terminal;

describe("what a validation says first", () => {
  const proven = (name: string, redirected: number): Rule => ({
    ...makeRule({ kind: "parameter", name, place: "query", action: "remove" }),
    status: "valid",
    evidence: {
      ...{ positive: 20, negative: 0, similarity: "text", redirected, canonicalised: 0, canonicalConflicts: 0 },
      ...{ examples: [], counterExamples: [], checkedAt: "2026-01-01T00:00:00.000Z" },
    },
  });
  const render = (rules: readonly Rule[]) =>
    renderVerdicts(terminal, { rules, draws: [], stopped: false, certificates: [] }).split("\n");

  it("is the number of proven rules, also where the site redirects all that they change", () => {
    const lines = render([proven("a", 20), proven("b", 20)]);
    expect(lines[0]).toContain("2 proven rules, all of them what the site already redirects or canonicalises");
    expect(lines.slice(1, 3)).toEqual(["  ok  drop ?a (20 of 20 alike)", "  ok  drop ?b (20 of 20 alike)"]);
  });

  it("tells apart what the site does by itself", () => {
    const lines = render([proven("a", 0), proven("b", 20)]);
    expect(lines[0]).toContain("1 proven rule (");
    expect(lines).toContain("1 more that the site already redirects or canonicalises");
  });
});
