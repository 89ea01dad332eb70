/** Clustering where the documents are more than fits in memory: the operator of engine/ instead of typed arrays. */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { findClusters } from "../../engine/clusters.js";
import type { JobContext } from "../../model.js";
import type { ClusterMap, SupershingleLevel } from "../../pages/cluster.js";
import type { DocumentFiles } from "../../store/pages/document-files.js";
import { PRIVATE_FOLDER } from "../../store/private.js";
import { removeScratch, scratchInTemporaryFolder } from "../../store/scratch.js";
import { type EngineChoice, withEngine } from "../engine/open-engine.js";

/** The cluster map of the sketched documents. What is in memory is the map alone, a fifth of what clustering there takes. */
export async function clusterOnDisk(
  files: DocumentFiles,
  sketched: Uint8Array,
  level: SupershingleLevel,
  choice: EngineChoice,
  context: JobContext,
): Promise<ClusterMap> {
  const folder = scratchInTemporaryFolder();
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  const documents = path.join(folder, "documents.parquet");
  const clusters = path.join(folder, "clusters.parquet");
  try {
    await files.writeSupershingles(documents, sketched);
    await withEngine(choice, context, async (engine) => {
      await engine.view("documents", documents);
      await findClusters(engine, level, context);
      await engine.write("cluster", "SELECT id, root, size FROM cluster WHERE size > 1", clusters);
    });
    return await files.readClusters(clusters, sketched);
  } finally {
    removeScratch(folder);
  }
}
