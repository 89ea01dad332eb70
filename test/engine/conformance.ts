import { afterAll, beforeAll, describe } from "vitest";
import type { SqlEngine } from "#src/engine/engine.js";
import { copiesConformance } from "./copies-conformance.js";
import { detectConformance } from "./detect-conformance.js";
import { realDataConformance } from "./real-data-conformance.js";
import { rulesConformance } from "./rules-conformance.js";

/**
 * Every operator on random inputs, and some on real ones: an engine must give the tables that the local algorithms give, order
 * included. `rounds` is how often each property is tried, on inputs that each hold many cases, and how many real inputs.
 */
export function engineConformance(name: string, make: () => Promise<SqlEngine>, rounds: number): void {
  describe(`operators on ${name}`, () => {
    let opened: SqlEngine;
    beforeAll(async () => {
      opened = await make();
    });
    afterAll(() => opened?.close());
    const engine = () => opened;
    detectConformance(engine, rounds);
    rulesConformance(engine, rounds);
    copiesConformance(engine, rounds);
    realDataConformance(engine, rounds);
  });
}
