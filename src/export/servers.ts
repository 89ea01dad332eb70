/** The targets that are servers, proxies and caches, in the order of --list. */
import type { Target } from "./target.js";
import { apache } from "./targets/apache.js";
import { fastly } from "./targets/fastly.js";
import { haproxy } from "./targets/haproxy.js";
import { nginx } from "./targets/nginx.js";
import { squid } from "./targets/squid.js";
import { trafficserver } from "./targets/trafficserver.js";
import { varnish } from "./targets/varnish.js";

export const SERVERS: readonly Target[] = [nginx, apache, varnish, haproxy, squid, trafficserver, fastly];
