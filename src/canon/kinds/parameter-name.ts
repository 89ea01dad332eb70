/** Names of parameters, as several kinds of rules have them. */
import { skipEntities } from "../../url/parameters.js";
import type { Fields } from "../file/fields.js";
import type { FormField, Problem } from "./kind.js";

/** A name may begin with "amp;" (see url/parameters.ts). */
export function queryNameProblem(name: string): Problem | undefined {
  const start = skipEntities(name, 0, name.length);
  return start > 0 && start === name.length ? undefined : nameProblem(name.slice(start), "=&;#");
}

export function nameProblem(name: string, reserved: string): Problem | undefined {
  if (name === "") return { field: "name", problem: "is empty" };
  return containsAny(name, reserved)
    ? { field: "name", problem: `contains one of ${reserved}, which no parameter's name can` }
    : undefined;
}

export function containsAny(text: string, characters: string): boolean {
  for (const character of characters) if (text.includes(character)) return true;
  return false;
}

/** A rule about one parameter or, without a name, about all of them. */
export interface Named {
  readonly name?: string;
}

export function readName(fields: Fields): Named {
  return fields.has("name") ? { name: fields.text("name") } : {};
}

export const optionalName = ({ name }: Named): Named => (name === undefined ? {} : { name });

export const isNamedInstance = (action: Named, broader: Named) =>
  broader.name === undefined || broader.name === action.name;

export const nameField: FormField = { type: "text", name: "name", label: "Parameter", hint: "any" };
