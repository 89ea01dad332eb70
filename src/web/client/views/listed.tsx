import { queryOf } from "../api.js";
import { QueryChoice } from "../parts.js";

/** What the lists of clusters, mirrors and collections have in common. */
export interface Listed {
  readonly snapshot?: string;
  readonly snapshots: readonly string[];
  readonly next?: string;
}

export const asked = (query: URLSearchParams, ...names: string[]) =>
  queryOf(Object.fromEntries(names.map((name) => [name, query.get(name)])));

export function SnapshotChoice({ data }: { readonly data: Listed | undefined }) {
  if (data === undefined || data.snapshots.length < 2) return null;
  return (
    <QueryChoice
      name="snapshot"
      label="Snapshot"
      choices={data.snapshots.map((name) => [name, name] as const)}
      fallback={data.snapshot}
    />
  );
}
