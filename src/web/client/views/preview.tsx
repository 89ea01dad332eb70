import { useEffect, useState } from "preact/hooks";
import type { Preview } from "../../../documents.js";
import { count, counted } from "../../../numbers.js";
import { messageOf, post, queryOf } from "../api.js";
import { Badge, Empty, Failure, UrlChange, Working } from "../parts.js";

const SHOWN = 100;
const SHOWN_FIRST = 12;

/** What a rule would do to the workspace: counted batch by batch, with what is found so far in sight. */
export function PreviewPanel({ body }: { readonly body: object }) {
  const [found, setFound] = useState<Preview>();
  const [failure, setFailure] = useState<string>();
  const [isGoing, setGoing] = useState(true);
  const [isLong, setLong] = useState(false);
  const asked = JSON.stringify(body);
  useEffect(() => {
    let isCurrent = true;
    setFailure(undefined);
    setFound(undefined);
    setGoing(true);
    const ask = async () => {
      let sum: Preview | undefined;
      let after: number | undefined;
      do {
        const batch: Preview = await post(
          "dustpan-preview",
          `/api/preview${queryOf({ after, limit: SHOWN })}`,
          JSON.parse(asked),
        );
        if (!isCurrent) return;
        sum = sum === undefined ? batch : add(sum, batch);
        after = batch.next;
        setFound(sum);
      } while (after !== undefined && isGoingOn());
      setGoing(false);
    };
    const isGoingOn = () => isCurrent;
    ask().catch((error: unknown) => {
      if (!isCurrent) return;
      setFailure(messageOf(error));
      setGoing(false);
    });
    return () => {
      isCurrent = false;
    };
  }, [asked]);
  if (failure !== undefined) return <Failure message={failure} />;
  if (found === undefined) return <Working what="Looking through the URLs" />;
  return (
    <>
      <p>
        Changes <strong>{counted(found.changed, "URL")}</strong>, and makes <strong>{count(found.merged)}</strong> of
        them one with another.{" "}
        {found.contradicted > 0 ? (
          <>
            <strong>{count(found.contradicted)} showed different texts</strong>{" "}
            <span class="quiet">at one look, as pages with advertisements or dates do, too.</span>
          </>
        ) : (
          <span>None is known to show different texts.</span>
        )}{" "}
        <span class="quiet">
          {count(found.alike)} showed the same.
          {isGoing && found.next !== undefined
            ? ` Looked at ${Math.floor((100 * found.examined) / Math.max(1, found.total))}% so far …`
            : ""}
        </span>
      </p>
      {found.merges.length === 0 ? (
        <Empty>No URL of the workspace is changed.</Empty>
      ) : (
        <ul class="pairs">
          {found.merges.slice(0, isLong ? SHOWN : SHOWN_FIRST).map((merge) => (
            <li key={merge.id}>
              <span class="badges">
                {merge.sketches === "different" ? (
                  <Badge kind="undecided">texts differ</Badge>
                ) : merge.sketches === "alike" ? (
                  <Badge kind="valid">alike</Badge>
                ) : (
                  <Badge kind="plain">{merge.toId === undefined ? "target not seen" : "not compared"}</Badge>
                )}
              </span>
              <UrlChange from={merge.from} to={merge.to} />
            </li>
          ))}
        </ul>
      )}
      {!isLong && found.merges.length > SHOWN_FIRST ? (
        <p>
          <button type="button" class="plain" onClick={() => setLong(true)}>
            Show {count(found.merges.length - SHOWN_FIRST)} more
          </button>
        </p>
      ) : null}
      {isLong && found.changed > found.merges.length ? (
        <p class="quiet">The first {count(found.merges.length)} are shown, those whose texts differ before the rest.</p>
      ) : null}
    </>
  );
}

function add(sum: Preview, batch: Preview): Preview {
  const order = ["different", "alike", "unknown"];
  const merges = [...sum.merges, ...batch.merges]
    .sort((a, b) => order.indexOf(a.sketches) - order.indexOf(b.sketches))
    .slice(0, SHOWN);
  return {
    ...batch,
    changed: sum.changed + batch.changed,
    merged: sum.merged + batch.merged,
    alike: sum.alike + batch.alike,
    contradicted: sum.contradicted + batch.contradicted,
    merges,
  };
}
