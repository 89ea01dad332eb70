/**
 * URL lists as sites' logs have them, for the benchmarks: articles with slugs and dates, a forum, a shop with parameters,
 * a wiki, static files; and their dust: www, index pages, session ids, print views, aliases. Seeded; about a quarter of the
 * URLs are duplicates of another. Written straight into a string column: ten million strings would not fit the heap.
 */
import { randomNumbers } from "#src/demo/text.js";

const syllables = "an be co da el fo gri ha in jo ka lu men no or pra qui ro sta ti un ver wa xi yo zen".split(" ");

function makeWords(count, draw) {
  const words = new Set();
  while (words.size < count) {
    let word = "";
    for (let k = 2 + Math.floor(draw() * 3); k > 0; k--) word += syllables[Math.floor(draw() * syllables.length)];
    words.add(word);
  }
  return [...words];
}

/** Yields a page's URL and its duplicates: [url, ...duplicates], and the size of its document. */
function makeSite(total, draw) {
  const words = makeWords(4000, draw);
  const pick = (list) => list[Math.floor(draw() * list.length)];
  // Zipf-like: the first words are much more frequent.
  const word = () => words[Math.floor(words.length * draw() ** 3)];
  const number = (limit) => 1 + Math.floor(draw() * limit);
  const hex = (digits) => Array.from({ length: digits }, () => Math.floor(draw() * 16).toString(16)).join("");
  const topics = Math.max(200, Math.floor(total / 8));
  const products = Math.max(200, Math.floor(total / 10));
  const base = "http://www.example.org";
  const bare = "http://example.org";
  const sections = ["news", "sports", "science", "travel", "culture", "local", "world"];
  const kinds = [
    () => {
      const slug = Array.from({ length: 3 + Math.floor(draw() * 4) }, word).join("-");
      const path = `/${pick(sections)}/${number(14) + 2006}/${String(number(12)).padStart(2, "0")}/${slug}`;
      const urls = [`${base}${path}.html`];
      if (draw() < 0.2) urls.push(`${bare}${path}.html`);
      if (draw() < 0.1) urls.push(`${base}${path}.html?print=1`);
      if (draw() < 0.05) urls.push(`${base}${path}.html?utm_source=feed&utm_medium=rss`);
      return urls;
    },
    () => {
      const topic = number(topics);
      const start = draw() < 0.6 ? "" : `&start=${15 * number(20)}`;
      const urls = [`${base}/forum/viewtopic.php?f=${topic % 17}&t=${topic}${start}`];
      if (draw() < 0.25) urls.push(`${urls[0]}&sid=${hex(32)}`);
      if (draw() < 0.15) urls.push(`${bare}/forum/viewtopic.php?f=${topic % 17}&t=${topic}${start}`);
      if (draw() < 0.1 && start === "") urls.push(`${base}/forum/topic_${topic}`, `${base}/forum/topic?id=${topic}`);
      return urls;
    },
    () => {
      const product = number(products);
      const urls = [`${base}/shop/${word()}/${word()}/p${product}?color=${pick(["red", "blue", "green", "black"])}`];
      if (draw() < 0.3) urls.push(`${urls[0]}&ref=${pick(["home", "search", "mail"])}`);
      if (draw() < 0.2) urls.push(urls[0].replace("?", `;jsessionid=${hex(24).toUpperCase()}?`));
      return urls;
    },
    () => {
      const title = Array.from({ length: 1 + Math.floor(draw() * 3) }, word).join("_");
      const urls = [`${base}/wiki/${title}`];
      if (draw() < 0.3) urls.push(`${base}/w/index.php?title=${title}`);
      if (draw() < 0.2) urls.push(`${base}/w/index.php?title=${title}&action=edit`);
      if (draw() < 0.2) urls.push(`${base}/w/index.php?title=${title}&oldid=${number(total)}`);
      return urls;
    },
    () => {
      const folder = `/~${word()}${number(Math.max(9, total / 50))}/${word()}`;
      const urls = [`${base}${folder}/`];
      if (draw() < 0.5) urls.push(`${base}${folder}/index.html`);
      if (draw() < 0.2) urls.push(`${bare}${folder}/`);
      for (let k = number(8); k > 0; k--) urls.push(`${base}${folder}/pic-${k}.jpg`);
      return urls;
    },
    () => [`${base}/search?q=${word()}+${word()}&page=${number(30)}&lang=${pick(["en", "de", "fr"])}`],
  ];
  const weights = [0.28, 0.24, 0.14, 0.12, 0.12, 0.1];
  return () => {
    let choice = draw();
    let kind = 0;
    while (kind < weights.length - 1 && choice >= weights[kind]) choice -= weights[kind++];
    return kinds[kind]();
  };
}

/** `count` unique URLs as a UrlList with one size a URL; duplicates have the sizes of their originals, give or take. */
export function makeUrlList(count, { seed = 1, sizes = true } = {}) {
  const draw = randomNumbers(seed);
  const site = makeSite(count, draw);
  let bytes = Buffer.alloc(Math.max(1 << 16, count * 96));
  const offsets = new Uint32Array(count + 1);
  const minBytes = new Float64Array(count);
  const seen = new Uint32Array(1 << Math.ceil(Math.log2(count * 2 + 2)));
  let made = 0;
  while (made < count) {
    const size = 2000 + Math.floor(draw() * 60000);
    for (const url of site()) {
      if (made === count) break;
      const from = offsets[made];
      if (from + 512 > bytes.length) {
        const larger = Buffer.alloc(2 * bytes.length);
        larger.set(bytes);
        bytes = larger;
      }
      const to = from + bytes.latin1Write(url, from);
      let hash = 0;
      for (let i = from; i < to; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193);
      hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
      let slot = (hash ^ (hash >>> 13)) & (seen.length - 1);
      let isNew = true;
      for (; seen[slot] !== 0; slot = (slot + 1) & (seen.length - 1)) {
        const other = seen[slot] - 1;
        if (bytes.compare(bytes, offsets[other], offsets[other + 1], from, to) === 0) {
          isNew = false;
          break;
        }
      }
      if (!isNew) continue;
      seen[slot] = made + 1;
      minBytes[made] = draw() < 0.9 && !url.endsWith(".jpg") ? size : 2000 + Math.floor(draw() * 60000);
      offsets[++made] = to;
    }
  }
  const urls = { count, bytes: new Uint8Array(bytes.buffer, bytes.byteOffset, offsets[count]), offsets };
  if (!sizes) return { urls };
  const maxBytes = minBytes.map((size) => size * 1.05);
  const rows = Uint32Array.from({ length: count + 1 }, (_, i) => i);
  return { urls, sizes: { rows, source: new Uint32Array(count), minBytes, maxBytes } };
}
