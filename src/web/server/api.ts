import { readOrderedInfo } from "../../store/urls/url-order.js";
import { copiesRoutes } from "./copies-api.js";
import { downloadsRoutes } from "./downloads-api.js";
import { figuresRoutes } from "./figures-api.js";
import { jobsRoutes } from "./jobs-api.js";
import { documentOf, onceOrdered, type Route } from "./routes.js";
import { rulesRoutes } from "./rules-api.js";
import { searchRoutes } from "./search-api.js";
import { urlsRoutes } from "./urls-api.js";

/** The JSON API (docs/web.md). */
export const apiRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/api/info",
    handle: onceOrdered(async ({ app }) => documentOf("dustpan-info", await readOrderedInfo(app.workspace))),
  },
  ...rulesRoutes,
  ...urlsRoutes,
  ...jobsRoutes,
  ...copiesRoutes,
  ...searchRoutes,
  ...figuresRoutes,
  ...downloadsRoutes,
];
