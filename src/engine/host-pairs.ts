import { MOST_HOSTS } from "../mirrors/host-pairs.js";
import type { Step } from "./engine.js";

/**
 * Pairs of hosts with pages in common clusters (mirrors/host-pairs.ts): reads `cluster (id, root, size)` and `page_hosts
 * (id, host)` with hosts as numbers, makes `host_pair (a, b, pages_a, pages_b, clusters)` with a < b, of pairs that reach
 * `minPages` on both sides, and `auto_mirror (host, pages)`. All hosts of a cluster are paired up to MOST_HOSTS of them, and
 * beyond that the root's with each other one.
 */
export function hostPairSteps(minPages: number): Step[] {
  return [
    {
      name: "mirror_candidate",
      why: "Hosts with enough pages in clusters of two and more: nobody else can be in a pair.",
      select: `SELECT h.host AS host FROM cluster AS c JOIN page_hosts AS h ON h.id = c.id WHERE c.size > 1
       GROUP BY h.host HAVING count(*) >= ${minPages}`,
    },
    {
      name: "cluster_host",
      why: "Pages by cluster and host, and the first of them.",
      select: `SELECT c.root AS root, h.host AS host, count(*) AS pages, min(c.id) AS first_page
       FROM cluster AS c JOIN page_hosts AS h ON h.id = c.id JOIN mirror_candidate AS m ON m.host = h.host
       WHERE c.size > 1 GROUP BY c.root, h.host`,
    },
    {
      name: "auto_mirror",
      why: "Pages in clusters with another page of their own host.",
      select: "SELECT host, CAST(sum(pages) AS BIGINT) AS pages FROM cluster_host WHERE pages > 1 GROUP BY host",
    },
    {
      name: "cluster_crowd",
      why: "How many hosts a cluster has, and which one is the root's.",
      select: `SELECT root, count(*) AS hosts, min(first_page) AS first_page FROM cluster_host GROUP BY root HAVING count(*) > 1`,
    },
    {
      name: "host_pair",
      why: "Pairs of hosts, the smaller number first.",
      select: `SELECT a, b, CAST(sum(pages_a) AS BIGINT) AS pages_a, CAST(sum(pages_b) AS BIGINT) AS pages_b, count(*) AS clusters
       FROM (SELECT x.host AS a, y.host AS b, x.pages AS pages_a, y.pages AS pages_b
         FROM cluster_host AS x JOIN cluster_crowd AS c ON c.root = x.root
         JOIN cluster_host AS y ON y.root = x.root AND x.host < y.host
         WHERE c.hosts <= ${MOST_HOSTS} OR x.first_page = c.first_page OR y.first_page = c.first_page) AS paired
       GROUP BY a, b HAVING sum(pages_a) >= ${minPages} AND sum(pages_b) >= ${minPages}`,
    },
  ];
}
