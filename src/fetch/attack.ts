/**
 * Logs are full of attempts to break into a site, and some of them worked. To ask for them again would be to try them again:
 * SQL, shell commands, files outside the site, addresses that a server is tricked into asking.
 */
export const attackPattern = new RegExp(
  [
    String.raw`\b(?:union(?: all)? select|drop table|delete from|insert into|xp_cmdshell|waitfor delay|information_schema)\b`,
    String.raw`\b(?:sleep|benchmark|pg_sleep|load_file|system|passthru|shell_exec|base64_decode)\(`,
    String.raw`\$\{(?:jndi|env|sys|lower):`,
    String.raw`\$\((?:id|curl|wget|sleep|cat) `,
    String.raw`[;|&\x60] *(?:wget|curl|cat|nc|bash|sh|ping|rm|chmod|powershell) [-/\w]`,
    String.raw`/etc/(?:passwd|shadow)|\bcmd\.exe\b|/bin/(?:ba)?sh\b`,
    String.raw`[?&=/](?:\.\.[/\\]){2}`,
    "[?&=](?:php|data|expect|phar|file|gopher|zip)://",
    String.raw`<script|<\?|<!--#|javascript:|\(\) *\{ *:;`,
    String.raw`['"] *(?:or|and) *['"\d]|/\*\*/|[\0\r\n]`,
  ].join("|"),
  "i",
);
