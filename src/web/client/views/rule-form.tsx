import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { get, messageOf, post } from "../api.js";
import type { RuleDocument } from "../documents.js";
import { go, hrefOf, Link } from "../location.js";
import { Failure, Working } from "../parts.js";
import { PreviewPanel } from "./preview.js";

/** What the form holds; only the fields of its kind are sent. */
interface Draft {
  kind: string;
  from: string;
  to: string;
  start: boolean;
  end: boolean;
  name: string;
  place: string;
  action: string;
  value: string;
  keep: string;
  host: string;
  path: string;
  script: string;
  /** "t !lang page=1": with ?t, without ?lang, with ?page=1. */
  parameters: string;
  note: string;
}

const blank: Draft = {
  kind: "substring",
  from: "",
  to: "",
  start: false,
  end: false,
  name: "",
  place: "query",
  action: "remove",
  value: "",
  keep: "first",
  host: "",
  path: "",
  script: "",
  parameters: "",
  note: "",
};

const kinds = [
  ["substring", "replace a text"],
  ["parameter", "remove or set a parameter"],
  ["parameterOrder", "sort the parameters"],
  ["repeatedParameter", "drop repeated parameters"],
  ["emptyParameter", "drop empty parameters"],
  ["case", "lower case in the path"],
] as const;

