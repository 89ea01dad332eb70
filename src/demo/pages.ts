import { paragraph, randomNumbers, title } from "./text.js";

/**
 * The example site: a forum under two names, with two sub-sites that run the same software with other stories. The
 * answer depends on the host and on the URL; `documentOf` is the truth that rules are measured against.
 */
export const mainHosts = ["forum.test", "www.forum.test"] as const;
export const subSites = ["movies.forum.test", "politics.forum.test"] as const;
export const allHosts = [...mainHosts, ...subSites] as const;

const STORIES_PER_FORUM = 150;
const THREADS_PER_FORUM = 60;
const REPLIES_PER_THREAD = 30;
const REPLIES_PER_PAGE = 10;
export const archiveYears = [2003, 2004, 2005, 2006] as const;
export const tags = ["film", "budget", "harbour", "trains", "letters", "water"] as const;
export const helpTopics = ["faq", "rules", "contact", "moderation", "privacy"] as const;

export interface Forum {
  readonly name: string;
  readonly stories: number;
  readonly threads: number;
}

/** The forum behind a host name, or undefined where the site does not know it. */
export function forumOf(host: string): Forum | undefined {
  if ((mainHosts as readonly string[]).includes(host)) {
    return { name: "main", stories: STORIES_PER_FORUM, threads: THREADS_PER_FORUM };
  }
  if ((subSites as readonly string[]).includes(host)) {
    return { name: host.split(".", 1)[0]!, stories: STORIES_PER_FORUM, threads: THREADS_PER_FORUM };
  }
  return undefined;
}

/** What a request is answered with. `document` names the content: equal names, equal documents. */
export type Answer =
  | { readonly kind: "page"; readonly document: string; readonly html: string; readonly canonical?: string }
  | { readonly kind: "image"; readonly document: string; readonly bytes: Uint8Array }
  | { readonly kind: "softError"; readonly html: string }
  | { readonly kind: "redirect"; readonly location: string }
  | { readonly kind: "missing" }
  | { readonly kind: "text"; readonly text: string };

/** What changes from one request to the next: the advertisement and the counter. */
export interface Volatile {
  readonly advertisement: string;
  readonly views: number;
}

export function answer(forum: Forum, path: string, query: URLSearchParams, volatile: Volatile): Answer {
  const lower = path.toLowerCase();
  if (path === "/robots.txt") return { kind: "text", text: "User-agent: *\nDisallow: /admin/\nCrawl-delay: 0\n" };
  if (path === "/" || path === "/index.html" || path === "/index.php") return frontPage(forum, volatile);

  const story = /^\/story_(\d+)$/.exec(path)?.[1] ?? (/^\/story(?:\.php)?$/.test(path) ? query.get("id") : null);
  if (story !== null) return storyPage(forum, Number(story), query.get("view") === "print", volatile);
  const short = /^\/s\/(\d+)$/.exec(path)?.[1];
  if (short !== undefined) {
    const page = storyPage(forum, Number(short), false, volatile);
    return page.kind === "page" ? { ...page, canonical: `/story?id=${short}` } : page;
  }
  const old = /^\/old\/story\/(\d+)$/.exec(path)?.[1];
  if (old !== undefined) return { kind: "redirect", location: `/story?id=${old}` };

  const thread = /^\/thread_(\d+)$/.exec(path)?.[1] ?? (path === "/thread" ? query.get("rep") : null);
  if (thread !== null) return threadPage(forum, Number(thread), Number(query.get("start") ?? 0), volatile);

  const archive = /^\/archive\/(\d{4})\/(?:index\.html)?$/.exec(path)?.[1];
  if (archive !== undefined) return archivePage(forum, Number(archive), volatile);
  const tag = /^\/tag\/([a-z]+)\/$/.exec(path)?.[1];
  if (tag !== undefined) return tagPage(forum, tag, volatile);
  const help = /^\/help\/([a-z]+)$/.exec(lower)?.[1];
  if (help !== undefined) return helpPage(forum, help, volatile);
  if (path === "/search") return searchPage(forum, query.get("q") ?? "", Number(query.get("page") ?? 1), volatile);

  const picture = /^\/img\/pic-(\d+)\.gif$/.exec(path)?.[1];
  if (picture !== undefined && Number(picture) <= 40) return image(`${forum.name}/pic-${picture}`, Number(picture));
  if (/^\/(?:img|archive\/img|help\/img)\/bullet\.gif$/.test(path)) return image("bullet", 0);
  return { kind: "missing" };
}

