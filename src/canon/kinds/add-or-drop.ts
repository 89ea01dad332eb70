/** What kinds that add or drop a piece of a URL have in common. */
import type { Fields } from "../file/fields.js";
import type { FormField } from "./kind.js";

export interface AddOrDrop {
  readonly action: "drop" | "add";
}

export const readAddOrDrop = (fields: Fields) => fields.oneOf("action", ["drop", "add"]);

export const addOrDropProblem = ({ action }: AddOrDrop) =>
  action === "drop" || action === "add"
    ? undefined
    : { field: "action", problem: `is ${JSON.stringify(action) ?? "missing"}: expected "drop" or "add"` };

export const turned = <A extends AddOrDrop>(action: A): A => ({
  ...action,
  action: action.action === "drop" ? "add" : "drop",
});

export const addOrDropField: FormField = {
  type: "choice",
  name: "action",
  label: "do",
  choices: [
    ["drop", "drop it"],
    ["add", "add it"],
  ],
};
