/** Work on the workspace that the browser starts, besides validation: the commands' own jobs with their defaults, one at a time. */
import { rmSync } from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";
import type { WorkKind } from "../../documents.js";
import { UserError } from "../../errors.js";
import { originOf } from "../../input/base-origin.js";
import { expandInputs } from "../../input/expand.js";
import { type AddedInput, addInput } from "../../jobs/add.js";
import { clusterSnapshots } from "../../jobs/cluster.js";
import { findReplicatedCollections } from "../../jobs/collections.js";
import { containsDefaults, findParts } from "../../jobs/contains.js";
import { evolve } from "../../jobs/evolve.js";
import { mergeMined } from "../../jobs/merge-mined.js";
import { mine } from "../../jobs/mine.js";
import { mirrors } from "../../jobs/mirrors.js";
import { detectDefaults } from "../../mine/detect.js";
import { eliminateDefaults } from "../../mine/eliminate.js";
import { DEFAULT_SNAPSHOT, type JobContext } from "../../model.js";
import { count, counted, percent } from "../../numbers.js";
import { nearDuplicatesInWords } from "../../pages/near-duplicate-words.js";
import { writeRulesFile } from "../../store/rules-on-disk.js";
import type { App } from "./app.js";
import type { Outcome } from "./jobs.js";
import { isTexts, objectOf } from "./query.js";
import { type ApiRequest, documentOf, type Route } from "./routes.js";

type Work = { readonly title: string; readonly run: (app: App, context: JobContext) => Promise<Outcome> };

/** Work that needs nothing but what is already there. */
const works: Readonly<Record<Exclude<WorkKind, "add" | "validate">, Work>> = {
  mine: { title: "looking for likely rules", run: findRules },
  cluster: { title: "looking for near-duplicates", run: findClusters },
  mirrors: { title: "looking for mirrored hosts", run: findMirrors },
  collections: { title: "looking for replicated collections", run: findCollections },
  contains: { title: "looking for parts of other pages", run: findContainedPages },
  evolve: { title: "comparing snapshots", run: compareSnapshots },
};

export const workRoutes: readonly Route[] = [
  { method: "POST", path: "/api/uploads", takes: "bytes", handle: receive },
  { method: "POST", path: "/api/jobs/add", handle: startAdding },
  ...Object.entries(works).map(
    ([kind, { title, run }]): Route => ({
      method: "POST",
      path: `/api/jobs/${kind}`,
      handle: async ({ app }) =>
        documentOf(
          "dustpan-job",
          app.jobs.start(kind as WorkKind, title, (context) => run(app, context)),
          202,
        ),
    }),
  ),
];

async function receive({ app, query, body }: ApiRequest) {
  const { id, upload } = await app.uploads.receive(query.get("name") ?? "", body as Readable);
  return documentOf("dustpan-upload", { upload: id, name: upload.name, bytes: upload.bytes }, 201);
}

/** Files that were sent, and files of this machine by their paths. */
async function startAdding({ app, body }: ApiRequest) {
  const { uploads = [], paths = [], snapshot, base } = objectOf(body);
  if (!isTexts(uploads)) throw new UserError("uploads: expected a list of ids");
  if (!isTexts(paths)) throw new UserError("paths: expected a list of files");
  if (paths.length > 0 && app.options.takesPaths !== true) {
    throw new UserError("files are named only where nobody else can reach the server: send the file instead");
  }
  if (paths.includes("-")) throw new UserError("-: there is no standard input here");
  if (uploads.length + paths.length === 0) throw new UserError("nothing to add: choose a file");
  if (snapshot !== undefined && typeof snapshot !== "string") throw new UserError("snapshot: expected a name");
  if (base !== undefined && typeof base !== "string") throw new UserError("base: expected an origin");
  const named = expandInputs(paths.map((name) => path.resolve(name)));
  const options = {
    snapshot: snapshot?.trim() || DEFAULT_SNAPSHOT,
    text: true,
    ...(typeof base === "string" && base.trim() !== "" && { base: originOf(base.trim(), "base") }),
  };
  const sent = uploads.map((id) => app.uploads.take(id));
  const inputs = [...sent, ...named.map((name) => ({ name, path: undefined }))];
  const what = inputs.length === 1 ? path.basename(inputs[0]!.name) : counted(inputs.length, "file");
  try {
    const job = app.jobs.start("add", `adding ${what}`, async (context) => {
      try {
        const added: AddedInput[] = [];
        for (const input of inputs) {
          added.push(await addInput(app.workspace, input.name, options, context, input.path));
        }
        return { told: added.map(addedTold).join("; ") };
      } finally {
        for (const { path: file } of sent) rmSync(file, { force: true });
      }
    });
    return documentOf("dustpan-job", job, 202);
  } catch (error) {
    for (const { path: file } of sent) rmSync(file, { force: true });
    throw error;
  }
}

