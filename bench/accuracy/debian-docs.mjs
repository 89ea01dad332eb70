// Makes the crawl for section 4 of Cho et al. 2000 out of Debian's documentation packages, as a WARC with its truth.
//   node bench/accuracy/debian-docs.mjs FOLDER
//   node bench/accuracy/collections.mjs FOLDER/debian-docs.warc truth=FOLDER/debian-docs.json
// Packages are downloaded with apt-get (all versions that apt offers) and unpacked below FOLDER, which is to be outside of
// the repository. A target is one manual; its copies, each on a host or a prefix of its own, are
//   NAME.test        the newest version
//   oldN.NAME.test   each older one that there is (a point release; for some targets the major version before)
//   mirror.test      a plain copy
//   edited.test      a copy with a banner, a link and a footer more on each page, as mirrors add them
//   partial.test     the first 60% of the pages from the start page on; links to the others lead to NAME.test
//   cut.test         the same pages, but links to the others lead nowhere
// The last four are made here. Added to them are manuals that nobody copied, one manual in four languages, and one in another
// rendering (plain text), whose pages must not be taken for copies.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const folder = process.argv[2];
if (folder === undefined) throw new Error("usage: node bench/accuracy/debian-docs.mjs FOLDER");

/** Name, packages from the newest on (all their versions are taken), the manual's folder, its start page. */
const targets = [
  ["apache", ["apache2-doc"], "doc/apache2-doc/manual/en", "index.html"],
  ["apache-fr", ["apache2-doc"], "doc/apache2-doc/manual/fr", "index.html"],
  ["django", ["python-django-doc"], "doc/python-django-doc/html", "index.html"],
  ["git", ["git-doc"], "doc/git-doc", "index.html"],
  ["lemonldap", ["lemonldap-ng-doc"], "doc/lemonldap-ng/pages/documentation/current", "start.html"],
  ["glib", ["libglib2.0-doc"], "gtk-doc/html/glib", "index.html"],
  ["gio", ["libglib2.0-doc"], "gtk-doc/html/gio", "index.html"],
  ["vips", ["libvips-doc"], "gtk-doc/html/libvips", "index.html"],
  ["libxml2", ["libxml2-doc"], "gtk-doc/html/libxml2", "index.html"],
  ["nodejs", ["nodejs-doc"], "doc/nodejs/api", "index.html"],
  ["nova", ["nova-doc"], "doc/nova-doc/html", "index.html"],
  ["glance", ["glance-doc"], "doc/glance-doc/html", "index.html"],
  ["postgresql", ["postgresql-doc-15"], "doc/postgresql-doc-15/html", "index.html"],
  ["proftpd", ["proftpd-doc"], "doc/proftpd-doc", "Configuration.html"],
  ["lxml", ["python-lxml-doc"], "doc/python-lxml/html", "index.html"],
  ["python", ["python3.11-doc"], "doc/python3.11/html", "index.html"],
  ["swift", ["swift-doc"], "doc/swift-doc/base", "index.html"],
  ["tomcat", ["tomcat10-docs"], "tomcat10-docs/docs", "index.html"],
  ["wireshark-user", ["wireshark-doc"], "doc/wireshark/wsug_html_chunked", "index.html"],
  ["wireshark-dev", ["wireshark-doc"], "doc/wireshark/wsdg_html_chunked", "index.html"],
  ["poppler", ["libpoppler-glib-doc"], "gtk-doc/html/poppler", "index.html"],
  ["clang", ["clang-15-doc", "clang-14-doc"], "doc/clang-*/html", "index.html"],
  ["llvm", ["llvm-16-doc", "llvm-15-doc", "llvm-14-doc"], "doc/llvm-*-doc/html", "index.html"],
];
const alone = [
  ["aptitude-en", "aptitude-doc-en", "doc/aptitude/html/en"],
  ["aptitude-es", "aptitude-doc-es", "doc/aptitude/html/es"],
  ["aptitude-fr", "aptitude-doc-fr", "doc/aptitude/html/fr"],
  ["aptitude-ja", "aptitude-doc-ja", "doc/aptitude/html/ja"],
  ["debian-policy", "debian-policy", "doc/debian-policy"],
  ["debmake", "debmake-doc", "doc/debmake-doc/html"],
  ["exim", "exim4-doc-html", "doc/exim4-doc-html/spec_html"],
  ["developers", "developers-reference", "developers-reference"],
  ["entwickler", "developers-reference-de", "developers-reference/de"],
  ["reference", "debian-reference-en", "debian-reference"],
  ["referenz", "debian-reference-de", "debian-reference"],
];
/** Generated tables, 900 of them: more than all other pages of that manual. */
const leftOut = /^AMDGPU\//;

const run = (command, args, options) => execFileSync(command, args, { encoding: "utf8", ...options });

/** The unpacked versions of a package, the newest first. */
function unpack(name) {
  const packages = path.join(folder, "packages");
  mkdirSync(packages, { recursive: true });
  mkdirSync(path.join(folder, "unpacked"), { recursive: true });
  const offered = run("apt-cache", ["madison", name]).split("\n");
  const versions = [...new Set(offered.map((line) => line.split("|")[1]?.trim()).filter(Boolean))];
  return versions.map((version) => {
    const to = path.join(folder, "unpacked", `${name}_${version.replaceAll(":", "%3a")}`);
    if (!existsSync(to)) {
      const isOf = (file) => file.startsWith(`${name}_${version.replaceAll(":", "%3a")}_`);
      if (!readdirSync(packages).some(isOf))
        run("apt-get", ["download", "-q", `${name}=${version}`], { cwd: packages });
      run("dpkg-deb", ["-x", path.join(packages, readdirSync(packages).find(isOf)), to]);
    }
    return { version: `${name} ${version}`, share: path.join(to, "usr/share") };
  });
}

