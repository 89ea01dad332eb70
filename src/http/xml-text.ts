/**
 * Texts from XML without an XML parser: a file's own entities are not read, so a hostile one cannot make its text grow.
 */

export function withoutComments(body: string): string {
  let start = body.indexOf("<!--");
  if (start < 0) return body;
  let kept = "";
  let from = 0;
  for (; start >= 0; start = body.indexOf("<!--", from)) {
    const end = body.indexOf("-->", start);
    kept += body.slice(from, start);
    if (end < 0) return kept;
    from = end + 3;
  }
  return kept + body.slice(from);
}

/** What the first element with this start tag says; undefined where there is none, it does not end, or `decode` cannot read it. */
export function elementText(
  body: string,
  tag: RegExp,
  decode: (text: string) => string | undefined = decodeReferences,
): string | undefined {
  const start = tag.exec(body);
  if (start === null) return undefined;
  const from = start.index + start[0].length;
  const cdata = /^\s*<!\[CDATA\[/.exec(body.slice(from, from + 64));
  if (cdata !== null) {
    const end = body.indexOf("]]>", from);
    return end < 0 ? undefined : body.slice(from + cdata[0].length, end);
  }
  const end = body.indexOf("</", from);
  return end < 0 ? undefined : decode(body.slice(from, end));
}

const namedEntities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** The five entities of XML and numeric references; anything else stays as it is written. */
export function decodeReferences(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/gi, (whole, name, decimal, hex) => {
    if (name !== undefined) return namedEntities[(name as string).toLowerCase()]!;
    const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex as string, 16);
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : whole;
  });
}
