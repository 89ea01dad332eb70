import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { SparkEngine } from "#src/engine/spark-engine.js";
import { engineConformance } from "./conformance.js";

const address = process.env.DUSTPAN_SPARK!;

engineConformance(
  "Spark",
  () =>
    SparkEngine.open({
      address,
      output: mkdtempSync(path.join(tmpdir(), "dustpan-spark-out-")),
      keepSteps: false,
      limitResult: 1_000_000,
    }),
  1,
);
