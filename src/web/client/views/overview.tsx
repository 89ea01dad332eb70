/** The first page: what is there, what was found, and what to do next, with the buttons for it. */
import type { ComponentChildren } from "preact";
import type { Overview } from "../../../documents.js";
import { count, counted, percent } from "../../../numbers.js";
import { nearDuplicatesInWords } from "../../../pages/near-duplicate-words.js";
import { useDocument } from "../api.js";
import { Link } from "../location.js";
import { Pending, Title } from "../parts.js";
import { useWork } from "../work.js";
import { AddForm } from "./add-form.js";
import { StartButton, WorkCard } from "./job-card.js";
import { ValidateForm } from "./validate-form.js";

export function OverviewView() {
  const loaded = useDocument("dustpan-overview", "/api/overview");
  const { data } = loaded;
  const { job, failure } = useWork();
  return (
    <>
      <Title about={data === undefined ? "" : <span class="url">{data.file}</span>}>Overview</Title>
      <Pending of={loaded} />
      {job === undefined && failure === undefined ? null : <WorkCard />}
      {data === undefined ? null : data.inputs + data.pages === 0 ? (
        <Start data={data} />
      ) : (
        <>
          <WhatIsThere data={data} />
          <WhatWasFound data={data} />
          <NextSteps data={data} />
        </>
      )}
    </>
  );
}

/** An empty workspace: there is one thing to do. */
function Start({ data }: { readonly data: Overview }) {
  return (
    <section>
      <h2>Begin with a file</h2>
      <p>
        From an access log or a crawl dustpan learns by which rules a site shows one page under many URLs, and proves
        them before anybody uses them. From pages it finds near-duplicates, mirrors and copied collections.
      </p>
      <AddForm takesPaths={data.takesPaths} />
    </section>
  );
}

function WhatIsThere({ data }: { readonly data: Overview }) {
  return (
    <section>
      <h2>What is there</h2>
      <div class="tiles">
        <Tile href="/snapshots" number={data.inputs} what={data.inputs === 1 ? "input" : "inputs"}>
          {counted(data.records, "record")}
          {data.snapshotCount > 1 ? `, ${counted(data.snapshotCount, "snapshot")}` : ""}
        </Tile>
        <Tile href="/urls" number={data.urls} what="URLs">
          different ones, also those that failed or that pages only link to
        </Tile>
        <Tile href={data.pages > 0 ? "/search" : "/snapshots"} number={data.pages} what="pages">
          {data.pages === 0
            ? "no contents: a log or a list names URLs only"
            : `downloads, with ${counted(data.links, "link")}`}
        </Tile>
      </div>
    </section>
  );
}

function WhatWasFound({ data }: { readonly data: Overview }) {
  const { rules, clusters, mirrors, collections } = data;
  const notYet = data.pages === 0 ? "no page has been read: add a crawl" : "not looked for yet";
  const others = [
    ["aside", "set aside"],
    ["likely", "likely"],
    ["undecided", "undecided"],
    ["out", "refuted or rejected"],
  ] as const;
  return (
    <section>
      <h2>What was found</h2>
      <div class="tiles">
        {countRules(data) === 0 ? (
          <Tile what="rules">not looked for yet</Tile>
        ) : (
          <Tile href="/rules" number={rules.used} what={rules.used === 1 ? "rule in use" : "rules in use"}>
            {rules.used === 0 ? "none is proven or accepted yet" : <Saved />}
            <br />
            {others
              .filter(([group]) => rules[group] > 0)
              .map(([group, words], i) => (
                <span key={group}>
                  {i === 0 ? "" : ", "}
                  <Link href={`/rules?group=${group}`}>
                    {count(rules[group])} {words}
                  </Link>
                </span>
              ))}
          </Tile>
        )}
        {clusters === undefined ? (
          <Tile what="near-duplicates">{notYet}</Tile>
        ) : (
          <Tile href="/clusters" number={clusters.clusters} what={clusters.clusters === 1 ? "cluster" : "clusters"}>
            {nearDuplicatesInWords({
              documents: clusters.of,
              clustered: clusters.pages,
              clusters: clusters.clusters,
            })}
          </Tile>
        )}
        {mirrors === undefined ? (
          <Tile what="mirrors">{notYet}</Tile>
        ) : (
          <Tile href="/mirrors" number={mirrors.pairs} what={mirrors.pairs === 1 ? "mirrored pair" : "mirrored pairs"}>
            {mirrors.pairs === 0 ? "no two hosts are mirrors" : `of ${counted(mirrors.hosts, "host")}`}
          </Tile>
        )}
        {collections === undefined ? (
          <Tile what="collections">{notYet}</Tile>
        ) : (
          <Tile
            href="/collections"
            number={collections.collections}
            what={collections.collections === 1 ? "copied collection" : "copied collections"}
          >
            {collections.collections === 0
              ? "no group of linked pages is there twice"
              : `${counted(collections.copies, "copy", "copies")} with ${counted(collections.pages, "page")}`}
          </Tile>
        )}
      </div>
    </section>
  );
}

const countRules = ({ rules }: Overview) => Object.values(rules).reduce((sum, n) => sum + n, 0);