/** The document at a URL, under whatever name; undefined where there is none (also for soft errors). */
export function documentOf(url: string): string | undefined {
  const { hostname, pathname, searchParams } = new URL(url);
  const forum = forumOf(hostname);
  if (forum === undefined) return undefined;
  const found = answer(forum, pathname, searchParams, { advertisement: "", views: 0 });
  if (found.kind === "redirect") return documentOf(new URL(found.location, url).href);
  return found.kind === "page" || found.kind === "image" ? found.document : undefined;
}

function shell(forum: Forum, heading: string, body: string, volatile: Volatile): string {
  const links = [
    `<a href="/">Home</a>`,
    `<a href="/archive/2006/">Archive</a>`,
    `<a href="/help/faq">Help</a>`,
    `<a href="/search?q=harbour&amp;page=1">Search</a>`,
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${heading} - ${forum.name} forum</title></head>
<body><p>${links.join(" | ")}</p>
<h1>${heading}</h1>
${body}
<p>${volatile.advertisement}</p>
<p>Seen ${String(volatile.views).padStart(6, "0")} times.</p>
</body></html>
`;
}

const seedOf = (text: string) => [...text].reduce((seed, c) => (Math.imul(seed, 31) + c.charCodeAt(0)) >>> 0, 7);

function frontPage(forum: Forum, volatile: Volatile): Answer {
  const random = randomNumbers(seedOf(`${forum.name}/front`));
  const newest = Array.from({ length: 12 }, (_, i) => forum.stories - i);
  const list = newest.map((id) => `<li><a href="/story?id=${id}">${storyTitle(forum, id)}</a></li>`).join("\n");
  const threads = Array.from({ length: 10 }, (_, i) => `<li><a href="/thread?rep=${i + 1}">Thread ${i + 1}</a></li>`);
  const body = `<p>${paragraph(random, 6)}</p><ul>${list}</ul><ul>${threads.join("\n")}</ul>`;
  return { kind: "page", document: `${forum.name}/front`, html: shell(forum, "Newest stories", body, volatile) };
}

function storyTitle(forum: Forum, id: number): string {
  return title(randomNumbers(seedOf(`${forum.name}/story/${id}/title`)));
}

function storyPage(forum: Forum, id: number, print: boolean, volatile: Volatile): Answer {
  if (!Number.isInteger(id) || id < 1 || id > forum.stories) return noSuch(forum, "story", volatile);
  const document = `${forum.name}/story/${id}`;
  const random = randomNumbers(seedOf(document));
  const heading = storyTitle(forum, id);
  const paragraphs = 4 + Math.floor(random() * 8);
  const text = Array.from({ length: paragraphs }, () => `<p>${paragraph(random, 5)}</p>`).join("\n");
  const comments = Array.from(
    { length: 2 + Math.floor(random() * 9) },
    (_, i) => `<p>Comment ${i + 1}: ${paragraph(random, 3)}</p>`,
  );
  const related = [id + 1, id + 2, id + 7].map((n) => ((n - 1) % forum.stories) + 1);
  const links = related.map((n) => `<li><a href="/story_${n}">${storyTitle(forum, n)}</a></li>`).join("\n");
  if (print) {
    // Without comments and links: much of the same text, but not the same page.
    const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${heading}</title></head><body><h1>${heading}</h1>${text}</body></html>`;
    return { kind: "page", document: `${document}/print`, html };
  }
  const body = `${text}\n<h2>Comments</h2>\n${comments.join("\n")}\n<h2>Related</h2><ul>${links}</ul>
<p><a href="/story?id=${id}&amp;view=print">Print</a> <a href="/vote?id=${id}&amp;up=1">Vote</a></p>`;
  return { kind: "page", document, html: shell(forum, heading, body, volatile) };
}

