/**
 * Parses an `EnvironmentFile=` of systemd. Its rules differ from those of `.env`: a # within a value does not start a
 * comment, and a backslash escapes. With the rules of `.env`, a command would use other passwords than the service.
 */

const QUOTED = String.raw`'[^']*'|"(?:\\[\s\S]|[^"\\])*"`;
const LINE = new RegExp(
  String.raw`^[ \t]*(?:[#;].*|([^=\n]*)=[ \t]*((?:(?:${QUOTED})[ \t]*)*)((?:\\[\s\S]|[^\\\n])*))$`,
  'gm',
);
const NAME = /^[a-zA-Z_]\w*$/;

export function parseEnvironmentFile(text: string): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [, given, quoted = '', plain = ''] of text.matchAll(LINE)) {
    const name = given?.trim() ?? '';
    if (NAME.test(name)) values[name] = unquoted(quoted) + unescaped(plain.trimEnd());
  }
  return values;
}

/** Only these may be escaped within double quotes; nothing within single quotes. */
const ESCAPED = /\\(["\\`$])|\\\n/g;

function unquoted(text: string): string {
  const parts = text.match(new RegExp(QUOTED, 'g')) ?? [];
  return parts
    .map((part) => {
      const inner = part.slice(1, -1);
      return part.startsWith("'") ? inner : inner.replaceAll(ESCAPED, (_all, char = '') => char);
    })
    .join('');
}

function unescaped(text: string): string {
  return text.replaceAll(/\\([\s\S])/g, (_all, char: string) => (char === '\n' ? '' : char));
}
