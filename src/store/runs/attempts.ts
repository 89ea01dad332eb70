/** How often a site's rules were put to the test as a whole: counted over runs and seeds, since each may err a little. */
import { storeAnalysis } from "../analyses.js";
import type { Connection, Workspace } from "../workspace.js";

/** Attempts by the number of the run that made them. */
type AttemptsByRun = Readonly<Record<string, number>>;

/** Attempts on this list in other runs: a run that goes on where it was stopped makes the same ones again. */
export async function attemptsBefore(workspace: Workspace, site: string, list: string, run: number): Promise<number> {
  const byRun = await workspace.read((connection) => readAttempts(connection, nameOf(site, list)));
  return Object.entries(byRun).reduce((sum, [other, attempts]) => sum + (Number(other) === run ? 0 : attempts), 0);
}

/** Keeps that the run has made this many attempts; before the first draw of the last of them, or a kill would hide it. */
export async function keepAttempts(
  workspace: Workspace,
  site: string,
  list: string,
  run: number,
  attempts: number,
): Promise<void> {
  await workspace.write(async (connection) => {
    const name = nameOf(site, list);
    const known = await readAttempts(connection, name);
    const most = Math.max(attempts, known[run] ?? 0);
    await storeAnalysis(connection, name, null, { site, list }, { ...known, [run]: most });
  });
}

const nameOf = (site: string, list: string) => `certificate ${site} ${list}`;

async function readAttempts(connection: Connection, name: string): Promise<AttemptsByRun> {
  const found = await connection.runAndReadAll("SELECT result::VARCHAR FROM analyses WHERE name = $1", [name]);
  const result = found.getRows()[0]?.[0];
  return typeof result === "string" ? JSON.parse(result) : {};
}
