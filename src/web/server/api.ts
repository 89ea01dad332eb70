import { readOrderedInfo } from "../../store/urls/url-order.js";
import { copiesRoutes } from "./copies-api.js";
import { downloadsRoutes } from "./downloads-api.js";
import { exportsRoutes } from "./exports-api.js";
import { figuresRoutes } from "./figures-api.js";
import { jobsRoutes } from "./jobs-api.js";
import { overviewRoutes } from "./overview-api.js";
import { documentOf, onceOrdered, type Route } from "./routes.js";
import { rulesRoutes } from "./rules-api.js";
import { searchRoutes } from "./search-api.js";
import { urlsRoutes } from "./urls-api.js";
import { workRoutes } from "./work-api.js";

/** The JSON API (docs/web.md). */
export const apiRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/api/info",
    handle: onceOrdered(async ({ app }) => documentOf("dustpan-info", await readOrderedInfo(app.workspace))),
  },
  ...overviewRoutes,
  ...rulesRoutes,
  ...urlsRoutes,
  ...jobsRoutes,
  ...workRoutes,
  ...copiesRoutes,
  ...searchRoutes,
  ...figuresRoutes,
  ...downloadsRoutes,
  ...exportsRoutes,
];
