/** The URL without a user name and a password: they do not identify a page, and are never stored or printed. */
export function withoutCredentials(url: string): string {
  return url.includes("@") ? url.replace(/^(https?:\/\/)[^/?#\\]*@/i, "$1") : url;
}

/** A message without the credentials of any URL in it, whatever its scheme: a mistyped address is printed. */
export function maskCredentials(message: string): string {
  return message.replace(/:\/\/[^\s"'/?#\\]*@/g, "://");
}
