import { actionWords } from "../../../canon/kinds.js";
import { type Segment, scopeWords } from "../../../canon/words.js";
import type { ShownRule } from "../../../documents.js";
import { count } from "../../../numbers.js";
import { queryOf, useDocument } from "../api.js";
import { Link } from "../location.js";
import { Badge, Empty, Failure, Pager, Pending, QueryChoice, QueryField, SortHead } from "../parts.js";

export function RulesView({ query }: { readonly query: URLSearchParams }) {
  const sort = query.get("sort") ?? "rank";
  const order = query.get("order") ?? "desc";
  const asked = ["status", "decision", "site", "q", "sort", "order", "after"];
  const path = `/api/rules${queryOf(Object.fromEntries(asked.map((name) => [name, query.get(name)])))}`;
  const loaded = useDocument("dustpan-rule-list", path);
  const { data, isLoading } = loaded;
  const counted = (status: string) => (data === undefined ? "" : ` (${count(data.counts[status] ?? 0)})`);
  const all = data === undefined ? 0 : Object.values(data.counts).reduce((sum, n) => sum + n, 0);
  return (
    <>
      <div class="title">
        <h1>Rules</h1>
        <span class="quiet">{data === undefined ? "" : `${count(data.total)} of ${count(all)}`}</span>
        <div class="actions">
          <Link href="/rules/new" class="button">
            Write a rule
          </Link>
          <Link href="/jobs" class="button">
            Validate
          </Link>
        </div>
      </div>
      <div class="filters">
        <QueryField name="q" label="Find" placeholder="text of a rule" isSearch />
        <QueryChoice
          name="status"
          label="Verdict"
          choices={[
            ["", "all"],
            ["valid", `valid${counted("valid")}`],
            ["likely", `likely${counted("likely")}`],
            ["undecided", `undecided${counted("undecided")}`],
            ["refuted", `refuted${counted("refuted")}`],
          ]}
        />
        <QueryChoice
          name="decision"
          label="Decision"
          choices={[
            ["", "all"],
            ["accepted", "accepted"],
            ["rejected", "rejected"],
            ["none", "none yet"],
          ]}
        />
        {(data?.sites.length ?? 0) > 1 ? (
          <QueryChoice
            name="site"
            label="Site"
            choices={[["", "all"], ...data!.sites.map((site) => [site, site || "(none)"] as const)]}
          />
        ) : null}
      </div>
      <Failure message={data?.problem} />
      <Pending of={loaded} />
      {data === undefined ? null : data.rules.length === 0 ? (
        <Empty>
          {all === 0 ? 'No rules yet: "dustpan mine" finds likely ones.' : "No rule fits what is asked for."}
        </Empty>
      ) : (
        <table class={isLoading ? "list stale" : "list"}>
          <caption class="hidden">Rules</caption>
          <thead>
            <tr>
              <SortHead name="rank" title="Rule" sort={sort === "rank" ? "" : sort} order={order} />
              <th scope="col">Verdict</th>
              <SortHead name="support" title="Support" sort={sort} order={order} class="number" />
              <SortHead name="merges" title="Merges" sort={sort} order={order} class="number wide" />
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
      <Pager next={data?.next} what="rules" />
    </>
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
      <td class="number">{count(rule.support)}</td>
      <td class="number wide">{count(rule.merges)}</td>
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
  return as === "quiet" ? <span class="quiet">{text}</span> : text;
}
