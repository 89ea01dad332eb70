/** The rules for other programs, as downloads. */
import { useState } from "preact/hooks";
import type { ExportList } from "../../../documents.js";
import { count, counted } from "../../../numbers.js";
import { queryOf, useDocument } from "../api.js";
import { Link } from "../location.js";
import { DownloadLink, Empty, Pending } from "../parts.js";

type Target = ExportList["targets"][number];
type Use = Target["uses"][number];

const useTitles: Readonly<Record<string, string>> = { key: "as a key", redirect: "as redirects" };

const address = ({ name }: Target, { use }: Use) => `/api/exports/${name}${queryOf({ as: use })}`;

/** Every target with its files: what `dustpan export` writes. */
export function Exports() {
  const loaded = useDocument("dustpan-exports", "/api/exports");
  const { data } = loaded;
  if (data === undefined) return <Pending of={loaded} />;
  if (data.rules === 0) return <NoneInUse />;
  return (
    <>
      <p class="quiet">
        The {counted(data.rules, "rule")} in use, in the form that each program reads. What a program cannot say exactly
        is left out, and named in the file.
      </p>
      <table class="list">
        <caption class="hidden">The rules for other programs</caption>
        <thead>
          <tr>
            <th scope="col">Program</th>
            <th scope="col" class="number">
              Rules
            </th>
            <th scope="col">Files</th>
          </tr>
        </thead>
        <tbody>
          {data.targets.map((target) => (
            <tr key={target.name}>
              <td>
                {target.title}
                <div class="quiet wide">{target.expresses}</div>
              </td>
              <td class="number">
                {count(target.uses[0]!.exported)} of {count(data.rules)}
              </td>
              <td class="files">
                {target.uses.map((use) => (
                  <p key={use.use}>
                    <DownloadLink href={address(target, use)}>{target.file}</DownloadLink>
                    {target.uses.length === 1 ? null : <span class="quiet"> {useTitles[use.use]}</span>}
                  </p>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** For one rule: whether a program can say it, and the file. */
export function RuleExport({ rule }: { readonly rule: string }) {
  const loaded = useDocument("dustpan-exports", "/api/exports");
  const { data } = loaded;
  const [name, setName] = useState<string>();
  if (data === undefined) return <Pending of={loaded} />;
  if (data.rules === 0) return <NoneInUse />;
  const target = data.targets.find((each) => each.name === name);
  return (
    <>
      <div class="filters">
        <label class="field grow">
          <span>Program</span>
          <select value={name ?? ""} onChange={(event) => setName(event.currentTarget.value)}>
            <option value="" disabled>
              choose one of {count(data.targets.length)}
            </option>
            {data.targets.map((each) => (
              <option key={each.name} value={each.name}>
                {each.title}
              </option>
            ))}
          </select>
        </label>
      </div>
      {target === undefined ? null : (
        <>
          <p class="quiet">{target.expresses}</p>
          {target.covers === undefined ? null : <p class="quiet">{target.covers}</p>}
          <ul class="plain">
            {target.uses.map((use) => (
              <li key={use.use}>
                <DownloadLink href={address(target, use)}>
                  {target.file}
                  {target.uses.length === 1 ? "" : ` ${useTitles[use.use]}`}
                </DownloadLink>{" "}
                <span class="quiet">{toldOf(rule, use, data.rules)}</span>
              </li>
            ))}
          </ul>
          <p class="quiet">
            The same as <code>dustpan export --to {target.name}</code>
          </p>
        </>
      )}
    </>
  );
}

function toldOf(rule: string, { exported, leftOut }: Use, all: number): string {
  const reason = leftOut.find(({ id }) => id === rule)?.reason;
  const whole = `${count(exported)} of ${counted(all, "rule")}`;
  return reason === undefined ? `${whole}, this one among them` : `${whole}, without this one: ${reason}`;
}

const NoneInUse = () => (
  <Empty>
    No rule is in use: there is nothing to export yet.
    <Link href="/rules" class="button">
      Look at the rules
    </Link>
  </Empty>
);
