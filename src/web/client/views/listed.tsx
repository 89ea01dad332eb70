import type { ComponentChildren } from "preact";
import { queryOf, useDocument } from "../api.js";
import { Empty, Pager, Pending, QueryChoice, Title } from "../parts.js";
import { Figures } from "./figures.js";

/** What the lists of clusters, mirrors and collections have in common. */
export interface Listed {
  readonly snapshot?: string;
  readonly snapshots: readonly string[];
  readonly next?: string;
}

export const asked = (query: URLSearchParams, ...names: string[]) =>
  queryOf(Object.fromEntries(names.map((name) => [name, query.get(name)])));

/** A view of copies of a snapshot: a list that is sorted and paged on the server, with figures below it. */
export function ListView<T extends Listed>(props: {
  readonly title: string;
  /** What it shows, in a sentence. */
  readonly about: string;
  readonly path: string;
  /** What its rows are called. */
  readonly what: string;
  /** What to do where no snapshot has been looked at. */
  readonly empty: string;
  readonly figures: readonly string[];
  readonly filters?: ComponentChildren;
  readonly children: (data: T, isLoading: boolean) => ComponentChildren;
  /** What comes between the list and the figures. */
  readonly below?: ComponentChildren;
}) {
  const loaded = useDocument<T>(props.path);
  const { data, isLoading } = loaded;
  const isFiltered = props.filters !== undefined || (data?.snapshots.length ?? 0) > 1;
  return (
    <>
      <Title about={props.about}>{props.title}</Title>
      {isFiltered ? (
        <div class="filters">
          <SnapshotChoice data={data} />
          {props.filters}
        </div>
      ) : null}
      <Pending of={loaded} />
      {data === undefined ? null : data.snapshots.length === 0 ? (
        <Empty>{props.empty}</Empty>
      ) : (
        <>
          {props.children(data, isLoading)}
          <Pager next={data.next} what={props.what} />
          {props.below}
          <Figures names={props.figures} />
        </>
      )}
    </>
  );
}

function SnapshotChoice({ data }: { readonly data: Listed | undefined }) {
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
