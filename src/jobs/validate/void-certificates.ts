/** A certificate is about the list of URLs that rules were tried on: it is void once there are more. */
import { existsSync } from "node:fs";
import type { RulesFile } from "../../canon/file/rules-file.js";
import { UserError } from "../../errors.js";
import { rulesFileBeside } from "../../store/beside.js";
import { readRulesFile, writeRulesFile } from "../../store/rules-on-disk.js";
import { countUrls } from "../../store/urls/url-lists.js";
import type { Workspace } from "../../store/workspace.js";
import { siteChoice } from "../mine/mined-site.js";

/** Does work that may add URLs to the lists of sites, and marks the certificates of those that it adds to, also where it ends early. */
export async function voidingCertificates<T>(workspace: Workspace, work: () => Promise<T>): Promise<T> {
  const before = await countLists(workspace);
  try {
    return await work();
  } finally {
    if (before.size > 0) await voidGrown(workspace, before);
  }
}

async function voidGrown(workspace: Workspace, before: ReadonlyMap<string, number>): Promise<void> {
  const after = await countLists(workspace);
  const isChanged = (site: string) => before.get(site) !== after.get(site);
  if (![...before.keys()].some(isChanged)) return;
  const file = rulesFileBeside(workspace.file);
  const known = readRulesFile(file);
  const certificates = known.certificates?.map((one) => (isChanged(one.site) ? { ...one, list: "" } : one));
  writeRulesFile(file, { ...known, ...(certificates !== undefined && { certificates }) });
}

/** By site with a certificate that is not void yet: the URLs of its list, which only ever grows. */
async function countLists(workspace: Workspace): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { site, list } of certificatesOf(workspace)) {
    if (list !== "") counts.set(site, await countUrls(workspace, siteChoice(site)));
  }
  return counts;
}

function certificatesOf(workspace: Workspace): NonNullable<RulesFile["certificates"]> {
  const file = rulesFileBeside(workspace.file);
  if (workspace.isInMemory || !existsSync(file)) return [];
  try {
    return readRulesFile(file).certificates ?? [];
  } catch (error) {
    // A file that cannot be read certifies nothing; who uses the rules is told what is wrong with it.
    if (error instanceof UserError) return [];
    throw error;
  }
}
