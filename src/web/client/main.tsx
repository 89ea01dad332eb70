import { render } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { go, Link, type Place, usePlace, withQuery } from "./location.js";
import { Empty } from "./parts.js";
import { ClustersView, ClusterView } from "./views/clusters.js";
import { CollectionsView, CollectionView } from "./views/collections.js";
import { Downloads } from "./views/downloads.js";
import { FiguresView } from "./views/figures.js";
import { JobsView } from "./views/jobs.js";
import { MirrorsView } from "./views/mirrors.js";
import { OverviewView } from "./views/overview.js";
import { PartsOfPagesView } from "./views/parts-of-pages.js";
import { RuleView } from "./views/rule.js";
import { RuleForm } from "./views/rule-form.js";
import { RulesView } from "./views/rules.js";
import { SearchView } from "./views/search.js";
import { SnapshotsView } from "./views/snapshots.js";
import { UrlView } from "./views/url.js";
import { UrlsView } from "./views/urls.js";
import { useWork } from "./work.js";

const views = [
  ["/", "Overview"],
  ["/rules", "Rules"],
  ["/urls", "URLs"],
  ["/search", "Search"],
  ["/clusters", "Clusters"],
  ["/mirrors", "Mirrors"],
  ["/collections", "Collections"],
  ["/parts", "Parts"],
  ["/snapshots", "Snapshots"],
  ["/figures", "Figures"],
  ["/jobs", "Jobs"],
  ["/downloads", "Downloads"],
] as const;

function App() {
  const place = usePlace();
  useEffect(() => {
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  const shown = place.path;
  const isUnmasked = place.query.has("unmask");
  useEffect(() => {
    document.title = `${views.find(([path]) => isIn(shown, path))?.[1] ?? "No such page"} – dustpan`;
  }, [shown]);
  const nav = useRef<HTMLElement>(null);
  useLayoutEffect(() => showCurrent(nav.current!), [shown]);
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header>
        <Link href="/" class="brand">
          dustpan
        </Link>
        <nav aria-label="Views" ref={nav}>
          {views.map(([path, title]) => (
            <Link key={path} href={path} current={isIn(shown, path)}>
              {title}
            </Link>
          ))}
        </nav>
        <RunningJob />
        <button
          type="button"
          class="plain mask"
          aria-pressed={isUnmasked}
          title="Session ids and tokens in URLs"
          onClick={() => go(withQuery({ unmask: isUnmasked ? undefined : "1" }), "replace")}
        >
          {isUnmasked ? "Hide secrets" : "Show secrets"}
        </button>
      </header>
      <main id="main" tabIndex={-1} key={isUnmasked ? "unmasked" : "masked"}>
        <View path={shown} query={place.query} />
      </main>
    </>
  );
}

const isIn = (shown: string, path: string) => shown === path || (path !== "/" && shown.startsWith(`${path}/`));

/** The job that the server is running, whichever view is shown. */
function RunningJob() {
  const { job } = useWork();
  return job?.state !== "running" ? null : (
    <Link href="/jobs" class="running" label={`Running: ${job.title}`}>
      {job.title} …
    </Link>
  );
}

function View({ path, query }: Place) {
  const [, view, id] = path.split("/");
  switch (view) {
    case "":
      return <OverviewView />;
    case "rules":
      if (id === "new") return <RuleForm key={query.get("edit")} replaces={query.get("edit") ?? undefined} />;
      return id === undefined ? <RulesView query={query} /> : <RuleView key={id} id={id} query={query} />;
    case "urls":
      if (id !== undefined) return <UrlView key={id} id={id} />;
      return query.has("url") ? (
        <UrlView key={query.get("url")} text={query.get("url")!} />
      ) : (
        <UrlsView query={query} />
      );
    case "search":
      return <SearchView query={query} />;
    case "clusters":
      return id === undefined ? <ClustersView query={query} /> : <ClusterView key={id} root={id} query={query} />;
    case "mirrors":
      return <MirrorsView query={query} />;
    case "collections":
      return id === undefined ? (
        <CollectionsView query={query} />
      ) : (
        <CollectionView key={id} cluster={id} query={query} />
      );
    case "parts":
      return <PartsOfPagesView />;
    case "snapshots":
      return <SnapshotsView />;
    case "figures":
      return <FiguresView />;
    case "jobs":
      return <JobsView />;
    case "downloads":
      return <Downloads />;
    default:
      return <Empty>There is no such page.</Empty>;
  }
}

/** On a phone the views are wider than the window. Not with `scrollIntoView`: that would move the page too. */
function showCurrent(nav: HTMLElement): void {
  const link = nav.querySelector<HTMLElement>("[aria-current]");
  if (link !== null) nav.scrollLeft = link.offsetLeft - nav.offsetLeft - (nav.clientWidth - link.offsetWidth) / 2;
}

/** "/" goes to the search field, j and k walk along the rows. */
function onKey(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return;
  if (event.key === "/") {
    const field = document.querySelector<HTMLInputElement>("[data-search]");
    if (field === null) return;
    event.preventDefault();
    field.focus();
    field.select();
  }
  if (event.key === "j" || event.key === "k") {
    const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")];
    const at = rows.indexOf(document.activeElement as HTMLElement);
    const next = at < 0 ? 0 : at + (event.key === "j" ? 1 : -1);
    rows[Math.max(0, Math.min(rows.length - 1, next))]?.focus();
  }
}

render(<App />, document.getElementById("app")!);
