import { useState } from "preact/hooks";
import { similarityWords } from "../../../canon/legend.js";
import type { Pair, ShownRule } from "../../../documents.js";
import { count } from "../../../numbers.js";
import { whyUndecided } from "../../../validate/why-undecided.js";
import { messageOf, post, queryOf, remove, useDocument } from "../api.js";
import { go, hrefOf, Link, withQuery } from "../location.js";
import { Badge, Empty, Facts, Failure, Pager, Pending, QueryChoice, UrlChange, useTitle } from "../parts.js";
import { RuleExport } from "./exports.js";
import { WorkCard } from "./job-card.js";
import { PreviewPanel } from "./preview.js";
import { RuleText, Verdict } from "./rules.js";
import { SideBySide } from "./side-by-side.js";
import { ValidateForm } from "./validate-form.js";

export function RuleView({ id, query }: { readonly id: string; readonly query: URLSearchParams }) {
  const loaded = useDocument("dustpan-rules-shown", `/api/rules/${id}`);
  const { data, reload } = loaded;
  const [failure, setFailure] = useState<string>();
  const rule = data?.rules[0];
  useTitle(rule?.text);
  if (rule === undefined || data === undefined) return <Pending of={loaded} />;
  const attempt = async (work: () => Promise<unknown>) => {
    setFailure(undefined);
    try {
      const { problem } = (await work()) as { problem?: string };
      setFailure(problem);
      reload();
    } catch (problem) {
      setFailure(messageOf(problem));
    }
  };
  const decide = (decision: string | null) =>
    attempt(() => post("dustpan-rules-shown", `/api/rules/${id}/decision`, { decision }));
  return (
    <>
      <p class="crumbs">
        <Link href="/rules">Rules</Link> / {rule.id}
      </p>
      <div class="title">
        <h1 class="rule">
          <RuleText rule={rule} />
        </h1>
        <Verdict rule={rule} />
      </div>
      <fieldset class="actions" aria-label="Your decision">
        <button type="button" aria-pressed={rule.decision === "accepted"} onClick={() => decide("accepted")}>
          Accept
        </button>
        <button type="button" aria-pressed={rule.decision === "rejected"} onClick={() => decide("rejected")}>
          Reject
        </button>
        <button type="button" disabled={rule.decision === null} onClick={() => decide(null)}>
          Reset
        </button>
        <Link href={`/rules/new?edit=${rule.id}`} class="button">
          Edit
        </Link>
        {rule.source === "hand" ? (
          <button
            type="button"
            onClick={() =>
              attempt(() => remove("dustpan-rules-shown", `/api/rules/${id}`)).then(() => go(hrefOf("/rules")))
            }
          >
            Remove
          </button>
        ) : null}
      </fieldset>
      <Failure message={failure} />
      <WhyUndecided rule={rule} />
      <RuleFacts rule={rule} />
      <section>
        <h2>Which URLs it merges</h2>
        <PreviewPanel body={{ id: rule.id }} key={rule.id} />
      </section>
      <section>
        <h2>Pages that were compared</h2>
        <Pairs rule={rule.id} query={query} />
      </section>
      <Related title="Narrower rules" rules={data.refinements ?? []} />
      <Related title="It is a narrower form of" rules={data.refines ?? []} />
      <section>
        <h2>Use it in another program</h2>
        {data.group === "used" ? (
          <RuleExport rule={rule.id} />
        ) : (
          <p class="quiet">
            Exports have the rules in use, and this one is not in use: it has to be proven or accepted first.
          </p>
        )}
      </section>
      <section>
        <h2>Validate this rule</h2>
        <ValidateForm rules={[rule.id]} />
        <WorkCard />
      </section>
    </>
  );
}

function WhyUndecided({ rule }: { readonly rule: ShownRule }) {
  const reason = whyUndecided(rule);
  return reason === undefined ? null : (
    <p class="note">
      Undecided: {reason.why}; {reason.next}.
    </p>
  );
}

