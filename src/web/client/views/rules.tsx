import { actionWords } from "../../../canon/kinds.js";
import { legend } from "../../../canon/legend.js";
import { type Segment, scopeWords } from "../../../canon/words.js";
import { type CertificateTold, type RuleGroup, ruleGroups, type ShownRule } from "../../../documents.js";
import { capitalized, count } from "../../../numbers.js";
import { queryOf, useDocument } from "../api.js";
import { Link, withQuery } from "../location.js";
import {
  Badge,
  Empty,
  Failure,
  Legend,
  Pager,
  Pending,
  QueryChoice,
  QueryField,
  SortHead,
  withoutUnmask,
} from "../parts.js";
import { NotLookedYet } from "./job-card.js";

const groupTitles: Readonly<Record<RuleGroup | "all", string>> = {
  used: "In use",
  aside: "Set aside",
  likely: "Likely",
  undecided: "Undecided",
  out: "Refuted or rejected",
  all: "All",
};

const groupWords: Readonly<Record<RuleGroup | "all", string>> = {
  used: "Proven on pages, or accepted by you: canonization, exports and the report use these.",
  aside: "Proven or accepted, but left out: each would undo a rule in use, or needs one that is not in use.",
  likely: "URLs that differ in this way look like copies. No page has been compared yet, and nothing uses them.",
  undecided: "Pages were compared, and too few of them to say. Nothing uses these.",
  out: "Pages were different, or you rejected the rule. Nothing uses these.",
  all: "All rules, whatever came of them.",
};

/** What all rules of a site together are worth, or that nobody has tried them together. */
function Certificates({ of }: { readonly of: readonly CertificateTold[] }) {
  return of.map(({ site, certified, text }) => (
    <p key={site} class="about">
      {of.length > 1 ? <b>{site} </b> : null}
      {certified ? <Badge kind="valid">certified</Badge> : null}{" "}
      {!certified && of.length === 1 ? capitalized(text) : text}.
    </p>
  ));
}

export function RulesView({ query }: { readonly query: URLSearchParams }) {
  const sort = query.get("sort") ?? "rank";
  const order = query.get("order") ?? "desc";
  const asked = ["decision", "site", "q", "sort", "order", "after"];
  const fields = Object.fromEntries(asked.map((name) => [name, query.get(name)]));
  const path = `/api/rules${queryOf({ group: query.get("group") ?? "first", ...fields })}`;
  const loaded = useDocument("dustpan-rule-list", path);
  const { data, isLoading } = loaded;
  const all = data === undefined ? 0 : Object.values(data.groups).reduce((sum, n) => sum + n, 0);
  return (
    <>
      <div class="title">
        <h1>Rules</h1>
        <div class="actions">
          <Link href="/rules/new" class="button">
            Write a rule
          </Link>
          {all === 0 ? null : (
            <Link href="/jobs" class="button">
              Prove them
            </Link>
          )}
        </div>
      </div>
      <Pending of={loaded} />
      {data === undefined ? null : all === 0 ? (
        <NotLookedYet kind="mine" action="Find likely rules">
          No rules yet.
        </NotLookedYet>
      ) : (
        <>
          <nav class="tabs" aria-label="Groups of rules">
            {[...ruleGroups, "all" as const]
              .filter((group) => group === "all" || group === "used" || data.groups[group] > 0)
              .map((group) => (
                <Link
                  key={group}
                  href={withoutUnmask(withQuery({ group, after: undefined }))}
                  current={data.group === group}
                >
                  {groupTitles[group]} <span class="quiet">{count(group === "all" ? all : data.groups[group])}</span>
                </Link>
              ))}
          </nav>
          <p class="about">{groupWords[data.group]}</p>
          {data.group === "used" ? <Certificates of={data.certificates} /> : null}
          <div class="filters">
            <QueryField name="q" label="Find" placeholder="text of a rule" isSearch />
            <QueryChoice
              name="decision"
              label="Your decision"
              choices={[
                ["", "all"],
                ["accepted", "accepted"],
                ["rejected", "rejected"],
                ["none", "none yet"],
              ]}
            />
            {data.sites.length > 1 ? (
              <QueryChoice
                name="site"
                label="Site"
                choices={[["", "all"], ...data.sites.map((site) => [site, site || "(none)"] as const)]}
              />
            ) : null}
          </div>
          <Failure message={data.problem} />
          {data.rules.length === 0 ? (
            <NoRule group={data.group} isFiltered={asked.some((name) => query.get(name) !== null)} />
          ) : (
            <table class={isLoading ? "list stale" : "list"}>
              <caption class="hidden">Rules: {groupTitles[data.group]}</caption>
              <thead>
                <tr>
                  <SortHead name="rank" title="Rule" sort={sort === "rank" ? "" : sort} order={order} />
                  <th scope="col">Verdict</th>
                  <SortHead name="merges" title="Merges" sort={sort} order={order} class="number" />
                  <SortHead name="support" title="Pairs" sort={sort} order={order} class="number wide" />
                  <SortHead name="positive" title="Alike" sort={sort} order={order} class="number wide" />
                  <SortHead name="negative" title="Not" sort={sort} order={order} class="number wide" />
                </tr>
              </thead>
              <tbody>
                {data.rules.map((rule) => (
                  <RuleRow key={rule.id} rule={rule} />
                ))}
              </tbody>
            </table>
          )}
          <Pager next={data.next} what="rules" />
          <Legend
            entries={[
              ["Merges", legend.merges],
              ["Pairs", `${legend.pairs}, when it was mined`],
              ["Alike", legend.alike],
              ["Not", "those that do not"],
              ["valid", "enough pages were compared, and they are the same"],
              ["valid, reversed", "true the other way round, and used so"],
            ]}
          />
        </>
      )}
    </>
  );
}

