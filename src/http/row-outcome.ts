import type { PageRecord } from "../model.js";

/** What a row of a source says: a page, why the row cannot be used, or nothing (a comment, a record of another kind). */
export type RowOutcome = PageRecord | string | undefined;

export const NO_WEB_URL = "not an absolute http or https URL";
