/** A text as one word of a command that people copy into a shell: hosts of a log are what visitors sent, `$(...)` too. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
