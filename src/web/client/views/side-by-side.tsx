/** Two pages side by side, with the lines that differ. */
import type { VNode } from "preact";
import type { ComparedPage, Comparison } from "../../../documents.js";
import { bytes, count, counted } from "../../../numbers.js";
import { useDocument } from "../api.js";
import { Pending } from "../parts.js";

type ComparedRow = NonNullable<Comparison["rows"]>[number];

/** Unchanged lines around a difference that stay in sight. */
const CONTEXT = 2;

export function SideBySide({ path }: { readonly path: string }) {
  const loaded = useDocument("dustpan-pair", path);
  if (loaded.data === undefined) return <Pending of={loaded} />;
  const { left, right, rows } = loaded.data;
  const differences = rows?.filter((row) => !row.same).length ?? 0;
  return (
    <div class="comparison">
      <table class={loaded.isLoading ? "diff stale" : "diff"}>
        <caption class="quiet">
          {rows === undefined
            ? "The text of at least one of the pages is not in the workspace."
            : differences === 0
              ? "The texts are the same."
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
        <tbody>{rows === undefined ? null : inSight(rows)}</tbody>
      </table>
    </div>
  );
}

/** The rows around differences, and how many rows there are between them. */
function inSight(rows: readonly ComparedRow[]): VNode[] {
  const shown: VNode[] = [];
  let hidden = 0;
  const countHidden = (key: string) => {
    if (hidden > 0) {
      shown.push(
        <tr key={key} class="skipped">
          <td colSpan={2}>{counted(hidden, "equal line")}</td>
        </tr>,
      );
    }
    hidden = 0;
  };
  for (const [i, row] of rows.entries()) {
    if (rows.slice(Math.max(0, i - CONTEXT), i + CONTEXT + 1).every(({ same }) => same)) {
      hidden++;
      continue;
    }
    countHidden(`before-${i}`);
    shown.push(
      <tr key={i} class={row.same ? "same" : "different"}>
        <td>{row.same ? row.left : <Changed line={row.left} other={row.right} as="del" />}</td>
        <td>{row.same ? row.right : <Changed line={row.right} other={row.left} as="ins" />}</td>
      </tr>,
    );
  }
  countHidden("rest");
  return shown;
}

interface ChangedLine {
  readonly line: string | undefined;
  readonly other: string | undefined;
  readonly as: "del" | "ins";
}

/** A line, marked from the first word that the other line does not have there to the last. */
function Changed({ line = "", other = "", as: Mark }: ChangedLine) {
  const [words, others] = [line.split(" "), other.split(" ")];
  let start = 0;
  while (start < words.length && start < others.length && words[start] === others[start]) start++;
  let end = 0;
  const least = Math.min(words.length, others.length) - start;
  while (end < least && words.at(-1 - end) === others.at(-1 - end)) end++;
  const changed = words.slice(start, words.length - end).join(" ");
  return (
    <>
      {words.slice(0, start).map((word) => `${word} `)}
      {changed === "" ? null : <Mark>{changed}</Mark>}
      {words.slice(words.length - end).map((word) => ` ${word}`)}
    </>
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