/** Files of a manual by their path in it. */
function readManual(share, pattern, extension) {
  const place = pattern.split("/").reduce((at, part) => {
    if (!part.includes("*")) return path.join(at, part);
    const [before, after] = part.split("*");
    return path.join(
      at,
      readdirSync(at).find((name) => name.startsWith(before) && name.endsWith(after)),
    );
  }, share);
  const files = readdirSync(place, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name.endsWith(extension),
  );
  const manual = new Map();
  for (const file of files) {
    const name = path.relative(place, path.join(file.parentPath ?? file.path, file.name));
    if (!leftOut.test(name)) manual.set(name, readFileSync(path.join(place, name)));
  }
  return manual;
}

const HREF = /(<a\b[^>]*?\bhref=["'])([^"'#]*)/gi;
const pageOf = (name, href) => {
  if (href === "" || /^[a-z]+:/i.test(href)) return undefined;
  return path.posix.normalize(path.posix.join(path.posix.dirname(name), href));
};

/** The first of the pages, breadth first from the start. */
function firstPages(manual, start, share) {
  const found = new Set(manual.has(start) ? [start] : [manual.keys().next().value]);
  for (const name of found) {
    for (const [, , href] of manual.get(name).toString("latin1").matchAll(HREF)) {
      const to = pageOf(name, href);
      if (manual.has(to)) found.add(to);
    }
  }
  for (const name of manual.keys()) found.add(name);
  return new Set([...found].slice(0, Math.ceil(share * manual.size)));
}

function edit(body, number) {
  const banner = `<p>A copy for the readers of our network. <a href="/">Home</a></p>`;
  const footer = `<p>Copied by edited.test, page ${number}</p>`;
  return Buffer.from(
    body
      .toString("latin1")
      .replace(/<body[^>]*>/i, (tag) => tag + banner)
      .replace(/<\/body>/i, (tag) => footer + tag),
    "latin1",
  );
}

const warc = createWriteStream(path.join(folder, "debian-docs.warc"));
async function writePage(url, type, body) {
  const http = `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`;
  const head =
    `WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:${crypto.randomUUID()}>\r\nWARC-Date: 2026-11-16T00:00:00Z\r\n` +
    `WARC-Target-URI: ${url}\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: ${http.length + body.length}\r\n\r\n${http}`;
  const wait = !warc.write(Buffer.concat([Buffer.from(head), body, Buffer.from("\r\n\r\n")]));
  if (wait) await once(warc, "drain");
}

const truth = [];
async function writeCopy(
  target,
  prefix,
  manual,
  what,
  { type = "text/html", change = (body) => body, counts = true } = {},
) {
  truth.push({ prefix, target, pages: manual.size, what, isCopy: counts });
  let number = 0;
  for (const [name, body] of manual) await writePage(prefix + encodeURI(name), type, change(body, number++, name));
}

for (const [name, packages, place, start] of targets) {
  const versions = packages.flatMap(unpack);
  const manuals = versions.map(({ share }) => readManual(share, place, ".html"));
  const [newest] = manuals;
  const primary = `http://${name}.test/`;
  for (const [at, manual] of manuals.entries()) {
    await writeCopy(name, at === 0 ? primary : `http://old${at}.${name}.test/`, manual, versions[at].version);
  }
  await writeCopy(name, `http://mirror.test/${name}/`, newest, "plain copy");
  await writeCopy(name, `http://edited.test/${name}/`, newest, "banner, link and footer added", { change: edit });
  const kept = firstPages(newest, start, 0.6);
  const part = new Map([...newest].filter(([page]) => kept.has(page)));
  const toPrimary = (body, _, page) =>
    Buffer.from(
      body.toString("latin1").replace(HREF, (all, tag, href) => {
        const to = pageOf(page, href);
        return newest.has(to) && !kept.has(to) ? `${tag}${primary}${to}` : all;
      }),
      "latin1",
    );
  await writeCopy(name, `http://partial.test/${name}/`, part, "first 60%, the rest linked to at the original", {
    change: toPrimary,
  });
  await writeCopy(name, `http://cut.test/${name}/`, part, "first 60%, links to the rest lead nowhere");
  console.log(
    `${name}: ${newest.size} pages, ${manuals.length} versions: ${versions.map(({ version }) => version).join(", ")}`,
  );
}
const [{ share: git }] = unpack("git-doc");
const texts = readManual(git, "doc/git-doc", ".txt");
await writeCopy("git", "http://text.git.test/", texts, "the sources of git's manual as plain text", {
  type: "text/plain",
  counts: false,
});
for (const [name, packageName, place] of alone) {
  const [{ share, version }] = unpack(packageName);
  await writeCopy(name, `http://${name}.test/`, readManual(share, place, ".html"), version);
}
warc.end();
await once(warc, "finish");
writeFileSync(path.join(folder, "debian-docs.json"), `${JSON.stringify(truth, null, 1)}\n`);
console.log(`${truth.reduce((sum, { pages }) => sum + pages, 0)} pages in ${truth.length} copies`);
