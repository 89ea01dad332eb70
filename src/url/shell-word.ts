/**
 * A text as one word of a command that people copy into a shell: visitors choose the hosts that a log has, and may send
 * `$(...)`.
 */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
