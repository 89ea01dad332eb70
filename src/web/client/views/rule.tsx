import { useState } from "preact/hooks";
import type { ComparedPage, Pair, ShownRule } from "../../../documents.js";
import { bytes, count } from "../../../numbers.js";
import { messageOf, post, queryOf, remove, useDocument } from "../api.js";
import { go, hrefOf, Link, withQuery } from "../location.js";
import { Badge, Empty, Facts, Failure, Pager, Pending, QueryChoice, UrlChange, useTitle } from "../parts.js";
import { RuleExport } from "./exports.js";
import { WorkCard } from "./job-card.js";
import { PreviewPanel } from "./preview.js";
import { RuleText, Verdict } from "./rules.js";
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
            Exports have the rules in use, and this is none of them: it has to be proven or accepted first.
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

function RuleFacts({ rule }: { readonly rule: ShownRule }) {
  const { evidence, opposite } = rule;
  return (
    <>
      <Facts
        facts={[
          ["Support", `${count(rule.support)} (${count(rule.confirmed)} confirmed)`],
          ["Merges", `${count(rule.merges)} URLs`],
          ...(evidence === undefined
            ? []
            : [
                ["Alike", `${count(evidence.positive)} of ${count(evidence.positive + evidence.negative)}`] as const,
                ["Site itself", declared(evidence)] as const,
                ["Checked", `${evidence.checkedAt.slice(0, 16).replace("T", " ")}, ${evidence.similarity}`] as const,
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
              {isOpen ? <SideBySide rule={rule} pair={pair.pair} /> : null}
            </li>
          );
        })}
      </ul>
      <Pager next={data.next} what="compared pages" />
    </>
  );
}

/** Unchanged lines around a difference that stay in sight. */
const CONTEXT = 2;

function SideBySide({ rule, pair }: { readonly rule: string; readonly pair: string }) {
  const loaded = useDocument("dustpan-pair", `/api/rules/${rule}/pairs/${pair}`);
  if (loaded.data === undefined) return <Pending of={loaded} />;
  const { left, right, rows } = loaded.data;
  const isNear = (i: number) => rows!.slice(Math.max(0, i - CONTEXT), i + CONTEXT + 1).some((row) => !row.same);
  const differences = rows?.filter((row) => !row.same).length ?? 0;
  let hidden = 0;
  return (
    <div class="comparison">
      <table class="diff">
        <caption class="quiet">
          {rows === undefined
            ? "The text of at least one of the pages is not in the workspace."
            : differences === 0
              ? `The texts are the same: ${count(rows.length)} lines.`
              : `${count(differences)} of ${count(rows.length)} lines differ.`}
        </caption>
        <thead>
          <tr>
            <th scope="col">
              <PageFacts page={left} />
            </th>
            <th scope="col">
              <PageFacts page={right} />
            </th>
          </tr>
        </thead>
        <tbody>
          {rows?.map((row, i) => {
            if (differences > 0 && row.same && !isNear(i)) {
              hidden++;
              return null;
            }
            const skipped = hidden;
            hidden = 0;
            return [
              skipped === 0 ? null : (
                <tr key={`skipped-${i}`} class="skipped">
                  <td colSpan={2}>{count(skipped)} equal lines</td>
                </tr>
              ),
              <tr key={i} class={row.same ? "same" : "different"}>
                <td>{row.left === undefined ? "" : row.same ? row.left : <del>{row.left}</del>}</td>
                <td>{row.right === undefined ? "" : row.same ? row.right : <ins>{row.right}</ins>}</td>
              </tr>,
            ];
          })}
        </tbody>
      </table>
    </div>
  );
}

function PageFacts({ page }: { readonly page: ComparedPage }) {
  const parts = [
    page.status === undefined ? undefined : `status ${page.status}`,
    page.bytes === undefined ? undefined : bytes(page.bytes),
    page.fetched?.slice(0, 16).replace("T", " "),
    page.redirect === undefined ? undefined : `redirects to ${page.redirect}`,
    page.canonical === undefined ? undefined : `names ${page.canonical} canonical`,
    page.why,
  ].filter((part) => part !== undefined);
  return (
    <>
      <div class="url">{page.url}</div>
      {page.title === undefined ? null : <div>{page.title}</div>}
      <div class="quiet">{parts.length === 0 ? "never seen" : parts.join(" · ")}</div>
    </>
  );
}
