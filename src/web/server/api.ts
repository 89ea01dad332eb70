import { nameCrawlers } from "../../cli/commands/info.js";
import { measureSavings } from "../../jobs/savings.js";
import { describeWorkspace } from "../../store/info.js";
import { downloadsRoutes } from "./downloads-api.js";
import { jobsRoutes } from "./jobs-api.js";
import { documentOf, type Route } from "./routes.js";
import { rulesRoutes } from "./rules-api.js";
import { urlsRoutes } from "./urls-api.js";

/** The JSON API (docs/web.md). */
export const apiRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/api/info",
    handle: async ({ app }) => documentOf("dustpan-info", nameCrawlers(await describeWorkspace(app.workspace))),
  },
  {
    method: "GET",
    path: "/api/savings",
    handle: async ({ app }) =>
      documentOf("dustpan-savings", await measureSavings(app.workspace, app.readRules().rules)),
  },
  ...rulesRoutes,
  ...urlsRoutes,
  ...jobsRoutes,
  ...downloadsRoutes,
];
