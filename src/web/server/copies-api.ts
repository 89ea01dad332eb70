import type { ContainsResult } from "../../documents.js";
import type { EvolveResult } from "../../jobs/evolve.js";
import { clusterLevels } from "../../pages/cluster.js";
import {
  type CollectionSort,
  countClusters,
  listClusters,
  listCollectionPages,
  listCollections,
  listEvolution,
  listMembers,
  listMirrors,
  listSubtrees,
  type MirrorSort,
} from "../../store/browse/copy-lists.js";
import { readAnalyses } from "../../store/browse/report-data.js";
import { urlById } from "../../store/browse/url-details.js";
import { readSeenPage } from "../../store/runs/fetched-pairs.js";
import { readOrderedInfo } from "../../store/urls/url-order.js";
import { compare } from "./compare.js";
import { choiceOf, given, idOf, limitOf } from "./query.js";
import { type Answer, type ApiRequest, documentOf, onceOrdered, type Route } from "./routes.js";

export const copiesRoutes: readonly Route[] = [
  { method: "GET", path: "/api/clusters", handle: clusters },
  { method: "GET", path: "/api/clusters/:root", handle: members },
  { method: "GET", path: "/api/comparison", handle: comparison },
  { method: "GET", path: "/api/mirrors", handle: mirrors },
  { method: "GET", path: "/api/mirror-subtrees", handle: subtrees },
  { method: "GET", path: "/api/collections", handle: collections },
  { method: "GET", path: "/api/collections/:cluster", handle: collection },
  { method: "GET", path: "/api/parts", handle: parts },
  { method: "GET", path: "/api/snapshots", handle: onceOrdered(snapshots) },
];

/** URLs of rows are looked up one by one: pages are shorter here. */
const ROWS_SHOWN = 25;
/** The ones with most pairs show what produces the rest. */
const PARTS_SHOWN = 100;

const paged = (query: URLSearchParams) => ({
  ...given(query, "snapshot"),
  ...given(query, "after"),
  descending: (choiceOf(query, "order", ["asc", "desc"]) ?? "desc") === "desc",
  limit: limitOf(query, ROWS_SHOWN),
});

const levelOf = (query: URLSearchParams) => choiceOf(query, "level", clusterLevels) ?? "similar";

async function clusters({ app, query }: ApiRequest) {
  const level = levelOf(query);
  const { rows, ...page } = await listClusters(app.workspace, { ...paged(query), ...given(query, "sizes"), level });
  const snapshot = given(query, "snapshot");
  const classes = await app.remember(`classes ${level} ${snapshot.snapshot ?? ""}`, () =>
    countClusters(app.workspace, { ...snapshot, level }),
  );
  return documentOf("dustpan-cluster-list", { level, clusters: rows, ...page, classes });
}

async function members({ app, params, query }: ApiRequest) {
  const root = idOf(params.root!, "cluster");
  const level = levelOf(query);
  const { rows, ...page } = await listMembers(app.workspace, root, { ...paged(query), level });
  return documentOf("dustpan-cluster-members", { level, pages: rows, ...page });
}

/** Two pages of a snapshot, by the numbers of their URLs. */
async function comparison({ app, query }: ApiRequest) {
  const page = async (name: "left" | "right") => {
    const url = await urlById(app.workspace, idOf(query.get(name) ?? "", "URL"));
    return readSeenPage(app.workspace, url, given(query, "snapshot").snapshot);
  };
  return compare(await page("left"), await page("right"));
}

async function mirrors({ app, query }: ApiRequest) {
  const sort: MirrorSort = choiceOf(query, "sort", ["clusters", "size", "pages"]) ?? "clusters";
  const { rows, ...page } = await listMirrors(app.workspace, { ...paged(query), sort });
  return documentOf("dustpan-mirror-pairs", { mirrors: rows, ...page });
}

async function subtrees({ app, query }: ApiRequest) {
  const { rows, ...page } = await listSubtrees(app.workspace, paged(query));
  return documentOf("dustpan-mirror-subtrees", { subtrees: rows, ...page });
}

async function collections({ app, query }: ApiRequest) {
  const sort: CollectionSort = choiceOf(query, "sort", ["cardinality", "size"]) ?? "size";
  const { rows, ...page } = await listCollections(app.workspace, { ...paged(query), sort });
  return documentOf("dustpan-collection-list", { collections: rows, ...page });
}

async function collection({ app, params, query }: ApiRequest) {
  const cluster = idOf(params.cluster!, "collection");
  const { rows, ...page } = await listCollectionPages(app.workspace, cluster, paged(query));
  return documentOf("dustpan-collection-pages", { positions: rows, ...page });
}

async function parts({ app }: ApiRequest) {
  const kept = await readAnalyses(app.workspace, ["contains"]);
  const found = (kept.get("contains") as ContainsResult | undefined) ?? null;
  return documentOf("dustpan-parts", {
    found: found && {
      ...found,
      pairs: found.pairs.slice(0, PARTS_SHOWN),
      patterns: found.patterns.slice(0, PARTS_SHOWN),
    },
  });
}

async function snapshots({ app }: ApiRequest): Promise<Answer> {
  const { snapshots: all, sources } = await readOrderedInfo(app.workspace);
  const kept = (await readAnalyses(app.workspace, ["evolution"])).get("evolution") as EvolveResult | undefined;
  // Absent in results of earlier versions.
  const steps = kept?.steps.filter((step) => step.changes !== undefined) ?? [];
  return documentOf("dustpan-snapshots", {
    ...{ snapshots: all, sources },
    changes: steps.map(({ from, to, changes }) => ({ from, to, counts: changes.counts })),
    evolution: await listEvolution(app.workspace),
  });
}