function threadPage(forum: Forum, id: number, start: number, volatile: Volatile): Answer {
  const page = Math.floor(start / REPLIES_PER_PAGE);
  if (!(id >= 1 && id <= forum.threads && start >= 0 && start < REPLIES_PER_THREAD))
    return noSuch(forum, "thread", volatile);
  const document = `${forum.name}/thread/${id}/${page}`;
  const random = randomNumbers(seedOf(document));
  const length = 3 + Math.floor(random() * 6);
  const replies = Array.from({ length: REPLIES_PER_PAGE }, (_, i) => {
    return `<p>Reply ${page * REPLIES_PER_PAGE + i + 1}: ${paragraph(random, length)}</p>`;
  });
  const next = (page + 1) * REPLIES_PER_PAGE;
  const more = next < REPLIES_PER_THREAD ? `<p><a href="/thread?rep=${id}&amp;start=${next}">More</a></p>` : "";
  return { kind: "page", document, html: shell(forum, `Thread ${id}`, replies.join("\n") + more, volatile) };
}

function archivePage(forum: Forum, year: number, volatile: Volatile): Answer {
  if (!(archiveYears as readonly number[]).includes(year)) return { kind: "missing" };
  const document = `${forum.name}/archive/${year}`;
  const random = randomNumbers(seedOf(document));
  const first = 1 + (year - archiveYears[0]) * 30;
  const list = Array.from(
    { length: 30 },
    (_, i) => `<li><a href="/story?id=${first + i}">${storyTitle(forum, first + i)}</a></li>`,
  );
  const years = archiveYears.map((other) => `<a href="/archive/${other}/index.html">${other}</a>`).join(" ");
  const body = `<p>${paragraph(random, 3 + (year % 5))}</p><ul>${list.join("\n")}</ul><p>${years}</p>`;
  return { kind: "page", document, html: shell(forum, `Archive ${year}`, body, volatile) };
}

function tagPage(forum: Forum, tag: string, volatile: Volatile): Answer {
  if (!(tags as readonly string[]).includes(tag)) return { kind: "missing" };
  const document = `${forum.name}/tag/${tag}`;
  const random = randomNumbers(seedOf(document));
  return {
    kind: "page",
    document,
    html: shell(forum, `About ${tag}`, `<p>${paragraph(random, 10 + tag.length)}</p>`, volatile),
  };
}

function helpPage(forum: Forum, topic: string, volatile: Volatile): Answer {
  if (!(helpTopics as readonly string[]).includes(topic)) return { kind: "missing" };
  const document = `${forum.name}/help/${topic}`;
  const random = randomNumbers(seedOf(document));
  return {
    kind: "page",
    document,
    html: shell(forum, `Help: ${topic}`, `<p>${paragraph(random, 8 + topic.length)}</p>`, volatile),
  };
}

function searchPage(forum: Forum, words: string, page: number, volatile: Volatile): Answer {
  const known = (tags as readonly string[]).includes(words);
  if (!known || page > 3) {
    // An empty result is a soft error: the same text for every question.
    return {
      kind: "softError",
      html: shell(forum, "Search", "<p>Your search did not match any story. Try other words.</p>", volatile),
    };
  }
  const document = `${forum.name}/search/${words}/${page}`;
  const random = randomNumbers(seedOf(document));
  return {
    kind: "page",
    document,
    html: shell(forum, `Search: ${words}`, `<p>${paragraph(random, 9 + page * 2)}</p>`, volatile),
  };
}

function noSuch(forum: Forum, what: string, volatile: Volatile): Answer {
  return {
    kind: "softError",
    html: shell(forum, "Not found", `<p>Sorry, there is no such ${what} here. It may have been removed.</p>`, volatile),
  };
}

function image(document: string, number: number): Answer {
  const random = randomNumbers(seedOf(document));
  const bytes = Uint8Array.from({ length: 400 + number * 13 }, () => Math.floor(random() * 256));
  bytes.set(new TextEncoder().encode("GIF89a"));
  return { kind: "image", document, bytes };
}
