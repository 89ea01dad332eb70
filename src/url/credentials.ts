/** The URL without a user name and a password: they are not part of what page it is, and are never stored or printed. */
export function withoutCredentials(url: string): string {
  return url.includes("@") ? url.replace(/^(https?:\/\/)[^/?#\\]*@/i, "$1") : url;
}

/** A message without the credentials of any URL in it, of whatever scheme: who mistypes an address has it printed. */
export function maskCredentials(message: string): string {
  return message.replace(/:\/\/[^\s"'/?#\\]*@/g, "://");
}
