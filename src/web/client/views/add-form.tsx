/** Adds files: sent by the browser, or named by their paths on the machine that the server runs on. */
import { useRef, useState } from "preact/hooks";
import { messageOf, send } from "../api.js";
import { Failure, Working } from "../parts.js";
import { start, useWork } from "../work.js";

export function AddForm({ takesPaths }: { readonly takesPaths: boolean }) {
  const [typed, setTyped] = useState("");
  const [base, setBase] = useState("");
  const [snapshot, setSnapshot] = useState("");
  const [sending, setSending] = useState<{ name: string; stop: AbortController }>();
  const [failure, setFailure] = useState<string>();
  const [isOver, setOver] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const { job } = useWork();
  const isBusy = sending !== undefined || job?.state === "running";
  const settings = {
    ...(snapshot.trim() !== "" && { snapshot: snapshot.trim() }),
    ...(base.trim() !== "" && { base: base.trim() }),
  };
  const addFiles = async (files: readonly File[]) => {
    if (files.length === 0 || isBusy) return;
    setFailure(undefined);
    const stop = new AbortController();
    try {
      const uploads: string[] = [];
      for (const file of files) {
        setSending({ name: file.name, stop });
        uploads.push((await send(file, stop.signal)).upload);
      }
      await start("add", { uploads, ...settings });
    } catch (error) {
      setFailure(stop.signal.aborted ? "cancelled: nothing was added" : messageOf(error));
    } finally {
      setSending(undefined);
      if (chooser.current !== null) chooser.current.value = "";
    }
  };
  return (
    <>
      <fieldset
        class={isOver ? "drop over" : "drop"}
        aria-label="Files"
        onDragOver={(event: DragEvent) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event: DragEvent) => {
          event.preventDefault();
          setOver(false);
          addFiles([...(event.dataTransfer?.files ?? [])]);
        }}
      >
        <label class="field">
          <span>Access logs, URL lists, crawls (WARC, CSV, JSON lines, Parquet, sitemaps), also compressed</span>
          <input
            type="file"
            multiple
            ref={chooser}
            disabled={isBusy}
            onChange={(event) => addFiles([...(event.currentTarget.files ?? [])])}
          />
        </label>
        <p class="quiet">or drop them here.{takesPaths ? " They stay on this machine." : ""}</p>
      </fieldset>
      {takesPaths ? (
        <form
          class="filters"
          onSubmit={(event) => {
            event.preventDefault();
            start("add", { paths: [typed.trim()], ...settings });
          }}
        >
          <label class="field grow">
            <span>or a path on this machine</span>
            <input
              value={typed}
              placeholder="/var/log/nginx/access.log*"
              spellcheck={false}
              autocomplete="off"
              onInput={(event) => setTyped(event.currentTarget.value)}
            />
          </label>
          <button type="submit" disabled={isBusy || typed.trim() === ""}>
            Add
          </button>
        </form>
      ) : null}
      <details class="more">
        <summary>Settings</summary>
        <div class="filters">
          <label class="field">
            <span>Site of a log that names none</span>
            <input
              value={base}
              placeholder="https://www.example.com"
              spellcheck={false}
              onInput={(event) => setBase(event.currentTarget.value)}
            />
          </label>
          <label class="field">
            <span>Snapshot</span>
            <input value={snapshot} placeholder="default" onInput={(event) => setSnapshot(event.currentTarget.value)} />
          </label>
        </div>
        <p class="quiet">
          Crawls of different days are snapshots of their own: what changed between them is then told.
        </p>
      </details>
      {sending === undefined ? null : (
        <>
          <Working what={`Reading ${sending.name}`} />
          <button type="button" onClick={() => sending.stop.abort()}>
            Cancel
          </button>
        </>
      )}
      <Failure message={failure} />
    </>
  );
}