/** It takes a look at every URL, so it comes when it is ready. */
function Saved() {
  const loaded = useDocument("dustpan-savings", "/api/savings");
  const { data } = loaded;
  if (data === undefined) return <Pending of={loaded} what="Counting" />;
  return (
    <>
      {counted(data.urlsBefore, "URL")} that answered are {counted(data.urlsAfter, "page")}: {percent(data.redundancy)}{" "}
      of the crawl is saved
      {data.hits > 0 && data.hitsOnDust > 0
        ? `; ${percent(data.hitsOnDust / data.hits)} of the requests asked for a duplicate`
        : ""}
    </>
  );
}

function Tile(props: {
  readonly href?: string;
  readonly number?: number;
  readonly what: string;
  readonly children: ComponentChildren;
}) {
  const head = (
    <>
      {props.number === undefined ? null : <b>{count(props.number)} </b>}
      {props.what}
    </>
  );
  return (
    <div class="tile">
      <p class="head">{props.href === undefined ? head : <Link href={props.href}>{head}</Link>}</p>
      <p class="quiet">{props.children}</p>
    </div>
  );
}

/** The first step that has not been done is the one to take; the others can be taken too, or taken again. */
function NextSteps({ data }: { readonly data: Overview }) {
  const { rules } = data;
  const anyRule = countRules(data) > 0;
  const hasPages = data.sketched > 0;
  const known: Step[] = [
    {
      title: "Find likely rules",
      isDone: anyRule,
      why: "Looks for URLs that differ in the same way again and again. Nothing is fetched.",
      act: (primary) => (
        <StartButton kind="mine" primary={primary}>
          {anyRule ? "Look again" : "Find likely rules"}
        </StartButton>
      ),
    },
    {
      title: "Prove the rules",
      isDone: anyRule && rules.likely === 0,
      isPossible: anyRule,
      why: "Compares the pages of a sample of URLs. A rule is used only when that has shown it to be true.",
      act: (primary) => <ValidateForm primary={primary} />,
    },
    {
      title: "Find near-duplicates",
      isDone: data.clusters !== undefined,
      isPossible: hasPages,
      why: "Groups pages with nearly the same text, wherever they are.",
      act: (primary) => (
        <StartButton kind="cluster" primary={primary}>
          {data.clusters === undefined ? "Find near-duplicates" : "Look again"}
        </StartButton>
      ),
    },
    {
      title: "Find mirrored hosts",
      isDone: data.mirrors !== undefined,
      isPossible: hasPages,
      why: "Hosts that hold the same pages under the same paths.",
      act: (primary) => (
        <StartButton kind="mirrors" primary={primary}>
          {data.mirrors === undefined ? "Find mirrors" : "Look again"}
        </StartButton>
      ),
    },
    {
      title: "Find copied collections",
      isDone: data.collections !== undefined,
      isPossible: hasPages && data.links > 0,
      why: "Whole manuals or sites that are there more than once, page by page and link by link.",
      act: (primary) => (
        <StartButton kind="collections" primary={primary}>
          {data.collections === undefined ? "Find collections" : "Look again"}
        </StartButton>
      ),
    },
    {
      title: "Compare the snapshots",
      isDone: data.evolution,
      isPossible: data.crawls > 1,
      why: "What became of near-duplicates from one crawl to the next.",
      act: (primary) => (
        <StartButton kind="evolve" primary={primary}>
          {data.evolution ? "Compare again" : "Compare the snapshots"}
        </StartButton>
      ),
    },
  ];
  const steps = known.filter(({ isPossible = true }) => isPossible);
  const open = steps.filter(({ isDone }) => !isDone);
  const done = steps.filter(({ isDone }) => isDone);
  return (
    <section>
      <h2>What to do next</h2>
      <ol class="todo">
        {open.map((step, i) => (
          <Todo key={step.title} step={step} isNext={i === 0} />
        ))}
        {rules.used === 0 ? null : (
          <li class={open.length === 0 ? "next" : undefined}>
            <h3>Use the rules</h3>
            <p class="quiet">In a crawler, a cache or a server, each in its own form.</p>
            <Link href="/downloads" class="button">
              Downloads
            </Link>
          </li>
        )}
        {(data.mirrors?.pairs ?? 0) + (data.collections?.collections ?? 0) === 0 ? null : (
          <li>
            <h3>Leave the copies out</h3>
            <p class="quiet">
              The next crawl need not fetch them again: <code>dustpan crawl URL --avoid workspace</code>. The lists of
              what to avoid are among the downloads.
            </p>
            <Link href="/downloads" class="button">
              Downloads
            </Link>
          </li>
        )}
        <li>
          <h3>Add more</h3>
          <p class="quiet">
            Another log, or a crawl
            {hasPages ? "" : ": with the pages themselves rules can be proven without a fetch, and copies be found"}.
          </p>
          <AddForm takesPaths={data.takesPaths} />
        </li>
      </ol>
      {done.length === 0 ? null : (
        <details class="again">
          <summary>Done, and can be done again: {done.map(({ title }) => title.toLowerCase()).join(", ")}</summary>
          <ol class="todo">
            {done.map((step) => (
              <Todo key={step.title} step={step} isNext={false} />
            ))}
          </ol>
        </details>
      )}
    </section>
  );
}

function Todo({ step, isNext }: { readonly step: Step; readonly isNext: boolean }) {
  return (
    <li class={isNext ? "next" : undefined}>
      <h3>{step.title}</h3>
      <p class="quiet">{step.why}</p>
      {step.act(isNext)}
    </li>
  );
}

interface Step {
  readonly title: string;
  readonly isDone: boolean;
  readonly isPossible?: boolean;
  readonly why: string;
  readonly act: (primary: boolean) => ComponentChildren;
}
