import type { Rule } from "#src/canon/index.js";
import type { Site } from "./site.mjs";

export interface Case {
  readonly site: (seed: number) => Site;
  /** Proven instead of what is mined. */
  readonly rules?: readonly Rule[];
}

/** Sites made for one question each. */
export const CASES: Readonly<
  Record<
    | "thirtySmallFolders"
    | "failuresWithoutStructure"
    | "mostlyUnavailable"
    | "sortedAndGone"
    | "twoIdentifiers"
    | "languageBesideQuery"
    | "rotatingItem"
    | "varyingSizes"
    | "twoNumbers"
    | "suggestions"
    | "liveLists",
    Case
  >
>;