function NoRule({ group, isFiltered }: { readonly group: RuleGroup | "all"; readonly isFiltered: boolean }) {
  if (isFiltered || group !== "used") return <Empty>No rule fits what is asked for.</Empty>;
  return (
    <Empty>
      No rule is proven or accepted yet.
      <Link href="/jobs" class="button">
        Prove the likely ones
      </Link>
    </Empty>
  );
}

export function RuleRow({ rule }: { readonly rule: ShownRule }) {
  return (
    <tr>
      <td>
        <Link href={`/rules/${rule.id}`} class="rule" row>
          <RuleText rule={rule} />
        </Link>
      </td>
      <td>
        <Verdict rule={rule} />
      </td>
      <td class="number">{count(rule.merges)}</td>
      <td class="number wide">{count(rule.support)}</td>
      <td class="number wide">{rule.evidence === undefined ? "" : count(rule.evidence.positive)}</td>
      <td class="number wide">{rule.evidence === undefined ? "" : count(rule.evidence.negative)}</td>
    </tr>
  );
}

export function Verdict({ rule }: { readonly rule: ShownRule }) {
  const isReversed = rule.status !== "valid" && rule.opposite?.status === "valid";
  return (
    <span class="badges">
      <Badge kind={isReversed ? "valid" : rule.status}>{isReversed ? "valid, reversed" : rule.status}</Badge>
      {rule.decision === null ? null : <Badge kind={rule.decision}>{rule.decision}</Badge>}
      {rule.source === "mined" ? null : <Badge kind="plain">{rule.source}</Badge>}
    </span>
  );
}

/** What a rule does, with what goes and what comes marked. */
export function RuleText({ rule }: { readonly rule: ShownRule }) {
  return (
    <>
      <span class="action">{actionWords(rule).map(shown)}</span>
      <span class="scope">{scopeWords(rule.scope).map(shown)}</span>
    </>
  );
}

function shown({ text, as }: Segment) {
  if (as === "removed") return <del>{text}</del>;
  if (as === "added") return <ins>{text}</ins>;
  if (as === "name") return <b>{text}</b>;
  if (as !== "quiet") return text;
  return <span class={text === " -> " ? "quiet arrow" : "quiet"}>{text}</span>;
}
