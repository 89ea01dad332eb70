import { DuckdbEngine } from "#src/engine/duckdb-engine.js";
import { engineConformance } from "./conformance.js";

engineConformance("DuckDB", () => DuckdbEngine.open({ memoryBytes: 2 ** 30, limitResult: 1_000_000 }), 3);
