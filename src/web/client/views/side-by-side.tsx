/** Two pages side by side, with the lines that differ. */
import type { ComparedPage } from "../../../documents.js";
import { bytes, count, counted } from "../../../numbers.js";
import { useDocument } from "../api.js";
import { Pending } from "../parts.js";

/** Unchanged lines around a difference that stay in sight. */
const CONTEXT = 2;

export function SideBySide({ path }: { readonly path: string }) {
  const loaded = useDocument("dustpan-pair", path);
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
                  <td colSpan={2}>{counted(skipped, "equal line")}</td>
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
