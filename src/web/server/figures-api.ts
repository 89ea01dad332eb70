import { UserError } from "../../errors.js";
import { copyFigures } from "../../jobs/copy-figures.js";
import { collectReport } from "../../jobs/report.js";
import { type DrawnFigure, drawFigures } from "../../report/figures.js";
import type { App } from "./app.js";
import { type Answer, type ApiRequest, documentOf, type Route } from "./routes.js";

export const figuresRoutes: readonly Route[] = [
  { method: "GET", path: "/api/figures", handle: list },
  { method: "POST", path: "/api/jobs/figures", handle: drawAll },
  { method: "GET", path: "/api/figures/:file", handle: show },
];

/** The figures about copies at once; those about rules and dust once a job has gone through all URLs. */
function figuresOf(app: App): Promise<DrawnFigure[]> {
  return app.remember("figures", async () => drawFigures(await copyFigures(app.workspace)));
}

async function list({ app }: ApiRequest) {
  const figures = await figuresOf(app);
  return documentOf("dustpan-figures", {
    figures: figures.map(({ svg: _, ...figure }) => figure),
    job: app.jobs.running("figures") ?? null,
  });
}

async function drawAll({ app }: ApiRequest) {
  const job = app.jobs.start("figures", "drawing the figures about rules and dust", async (context) => {
    const { rulesFile, unmask } = app.options;
    const { figures } = await collectReport(app.workspace, app.readRules(), { unmask, rulesFile }, context);
    await app.replace("figures", async () => drawFigures(figures));
    return {};
  });
  return documentOf("dustpan-job", job, 202);
}

async function show({ app, params, query }: ApiRequest): Promise<Answer> {
  const name = /^([\w-]+)\.svg$/.exec(params.file!)?.[1];
  const figure = (await figuresOf(app)).find((drawn) => drawn.name === name);
  if (figure === undefined) throw new UserError(`no figure ${params.file}`);
  return { text: figure.svg, type: "image/svg+xml", ...(query.has("download") && { name: params.file! }) };
}
