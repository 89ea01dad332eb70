/** Targets that are languages, crawlers, databases and lists. */
import type { Target } from "./target.js";
import { adguard } from "./targets/adguard.js";
import { cleanParam } from "./targets/clean-param.js";
import { clearurls } from "./targets/clearurls.js";
import { crawlee } from "./targets/crawlee.js";
import { duckdb } from "./targets/duckdb.js";
import { duplicateUrlDiscarder } from "./targets/duplicate-url-discarder.js";
import { go } from "./targets/go.js";
import { java } from "./targets/java.js";
import { javascript } from "./targets/javascript.js";
import { postgres } from "./targets/postgres.js";
import { python } from "./targets/python.js";
import { pywb } from "./targets/pywb.js";
import { rust } from "./targets/rust.js";
import { scrapy } from "./targets/scrapy.js";
import { spark } from "./targets/spark.js";
import { worker } from "./targets/worker.js";
export const programTargets: readonly Target[] = [
  javascript,
  python,
  go,
  java,
  rust,
  crawlee,
  scrapy,
  duplicateUrlDiscarder,
  pywb,
  worker,
  clearurls,
  adguard,
  cleanParam,
  duckdb,
  postgres,
  spark,
];
