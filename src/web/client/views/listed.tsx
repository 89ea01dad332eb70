import type { ComponentChildren } from "preact";
import type { Documents, Listed } from "../../../documents.js";
import { queryOf, useDocument } from "../api.js";
import { Pager, Pending, QueryChoice, Title } from "../parts.js";
import { Figures } from "./figures.js";

export const asked = (query: URLSearchParams, ...names: string[]) =>
  queryOf(Object.fromEntries(names.map((name) => [name, query.get(name)])));

/** Documents that are lists of a snapshot. */
type ListFormat = { [F in keyof Documents]: Documents[F] extends Listed ? F : never }[keyof Documents];

/** A view of copies of a snapshot: a list that is sorted and paged on the server, with figures below it. */
export function ListView<F extends ListFormat>(props: {
  readonly format: F;
  readonly title: string;
  /** What it shows, in a sentence. */
  readonly about: string;
  readonly path: string;
  /** What its rows are called. */
  readonly what: string;
  /** What to do if no snapshot has been looked at. */
  readonly empty: ComponentChildren;
  readonly figures: readonly string[];
  readonly filters?: ComponentChildren;
  readonly children: (data: Documents[F], isLoading: boolean) => ComponentChildren;
  /** What comes between the list and the figures. */
  readonly below?: ComponentChildren;
}) {
  const loaded = useDocument(props.format, props.path);
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
        props.empty
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
