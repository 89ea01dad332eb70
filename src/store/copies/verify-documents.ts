/** Clusters of sketch files verified by resemblance, some at a time. */
import { UserError } from "../../errors.js";
import type { JobContext } from "../../model.js";
import type { ClusterMap } from "../../pages/cluster.js";
import { type Chaining, comparesFeatures, verifyClusters } from "../../pages/verify.js";
import { FEATURES } from "../../sketch/constants.js";
import { decodeSketch, isSketch, SUPERSHINGLES, supershingles } from "../../sketch/sketch.js";
import type { DocumentFiles, SketchedRow } from "../pages/document-files.js";

/** Sketches in memory at a time; a cluster with more is verified alone. */
const BATCH_DOCUMENTS = 100_000;

/**
 * Verification never leaves a plain cluster, so the clusters are verified some at a time, in the order in which the
 * engine sorts them.
 */
export async function verifyDocuments(
  files: DocumentFiles,
  plain: ClusterMap,
  resemblance: number,
  context: JobContext,
): Promise<{ readonly map: ClusterMap; readonly chaining: Chaining }> {
  const map = { root: Uint32Array.from(plain.root), size: Uint32Array.from(plain.size) };
  const parts: Chaining[] = [];
  let batch: SketchedRow[] = [];
  let done = 0;
  const finish = () => {
    if (batch.length === 0) return;
    parts.push(verifyBatch(batch, plain, map, resemblance));
    done += batch.length;
    batch = [];
    context.onProgress({ step: "verifying clusters", done, unit: "documents" });
  };
  await files.eachClustered((row) => {
    if (batch.length >= BATCH_DOCUMENTS && row.cluster !== batch.at(-1)!.cluster) finish();
    batch.push(row);
  });
  finish();
  return { map, chaining: sumChaining(parts) };
}

function verifyBatch(batch: readonly SketchedRow[], plain: ClusterMap, map: ClusterMap, resemblance: number): Chaining {
  const count = batch.length;
  const features = new BigUint64Array(count * FEATURES);
  const columns = new BigUint64Array(count * SUPERSHINGLES);
  const root = new Uint32Array(count);
  const size = new Uint32Array(count);
  // Rows come cluster by cluster, so the first of a cluster is its root here.
  batch.forEach(({ document, cluster, sketch: bytes }, row) => {
    if (!isSketch(bytes))
      throw new UserError(`row ${document + 1} has no sketch of format 1: sketch its archive again`);
    const sketch = decodeSketch(bytes);
    features.set(sketch.features, row * FEATURES);
    supershingles(sketch).forEach((value, column) => {
      columns[column * count + row] = value;
    });
    root[row] = row > 0 && batch[row - 1]!.cluster === cluster ? root[row - 1]! : row;
    size[row] = plain.size[document]!;
  });
  const input = { supershingles: columns, plain: { root, size }, commonFeatures: comparesFeatures(features) };
  const verified = verifyClusters(input, resemblance);
  batch.forEach(({ document }, row) => {
    map.root[document] = batch[verified.map.root[row]!]!.document;
    map.size[document] = verified.map.size[row]!;
  });
  return verified.chaining;
}

function sumChaining(parts: readonly Chaining[]): Chaining {
  const sum = (of: (part: Chaining) => number) => parts.reduce((total, part) => total + of(part), 0);
  const members = sum((part) => part.members);
  return {
    tested: sum((part) => part.tested),
    dropped: sum((part) => part.dropped),
    beyondLeaders: sum((part) => part.beyondLeaders),
    clusters: sum((part) => part.clusters),
    split: sum((part) => part.split),
    freed: sum((part) => part.freed),
    moved: sum((part) => part.moved),
    members,
    unlikeRoot: sum((part) => part.unlikeRoot),
    meanResemblanceToRoot: members === 0 ? 1 : sum((part) => part.members * part.meanResemblanceToRoot) / members,
  };
}
