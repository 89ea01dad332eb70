import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { FormField } from "../../../canon/kinds/kind.js";
import { actionProblem, formOf, ruleKinds, titleOf } from "../../../canon/kinds.js";
import type { RuleAction } from "../../../model.js";
import { get, messageOf, post } from "../api.js";
import { go, hrefOf, Link } from "../location.js";
import { Failure, Working } from "../parts.js";
import { PreviewPanel } from "./preview.js";

/** What the form holds; only the fields of its kind are sent. */
type Draft = Readonly<Record<string, string | boolean>>;

const placeFields = ["host", "path", "script"] as const;

const blank: Draft = {
  kind: ruleKinds[0]!,
  note: "",
  ...Object.fromEntries(placeFields.map((name) => [name, ""])),
  // "t !lang page=1": with ?t, without ?lang, with ?page=1.
  parameters: "",
  ...Object.fromEntries(ruleKinds.flatMap((kind) => formOf(kind).map((field) => [field.name, initial(field)]))),
};

function initial(field: FormField): string | boolean {
  if (field.type === "choice") return field.choices[0]![0];
  return field.type === "check" ? false : "";
}

/** Makes a rule by hand, or puts another one in a rule's place. */
export function RuleForm({ replaces }: { readonly replaces?: string | undefined }) {
  const [draft, setDraft] = useState<Draft | undefined>(replaces === undefined ? blank : undefined);
  const [settled, setSettled] = useState<Draft>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    if (replaces === undefined) return;
    // Editing needs the rule unmasked.
    get("dustpan-rules-shown", `/api/rules/${replaces}?unmask=1`).then(
      ({ rules }) => setDraft(draftOf(rules[0] as unknown as Record<string, unknown>)),
      (error: unknown) => setFailure(messageOf(error)),
    );
  }, [replaces]);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(draft), 300);
    return () => clearTimeout(timer);
  }, [draft]);
  if (draft === undefined) return failure === undefined ? <Working /> : <Failure message={failure} />;
  const set = (change: Draft) => setDraft({ ...draft, ...change });
  const save = async (decision: "accepted" | null) => {
    setFailure(undefined);
    try {
      const { rules } = await post("dustpan-rules-shown", "/api/rules", {
        rule: { ...ruleOf(draft), decision },
        ...(replaces !== undefined && { replaces }),
      });
      go(hrefOf(`/rules/${rules[0]!.id}`));
    } catch (error) {
      setFailure(messageOf(error));
    }
  };
  const field = (name: string, label: string, hint = "") => (
    <label class="field" key={name}>
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
  const choice = (name: string, label: string, choices: readonly (readonly [string, string])[]) => (
    <label class="field" key={name}>
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
  const check = (name: string, label: string) => (
    <label class="check" key={name}>
      <input
        type="checkbox"
        checked={draft[name] === true}
        onChange={(event) => set({ [name]: event.currentTarget.checked })}
      />
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
        <Row>
          {choice(
            "kind",
            "What it does",
            ruleKinds.map((kind) => [kind, titleOf(kind)]),
          )}
        </Row>
        <Row>
          {fieldsOf(draft).map((own) => {
            if (own.type === "choice") return choice(own.name, own.label, own.choices);
            return own.type === "check" ? check(own.name, own.label) : field(own.name, own.label, own.hint);
          })}
        </Row>
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
  return actionProblem(actionOf(draft)) === undefined;
}

/** The fields of the draft's kind. A removal is not asked for a value, which only setting needs. */
function fieldsOf(draft: Draft): readonly FormField[] {
  return formOf(draft.kind as RuleAction["kind"]).filter(({ name }) => name !== "value" || draft.action === "set");
}

/** An empty text means the same as none except for the two sides of a substitution. */
function actionOf(draft: Draft): RuleAction {
  const isSaid = ({ name }: FormField) => draft[name] !== "" || name !== "name" || draft.kind === "parameter";
  const fields = fieldsOf(draft).filter(isSaid);
  return { kind: draft.kind, ...Object.fromEntries(fields.map(({ name }) => [name, draft[name]])) } as RuleAction;
}

function ruleOf(draft: Draft): object {
  const conditions = conditionsIn(String(draft.parameters));
  const scope = {
    ...Object.fromEntries(placeFields.flatMap((name) => (draft[name] === "" ? [] : [[name, draft[name]]]))),
    ...(Object.keys(conditions).length > 0 && { parameters: conditions }),
  };
  return { ...actionOf(draft), scope, ...(draft.note !== "" && { note: draft.note }) };
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
  const known = Object.keys(blank).flatMap((name) => (name in rule ? [[name, rule[name]]] : []));
  return {
    ...blank,
    ...Object.fromEntries(known),
    ...places,
    parameters: Object.entries(parameters).map(conditionText).join(" "),
  };
}
