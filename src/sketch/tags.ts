/** What the parser does with an element, as bits. A tag that is not listed becomes a space. */
export const BLOCK = 1;
/** Its content is no markup and no text of the page. */
export const HIDDEN = 2;
/** Its content is text with references, whatever tags stand in it (WHATWG: RCDATA). */
export const TEXT_ONLY = 4;
/** Newlines end lines in it. */
export const PREFORMATTED = 8;
/** Its attributes are read. */
export const ATTRIBUTES = 16;
/** Content is parsed like any other, for who runs no scripts; but it must not redirect those who do. */
export const NOSCRIPT = 32;
/** Content is inert. */
export const TEMPLATE = 64;

export interface Tag {
  readonly name: string;
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
mark("a area frame iframe link base meta template", ATTRIBUTES);
mark("noscript", NOSCRIPT);
mark("template", TEMPLATE);

/**
 * The tags by a hash of their lower-case name, one to a slot: the multiplier is the first under which no two of them
 * share one. Looking a tag up so makes no string, which is what a Map would need for each of a page's thousand tags.
 */
const SLOTS = 1024;
const { multiplier, slots } = (() => {
  for (let multiplier = 33; ; multiplier += 2) {
    const slots: (Tag | undefined)[] = new Array(SLOTS).fill(undefined);
    const fits = [...bitsOf].every(([name, bits]) => {
      let hash = 0;
      for (let i = 0; i < name.length; i++) hash = (Math.imul(hash, multiplier) + name.charCodeAt(i)) | 0;
      const slot = hash & (SLOTS - 1);
      if (slots[slot] !== undefined) return false;
      slots[slot] = { name, bits };
      return true;
    });
    if (fits) return { multiplier, slots };
  }
})();

/** The listed tag with the name html[start .. end), in any letter case. */
export function findTag(html: string, start: number, end: number): Tag | undefined {
  let hash = 0;
  for (let i = start; i < end; i++) hash = (Math.imul(hash, multiplier) + lowerCase(html.charCodeAt(i))) | 0;
  const tag = slots[hash & (SLOTS - 1)];
  return tag !== undefined && isName(html, start, end, tag.name) ? tag : undefined;
}

/** Whether html[start .. end) is `name`, which is in lower case. */
export function isName(html: string, start: number, end: number, name: string): boolean {
  if (end - start !== name.length) return false;
  for (let i = 0; i < name.length; i++) if (lowerCase(html.charCodeAt(start + i)) !== name.charCodeAt(i)) return false;
  return true;
}

function lowerCase(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code | 0x20 : code;
}
