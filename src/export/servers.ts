/** The targets that are servers, caches and crawlers with files of their own, in the order of --list. */
import type { Target } from "./target.js";
import { akamai } from "./targets/akamai.js";
import { apache } from "./targets/apache.js";
import { caddy } from "./targets/caddy.js";
import { cloudfront } from "./targets/cloudfront.js";
import { fastly } from "./targets/fastly.js";
import { haproxy } from "./targets/haproxy.js";
import { heritrix } from "./targets/heritrix.js";
import { nginx } from "./targets/nginx.js";
import { nutch } from "./targets/nutch.js";
import { squid } from "./targets/squid.js";
import { trafficserver } from "./targets/trafficserver.js";
import { varnish } from "./targets/varnish.js";

export const SERVERS: readonly Target[] = [
  ...[nginx, apache, caddy, varnish, haproxy, squid, trafficserver],
  ...[fastly, cloudfront, akamai],
  ...[nutch, heritrix],
];
