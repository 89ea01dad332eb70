/** HTML that cannot be broken out of: whatever is put into a template is escaped, unless it is a template's result. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | undefined | false | readonly Part[];

/** The template `html` for markup: html`<b>${anything}</b>`. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((text, string, i) => text + render(parts[i - 1]) + string));
}

function render(part: Part): string {
  if (part === undefined || part === false) return "";
  if (part instanceof Html) return part.text;
  if (typeof part === "string" || typeof part === "number") return escapeHtml(String(part));
  return part.map(render).join("");
}

/**
 * For text and for quoted attributes alike. Control characters and those that reverse the direction of writing are
 * shown as U+FFFD: a URL must not look like another one.
 */
export function escapeHtml(text: string): string {
  return text
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, "\ufffd")
    .replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}