/** A rule by hand, or another one in a rule's place. */
export function RuleForm({ replaces }: { readonly replaces?: string | undefined }) {
  const [draft, setDraft] = useState<Draft | undefined>(replaces === undefined ? blank : undefined);
  const [settled, setSettled] = useState<Draft>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    if (replaces === undefined) return;
    // What is edited has to be whole.
    get<RuleDocument>(`/api/rules/${replaces}?unmask=1`).then(
      ({ rules }) => setDraft(draftOf(rules[0] as unknown as Record<string, unknown>)),
      (error: unknown) => setFailure(messageOf(error)),
    );
  }, [replaces]);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(draft), 300);
    return () => clearTimeout(timer);
  }, [draft]);
  if (draft === undefined) return failure === undefined ? <Working /> : <Failure message={failure} />;
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change });
  const save = async (decision: "accepted" | null) => {
    setFailure(undefined);
    try {
      const { rules } = await post<RuleDocument>("/api/rules", {
        rule: { ...ruleOf(draft), decision },
        ...(replaces !== undefined && { replaces }),
      });
      go(hrefOf(`/rules/${rules[0]!.id}`));
    } catch (error) {
      setFailure(messageOf(error));
    }
  };
  const field = (name: keyof Draft, label: string, hint = "") => (
    <label class="field">
      <span>{label}</span>
      <input
        value={String(draft[name])}
        placeholder={hint}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => set({ [name]: event.currentTarget.value })}
      />
    </label>
  );
  const choice = (name: keyof Draft, label: string, choices: readonly (readonly [string, string])[]) => (
    <label class="field">
      <span>{label}</span>
      <select value={String(draft[name])} onChange={(event) => set({ [name]: event.currentTarget.value })}>
        {choices.map(([value, title]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
  const check = (name: "start" | "end", label: string) => (
    <label class="check">
      <input type="checkbox" checked={draft[name]} onChange={(event) => set({ [name]: event.currentTarget.checked })} />
      {label}
    </label>
  );
  return (
    <>
      <p class="crumbs">
        <Link href="/rules">Rules</Link> / {replaces === undefined ? "new" : `edit ${replaces}`}
      </p>
      <h1>{replaces === undefined ? "Write a rule" : "Edit a rule"}</h1>
      {replaces === undefined ? null : (
        <p class="quiet">
          A changed rule is a new one: it takes the old one's place, which is rejected and keeps its evidence.
        </p>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save(null);
        }}
      >
        <Row>{choice("kind", "What it does", kinds)}</Row>
        {draft.kind === "substring" ? (
          <Row>
            {field("from", "Replace")}
            {field("to", "by", "nothing")}
            {check("start", "only at the start of the URL")}
            {check("end", "only at its end")}
          </Row>
        ) : null}
        {draft.kind === "parameter" ? (
          <Row>
            {field("name", "Parameter", "sid")}
            {choice("place", "written", [
              ["query", "?name=value"],
              ["path", ";name=value"],
            ])}
            {choice("action", "do", [
              ["remove", "remove it"],
              ["set", "set it to"],
            ])}
            {draft.action === "set" ? field("value", "Value") : null}
          </Row>
        ) : null}
        {draft.kind === "repeatedParameter" ? (
          <Row>
            {field("name", "Parameter", "any")}
            {choice("keep", "keep", [
              ["first", "the first"],
              ["last", "the last"],
            ])}
          </Row>
        ) : null}
        {draft.kind === "emptyParameter" ? <Row>{field("name", "Parameter", "any")}</Row> : null}
        <Row>
          {field("host", "Only on host", "any, or *.example.com")}
          {field("path", "below path", "/")}
          {field("script", "with last segment", "viewtopic.php")}
          {field("parameters", "with parameters", "t !lang page=1")}
        </Row>
        <Row>{field("note", "Note")}</Row>
        <Failure message={failure} />
        <fieldset class="actions" aria-label="Save">
          <button type="button" class="primary" onClick={() => save("accepted")}>
            Save and accept
          </button>
          <button type="submit">Save without a decision</button>
          <Link href={replaces === undefined ? "/rules" : `/rules/${replaces}`}>Cancel</Link>
        </fieldset>
      </form>
      <section>
        <h2>Which URLs it would merge</h2>
        {settled === undefined || !isWhole(settled) ? (
          <p class="quiet">Shown as soon as the rule says something.</p>
        ) : (
          <PreviewPanel body={{ rule: ruleOf(settled) }} />
        )}
      </section>
    </>
  );
}

function Row({ children }: { readonly children: ComponentChildren }) {
  return <div class="filters">{children}</div>;
}

function isWhole(draft: Draft): boolean {
  if (draft.kind === "substring") return draft.from !== draft.to && (draft.from !== "" || draft.start !== draft.end);
  return draft.kind !== "parameter" || draft.name !== "";
}

function ruleOf(draft: Draft): object {
  const { kind, from, to, start, end, name, place, action, value, keep, host, path, script, parameters, note } = draft;
  const fields: Record<string, object> = {
    substring: { from, to, start, end },
    parameter: { name, place, action, ...(action === "set" && { value }) },
    repeatedParameter: { ...(name !== "" && { name }), keep },
    emptyParameter: { ...(name !== "" && { name }) },
  };
  const places = Object.entries({ host, path, script });
  const conditions = conditionsIn(parameters);
  const scope = {
    ...Object.fromEntries(places.filter(([, text]) => text !== "")),
    ...(Object.keys(conditions).length > 0 && { parameters: conditions }),
  };
  return { kind, ...fields[kind], scope, ...(note !== "" && { note }) };
}

function conditionsIn(text: string): Record<string, boolean | string> {
  const words = text.split(/\s+/).filter((word) => word !== "");
  return Object.fromEntries(
    words.map((word) => {
      if (word.startsWith("!")) return [word.slice(1), false];
      const at = word.indexOf("=");
      return at < 0 ? [word, true] : [word.slice(0, at), word.slice(at + 1)];
    }),
  );
}

function conditionText([name, condition]: [string, boolean | string]): string {
  if (typeof condition === "string") return `${name}=${condition}`;
  return condition ? name : `!${name}`;
}

function draftOf(rule: Record<string, unknown>): Draft {
  const { parameters = {}, ...places } = rule.scope as Record<string, string> & {
    parameters?: Record<string, boolean>;
  };
  const known = Object.fromEntries(Object.keys(blank).flatMap((name) => (name in rule ? [[name, rule[name]]] : [])));
  return { ...blank, ...known, ...places, parameters: Object.entries(parameters).map(conditionText).join(" ") };
}
