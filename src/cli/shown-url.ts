/** URLs of examples on the terminal: masked, and cut to the room that a line has. */
import { maskSecrets } from "../url/mask.js";
import { printable, type Terminal } from "./terminal.js";

/** An example's URL: masked, unless the user wants to see it all. */
export function shownUrl(terminal: Terminal, url: string): string {
  return printable(terminal.unmask ? url : maskSecrets(url));
}

/** The same, cut to the room that a line has beside `taken` columns. */
export function cutUrl(terminal: Terminal, url: string, taken: number): string {
  const text = shownUrl(terminal, url);
  const room = terminal.width === undefined ? text.length : Math.max(30, terminal.width - taken);
  return text.length > room ? `${text.slice(0, room - 3)}...` : text;
}
