/** The targets that are servers, caches and crawlers with files of their own, in the order of --list. */

import { akamai } from "./servers/akamai.js";
import { apache } from "./servers/apache.js";
import { caddy } from "./servers/caddy.js";
import { cloudfront } from "./servers/cloudfront.js";
import { fastly } from "./servers/fastly.js";
import { haproxy } from "./servers/haproxy.js";
import { heritrix } from "./servers/heritrix.js";
import { nginx } from "./servers/nginx.js";
import { nutch } from "./servers/nutch.js";
import { squid } from "./servers/squid.js";
import { trafficserver } from "./servers/trafficserver.js";
import { varnish } from "./servers/varnish.js";
import type { Target } from "./target.js";

export const serverTargets: readonly Target[] = [
  ...[nginx, apache, caddy, varnish, haproxy, squid, trafficserver],
  ...[fastly, cloudfront, akamai],
  ...[nutch, heritrix],
];
