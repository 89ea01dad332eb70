/** How often a site's rules were put to the test as a whole: counted over runs and seeds, since each may err a little. */
import { storeAnalysis } from "../analyses.js";
import type { Connection, Workspace } from "../workspace.js";

/** By what made them: a run, and the rules that it began with. */
type AttemptsByBeginning = Readonly<Record<string, number>>;

/**
 * Names a beginning. A run that goes on where it was stopped, with the rules that it had then, makes the same attempts again; with
 * more rules, since it found some in the meantime, it makes others.
 */
export const beginningOf = (run: number, rules: string): string => `${run} ${rules}`;

/** Attempts on this list that began otherwise. */
export async function attemptsBefore(
  workspace: Workspace,
  site: string,
  list: string,
  beginning: string,
): Promise<number> {
  const known = await workspace.read((connection) => readAttempts(connection, nameOf(site, list)));
  return Object.entries(known).reduce((sum, [other, attempts]) => sum + (other === beginning ? 0 : attempts), 0);
}

/** Keeps that so many attempts were made; before the first draw of the last of them, or a kill would hide it. */
export async function keepAttempts(
  workspace: Workspace,
  site: string,
  list: string,
  beginning: string,
  attempts: number,
): Promise<void> {
  await workspace.write(async (connection) => {
    const name = nameOf(site, list);
    const known = await readAttempts(connection, name);
    const most = Math.max(attempts, known[beginning] ?? 0);
    await storeAnalysis(connection, name, null, { site, list }, { ...known, [beginning]: most });
  });
}

const nameOf = (site: string, list: string) => `certificate ${site} ${list}`;

async function readAttempts(connection: Connection, name: string): Promise<AttemptsByBeginning> {
  const found = await connection.runAndReadAll("SELECT result::VARCHAR FROM analyses WHERE name = $1", [name]);
  const result = found.getRows()[0]?.[0];
  return typeof result === "string" ? JSON.parse(result) : {};
}