function RuleFacts({ rule }: { readonly rule: ShownRule }) {
  const { evidence, opposite } = rule;
  return (
    <>
      <Facts
        facts={[
          ["Pairs", `${count(rule.support)} in the input, ${count(rule.confirmed)} with sizes or texts that agree`],
          ...(evidence === undefined
            ? []
            : [
                ["Alike", `${count(evidence.positive)} of ${count(evidence.positive + evidence.negative)}`] as const,
                ["Site itself", declared(evidence)] as const,
                [
                  "Checked",
                  `${evidence.checkedAt.slice(0, 16).replace("T", " ")}, ${similarityWords(evidence.similarity)}`,
                ] as const,
              ]),
          ...(opposite === undefined
            ? []
            : [
                [
                  "The other way",
                  `${opposite.status}: ${count(opposite.positive)} alike, ${count(opposite.negative)} not`,
                ] as const,
              ]),
          ...(rule.after === undefined ? [] : [["Holds after", rule.after.join(", ")] as const]),
          ["Site", rule.site || "any"],
        ]}
      />
      {rule.note === undefined ? null : <p class="note">{rule.note}</p>}
    </>
  );
}

function declared(evidence: NonNullable<ShownRule["evidence"]>): string {
  const parts = [
    [evidence.redirected, "redirected"],
    [evidence.canonicalised, "canonicalised"],
    [evidence.canonicalConflicts, "in conflict"],
  ] as const;
  const told = parts.filter(([n]) => n > 0).map(([n, what]) => `${count(n)} ${what}`);
  return told.length === 0 ? "says nothing" : told.join(", ");
}

function Related({ title, rules }: { readonly title: string; readonly rules: readonly ShownRule[] }) {
  if (rules.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ul class="plain">
        {rules.slice(0, 20).map((rule) => (
          <li key={rule.id}>
            <Link href={`/rules/${rule.id}`} class="rule">
              <RuleText rule={rule} />
            </Link>{" "}
            <Verdict rule={rule} />
          </li>
        ))}
      </ul>
      {rules.length > 20 ? <p class="quiet">and {count(rules.length - 20)} more</p> : null}
    </section>
  );
}

const outcomes: Readonly<Record<Pair["outcome"], readonly [kind: string, title: string]>> = {
  positive: ["valid", "alike"],
  negative: ["refuted", "not alike"],
  skipped: ["undecided", "skipped"],
  unknown: ["plain", "from the list"],
};

function Pairs({ rule, query }: { readonly rule: string; readonly query: URLSearchParams }) {
  const asked = queryOf({ outcome: query.get("outcome"), after: query.get("after") });
  const loaded = useDocument("dustpan-pairs", `/api/rules/${rule}/pairs${asked}`);
  const { data } = loaded;
  const open = query.get("pair");
  if (data === undefined) return <Pending of={loaded} />;
  return (
    <>
      <div class="filters">
        <QueryChoice
          name="outcome"
          label="Outcome"
          choices={[
            ["", "all"],
            ["positive", "alike"],
            ["negative", "not alike"],
            ["skipped", "skipped"],
          ]}
        />
      </div>
      {data.pairs.length === 0 ? <Empty>No pages have been compared for this rule yet.</Empty> : null}
      <ul class="pairs">
        {data.pairs.map((pair) => {
          const [kind, title] = outcomes[pair.outcome];
          const isOpen = open === pair.pair;
          return (
            <li key={pair.pair}>
              <button
                type="button"
                class="pair"
                aria-expanded={isOpen}
                data-row=""
                onClick={() => go(withQuery({ pair: isOpen ? undefined : pair.pair }), "replace")}
              >
                <span class="badges">
                  <Badge kind={kind}>{title}</Badge>
                  {pair.why === "" ? null : <span class="quiet">{pair.why}</span>}
                  {pair.direction === "opposite" ? <Badge kind="plain">reversed</Badge> : null}
                </span>
                <UrlChange from={pair.from} to={pair.to} />
              </button>
              {isOpen ? <SideBySide path={`/api/rules/${rule}/pairs/${pair.pair}`} /> : null}
            </li>
          );
        })}
      </ul>
      <Pager next={data.next} what="compared pages" />
    </>
  );
}
