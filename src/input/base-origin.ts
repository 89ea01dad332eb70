/** The origin that a person gives for logs whose requests name no host. */
import { UserError } from "../errors.js";

/** `field` is what the person filled in, for the message. */
export function originOf(text: string, field: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UserError(`${field} ${text}: expected an origin, such as https://www.example.com`);
  }
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "" || url.username !== "") {
    throw new UserError(`${field} ${text}: expected only scheme and host, such as ${url.origin}`);
  }
  return url.origin;
}
