import { NameTable } from "./name-table.js";

/** What the parser does with an element, as bits. A tag that is not listed becomes a space. */
export const BLOCK = 1;
/** Its content is neither markup nor text of the page. */
export const HIDDEN = 2;
/** Its content is text with references, whatever tags stand in it (WHATWG: RCDATA). */
export const TEXT_ONLY = 4;
/** Newlines end lines in it. */
export const PREFORMATTED = 8;
/** Its attributes are read. */
export const ATTRIBUTES = 16;
/** Content is parsed like any other, for those who run no scripts; but it must not redirect those who do. */
export const NOSCRIPT = 32;
/** Content is inert. */
export const TEMPLATE = 64;

export interface Tag {
  readonly name: string;
  readonly nameBytes: Uint8Array;
  readonly bits: number;
}

// Elements with display block, list-item, table, table-row or table-caption in the HTML standard's style sheet (15.3), and br.
const BLOCKS =
  "address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption figure " +
  "footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li listing main menu nav noframes ol optgroup option " +
  "p plaintext pre search section select summary table tbody textarea tfoot thead title tr ul xmp";

const bitsOf = new Map<string, number>();
function mark(names: string, bits: number): void {
  for (const name of names.split(" ")) bitsOf.set(name, (bitsOf.get(name) ?? 0) | bits);
}
mark(BLOCKS, BLOCK);
mark("script style iframe noembed", HIDDEN);
mark("title textarea xmp", TEXT_ONLY);
mark("pre listing textarea xmp plaintext", PREFORMATTED);
mark("html a area frame iframe link base meta template", ATTRIBUTES);
mark("noscript", NOSCRIPT);
mark("template", TEMPLATE);

/** The listed tags, in any letter case. */
export const tagTable: NameTable<Tag> = new NameTable(
  [...bitsOf].map(([name, bits]) => [name, { name, nameBytes: new TextEncoder().encode(name), bits }] as const),
  true,
);
