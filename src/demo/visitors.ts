import { Agent, request } from "node:http";
import { archiveYears, forumOf, helpTopics, mainHosts, subSites, tags } from "./pages.js";
import { pick, randomNumbers } from "./text.js";

/**
 * Readers and bots who browse the example site the way people do: through links in mails and feeds, through short and
 * old addresses, with and without a session. Their requests are real, and so is the site's access log.
 */
export async function browse(port: number, visits: number, seed: number, signal: AbortSignal): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const random = randomNumbers(seed);
  try {
    const plans = Array.from({ length: visits }, () => planVisit(random));
    let next = 0;
    const worker = async () => {
      while (next < plans.length && !signal.aborted) {
        const { agentName, requests } = plans[next++]!;
        for (const { host, path } of requests) await get(agent, port, host, path, agentName);
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
  } finally {
    agent.destroy();
  }
}

interface Visit {
  readonly agentName: string;
  readonly requests: readonly { readonly host: string; readonly path: string }[];
}

const browsers = [
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:143.0) Gecko/20100101 Firefox/143.0",
];
const bots = [
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
  "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
];

function planVisit(random: () => number): Visit {
  const bot = random() < 0.35;
  const host = random() < 0.55 ? pick(random, mainHosts) : pick(random, subSites);
  const session = bot ? random() < 0.3 : random() < 0.5;
  const sid = session ? Array.from({ length: 16 }, () => Math.floor(random() * 16).toString(16)).join("") : undefined;
  const steps = 2 + Math.floor(random() * (bot ? 14 : 6));
  const requests = Array.from({ length: steps }, () => ({ host, path: withSession(planPath(host, random), sid) }));
  return { agentName: bot ? pick(random, bots) : pick(random, browsers), requests };
}

function withSession(path: string, sid: string | undefined): string {
  if (sid === undefined || path.startsWith("/img/")) return path;
  return `${path}${path.includes("?") ? "&" : "?"}sid=${sid}`;
}

function planPath(host: string, random: () => number): string {
  const forum = forumOf(host)!;
  const what = random();
  if (what < 0.5) {
    const id = 1 + Math.floor(random() * forum.stories);
    const forms: readonly (readonly [number, string])[] = [
      [0.32, `/story?id=${id}`],
      [0.28, `/story_${id}`],
      [0.14, `/story.php?id=${id}`],
      [0.08, `/story?id=${id}&ref=${pick(random, ["rss", "mail", "home"])}`],
      [0.06, `/story?id=${id}&view=print`],
      [0.04, `/story?LastView=&Close=&id=${id}`],
      [0.04, `/s/${id}`],
      [0.04, `/old/story/${id}`],
    ];
    return choose(random, forms);
  }
  if (what < 0.68) {
    const id = 1 + Math.floor(random() * forum.threads);
    const start = pick(random, ["", "", "10", "20"]);
    return random() < 0.5
      ? `/thread?rep=${id}${start === "" ? "" : `&start=${start}`}`
      : `/thread_${id}${start === "" ? "" : `?start=${start}`}`;
  }
  if (what < 0.74) return pick(random, ["/", "/index.html", "/index.php"]);
  if (what < 0.8) return `/archive/${pick(random, archiveYears)}/${random() < 0.5 ? "index.html" : ""}`;
  if (what < 0.84) return `/tag/${pick(random, tags)}/`;
  if (what < 0.88) {
    const topic = pick(random, helpTopics);
    return `/help/${random() < 0.3 ? topic[0]!.toUpperCase() + topic.slice(1) : topic}`;
  }
  if (what < 0.93) {
    const words = random() < 0.8 ? pick(random, tags) : "nothing";
    const page = 1 + Math.floor(random() * 3);
    return random() < 0.5 ? `/search?q=${words}&page=${page}` : `/search?page=${page}&q=${words}`;
  }
  if (what < 0.97) return `/img/pic-${1 + Math.floor(random() * 40)}.gif`;
  return pick(random, ["/img/bullet.gif", "/story_99999", "/nowhere", "/vote?id=3&up=1", "/logout"]);
}

function choose<T>(random: () => number, weighted: readonly (readonly [number, T])[]): T {
  let at = random() * weighted.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, value] of weighted) {
    at -= weight;
    if (at < 0) return value;
  }
  return weighted[weighted.length - 1]![1];
}

function get(agent: Agent, port: number, host: string, path: string, agentName: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { agent, port, host: "127.0.0.1", path, headers: { host: `${host}:${port}`, "user-agent": agentName } },
      (response) => {
        response.resume();
        response.on("end", resolve);
      },
    );
    sent.on("error", reject);
    sent.end();
  });
}
