import fc from "fast-check";
import { expect, it } from "vitest";
import { pairSteps } from "#src/engine/detect.js";
import { DuckdbEngine } from "#src/engine/duckdb-engine.js";
import { parameterGroupSteps } from "#src/engine/parameter-groups.js";
import { runStepsBySite } from "#src/engine/passes.js";
import { quietly } from "#src/model.js";
import { listArbitrary, optionsArbitrary } from "../mine/oracle/lists.js";
import { pairQuery, stageLists } from "./detect-conformance.js";
import { SEED } from "./seed.js";

const LISTS = 20;
const parameterQuery = "SELECT * FROM parameter_group ORDER BY site, place, name";

it("sites in passes: the same pairs and parameters as all sites at once", async () => {
  const lists = fc.array(listArbitrary, { minLength: LISTS, maxLength: LISTS, size: "max" });
  await fc.assert(
    fc.asyncProperty(lists, optionsArbitrary, async (some, options) => {
      const find = async (urlsAtOnce: number) => {
        const engine = await DuckdbEngine.open({ memoryBytes: 2 ** 28, limitResult: 1_000_000, urlsAtOnce });
        try {
          await stageLists(engine, some);
          const steps = [...pairSteps(engine.dialect, options), ...parameterGroupSteps(engine.dialect, options)];
          const made: string[] = [];
          await runStepsBySite(engine, steps, ["pair", "parameter_group"], quietly, ({ step }) => made.push(step));
          const found = [await engine.rows("pair", pairQuery), await engine.rows("parameter_group", parameterQuery)];
          return { found, passes: made.filter((step) => step === "pass_urls").length };
        } finally {
          await engine.close();
        }
      };
      const whole = await find(Number.POSITIVE_INFINITY);
      const divided = await find(30);
      expect(whole.passes).toBe(0);
      expect(divided.passes).toBeGreaterThan(2);
      expect(divided.found).toEqual(whole.found);
    }),
    { numRuns: 2, seed: SEED },
  );
});
