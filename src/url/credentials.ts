/** The URL without a user name and a password: they are nobody's page, and never stored or printed. */
export function withoutCredentials(url: string): string {
  return url.includes("@") ? url.replace(/^(https?:\/\/)[^/?#\\]*@/i, "$1") : url;
}