function addedTold({ name, outcome, records, format, newUrls, pages, damage }: AddedInput): string {
  const file = path.basename(name);
  if (outcome === "known") return `${file} is there already, with nothing new`;
  const damaged = damage.reduce((sum, entry) => sum + entry.count, 0);
  return (
    `${file} (${format}): ${counted(records, "record")}, ${counted(newUrls, "new URL")}` +
    (pages > 0 ? `, ${counted(pages, "page")}` : "") +
    (damaged > 0 ? `; ${counted(damaged, "damaged record")} left out` : "")
  );
}

async function findRules(app: App, context: JobContext): Promise<Outcome> {
  const { threads: _, ...detect } = detectDefaults;
  const options = { ...detect, ...eliminateDefaults };
  const mined = await mine(app.workspace, options, context);
  // Read again now: what people decided meanwhile stands.
  writeRulesFile(app.options.rulesFile, mergeMined(app.options.rulesFile, mined, options));
  const rules = mined.sites.reduce((sum, site) => sum + site.rules.length, 0);
  const urls = mined.sites.reduce((sum, site) => sum + site.urls, 0);
  return { told: `${counted(rules, "likely rule")} among ${counted(urls, "URL")}` };
}

async function findClusters(app: App, context: JobContext): Promise<Outcome> {
  const found = await clusterSnapshots(app.workspace, { level: "similar", top: CLUSTERS_DESCRIBED }, context);
  const told = found.map((clusters) => `${clusters.snapshot}: ${nearDuplicatesInWords(clusters)}`);
  return { told: told.join("; ") };
}

/** As the commands do without flags. */
const CLUSTERS_DESCRIBED = 20;
const LEAST_MIRRORED_PAGES = 10;
const MOST_RISK = 0.05;

async function findMirrors(app: App, context: JobContext): Promise<Outcome> {
  const { snapshots } = await mirrors(app.workspace, { minPages: LEAST_MIRRORED_PAGES }, context);
  const told = snapshots.map(
    ({ snapshot, funnel, share }) =>
      `${snapshot}: ${counted(funnel.mirrors, "pair")} of mirrored hosts, ${percent(share)} of the pages are mirrored`,
  );
  return { told: told.join("; ") };
}

async function findContainedPages(app: App, context: JobContext): Promise<Outcome> {
  const { snapshot, parts, pages } = await findParts(app.workspace, containsDefaults, context);
  return { told: `${snapshot}: ${count(parts)} of ${counted(pages, "page")} are a part of another one` };
}

async function findCollections(app: App, context: JobContext): Promise<Outcome> {
  const found = await findReplicatedCollections(app.workspace, { rules: app.readRules().rules }, context);
  const { snapshot, clusters, replicatedPages, pages } = found;
  return {
    told: `${snapshot}: ${counted(clusters.length, "collection")} with copies, ${count(replicatedPages)} of ${counted(pages, "page")}`,
  };
}

async function compareSnapshots(app: App, context: JobContext): Promise<Outcome> {
  const { snapshots, advice } = await evolve(app.workspace, { plan: "ours", maxRisk: MOST_RISK }, context);
  return {
    told: `${counted(snapshots.length, "snapshot")} compared; of ${counted(advice.advised, "cluster")} one page is enough to watch`,
  };
}
