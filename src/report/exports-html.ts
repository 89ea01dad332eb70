/** The rules in use for other programs, inside the report: the files that `dustpan export` writes, packed. */
import { deflateRawSync } from "node:zlib";
import type { RulesFile } from "../canon/file/rules-file.js";
import { exportRules } from "../export/export-rules.js";
import type { ExportUse } from "../export/target.js";
import { exportTargets } from "../export/targets.js";
import { count, counted } from "../numbers.js";
import { type Html, html } from "./html.js";

export interface ReportExport {
  readonly target: string;
  readonly title: string;
  readonly file: string;
  readonly use: ExportUse;
  /** Is it the target's main use? */
  readonly isDefault: boolean;
  readonly exported: number;
  readonly leftOut: number;
  /** The file, deflated, as base64. */
  readonly packed: string;
}

/** Every target in every use, with the rules in use; none where no rule is. */
export function packExports({ rules, certificates = [] }: RulesFile): ReportExport[] {
  return exportTargets
    .flatMap((target) =>
      target.uses.map((use) => {
        const exported = exportRules(rules, target, { use, certificates });
        return {
          ...{ target: target.name, title: target.title, file: target.file, use },
          isDefault: use === target.uses[0],
          exported: exported.rules.length,
          leftOut: exported.leftOut.length,
          packed: deflateRawSync(exported.text, { level: 9 }).toString("base64"),
        };
      }),
    )
    .filter(({ exported, leftOut }) => exported + leftOut > 0);
}

export function exportsSection(exports: readonly ReportExport[]): Html | undefined {
  const [first] = exports;
  if (first === undefined) return undefined;
  const all = first.exported + first.leftOut;
  return html`<p>The ${counted(all, "rule")} in use, as each program reads ${all === 1 ? "it" : "them"}. What a program cannot say exactly is left out, and named in the file with the reason.</p>
<details class="fold screen"><summary>${counted(new Set(exports.map(({ target }) => target)).size, "program")} and languages</summary><div class="wide" tabindex="0" role="region" aria-label="Rules for other programs"><table><thead><tr><th scope="col">Program</th><th scope="col" class="n">Rules</th><th scope="col">File</th><th scope="col">The same by command</th></tr></thead><tbody>
${exports.map((entry) => html`<tr><td>${entry.title}${!entry.isDefault && `, as ${entry.use}`}</td><td class="n">${count(entry.exported)} of ${count(all)}</td><td><a download="${entry.file}" href="#exports" data-packed="${entry.packed}">${entry.file}</a></td><td><code>dustpan export --to ${entry.target}${!entry.isDefault && ` --as ${entry.use}`}</code></td></tr>`)}
</tbody></table></div></details>`;
}

/** Unpacks a file when it is asked for: most readers ask for one of them. */
export const EXPORTS_SCRIPT =
  'addEventListener("click",async e=>{const a=e.target.closest("[data-packed]");if(!a||!a.dataset.packed)return;e.preventDefault();const b=Uint8Array.from(atob(a.dataset.packed),c=>c.charCodeAt(0));const s=new Blob([b]).stream().pipeThrough(new DecompressionStream("deflate-raw"));a.href=URL.createObjectURL(await new Response(s).blob());delete a.dataset.packed;a.click()})';
