/**
 * Hostile inputs of a given size. Each shape makes one kind of parser work as hard as it can: runs of what a parser skips,
 * openings that are never closed, and delimiters without anything in between.
 */
export type Shape = (bytes: number) => Buffer;

/** As many whole repetitions as fit, so that the last character is never cut in half. */
export function repeated(text: string, head = '', tail = ''): Shape {
  const unit = Buffer.from(text);
  const [first, last] = [Buffer.from(head), Buffer.from(tail)];
  return (bytes) => {
    const room = Math.max(0, bytes - first.length - last.length);
    const end = first.length + Math.floor(room / unit.length) * unit.length;
    const input = Buffer.allocUnsafe(end + last.length);
    first.copy(input);
    input.fill(unit, first.length, end);
    last.copy(input, end);
    return input;
  };
}

/** The same number of openings and closings. */
export function nested(open: string, close: string, inner = ''): Shape {
  return (bytes) => {
    const depth = Math.floor((bytes - inner.length) / (open.length + close.length));
    const opened = depth * open.length;
    const input = Buffer.alloc(opened + inner.length + depth * close.length, open);
    input.write(inner, opened, 'latin1');
    return input.fill(close, opened + inner.length);
  };
}

const ENTRY = '"k0000000":0,';
const DIGITS_FROM = 2;
const DIGITS = 7;

/** One JSON object in which no name occurs twice. */
export function manyKeys(bytes: number): Buffer {
  const count = Math.max(1, Math.floor((bytes - 2) / ENTRY.length));
  const object = Buffer.alloc(1 + count * ENTRY.length, '{');
  object.fill(ENTRY, 1);
  for (let at = 0; at < count; at += 1) {
    const start = 1 + at * ENTRY.length;
    let rest = at;
    for (let digit = DIGITS - 1; digit >= 0; digit -= 1) {
      object[start + DIGITS_FROM + digit] = 0x30 + (rest % 10);
      rest = Math.floor(rest / 10);
    }
  }
  object[object.length - 1] = 0x7d;
  return object;
}

/** Bytes that are not UTF-8. */
function highBytes(bytes: number): Buffer {
  return Buffer.alloc(bytes, 0xfe);
}

const MESSAGE = 'From: a@example.org\r\nMIME-Version: 1.0\r\n';
const MULTIPART = `${MESSAGE}Content-Type: multipart/mixed; boundary=b\r\n\r\n`;
const HTML_MESSAGE = `${MESSAGE}Content-Type: text/html\r\n\r\n`;
const BASE64_LINE = `${'QUJD'.repeat(19)}\r\n`;

export const COMMON_SHAPES: Readonly<Record<string, Shape>> = {
  'nothing but CRLF': repeated('\r\n'),
  'nothing but LF': repeated('\n'),
  'nothing but CR': repeated('\r'),
  'CRLF, then a bare LF': repeated('\r\n', '', 'a\n'),
  'nothing but spaces': repeated(' '),
  'tabs and spaces between two words': repeated('\t ', 'a', 'b'),
  'one long word': repeated('a'),
  'digits without an end': repeated('9'),
  'dots at line starts': repeated('\r\n.'),
  'addresses with commas': repeated('a@b,'),
  'addresses with names': repeated('"a b" <a@b.example>, '),
  'nested parentheses': nested('(', ')', 'a'),
  'unclosed parentheses': repeated('('),
  'nested square brackets': nested('[', ']'),
  'unclosed braces': repeated('{'),
  'JSON objects in objects': nested('{"a":', '}', '1'),
  'JSON with many names': manyKeys,
  'JSON list of texts': repeated('"a",', '["b",', '"c"]'),
  'JSON text of escapes': repeated('\\u0041', '"', '"'),
  'nothing but double quotes': repeated('"'),
  'escaped quotes': repeated('\\"'),
  backslashes: repeated('\\'),
  'percent escapes': repeated('%20'),
  'form fields': repeated('a=b&'),
  'angle brackets': repeated('<'),
  'opened tags': repeated('<a '),
  'nested elements': nested('<b>', '</b>', 'a'),
  'links in html': repeated('<a href="https://a.example/?b=c&amp;d">e</a>'),
  'unclosed comments': repeated('<!--'),
  'unclosed attributes': repeated('<a b="'),
  entities: repeated('&amp;'),
  'entities without an end': repeated('&'),
  'CSS selectors': repeated('a>b+c~d ', '<style>', '{color:red}</style>'),
  'web addresses': repeated('https://a.example/b '),
  'one address of slashes': repeated('/', 'https://a.example'),
  'encoded words without an end': repeated('=?utf-8?q?'),
  'encoded words': repeated('=?utf-8?q?=41?= '),
  'soft line breaks': repeated('=\r\n', `${MESSAGE}Content-Transfer-Encoding: quoted-printable\r\n\r\n`),
  'base64 in lines': repeated(BASE64_LINE, `${MESSAGE}Content-Transfer-Encoding: base64\r\n\r\n`),
  'header fields': repeated('X-A: b\r\n', MESSAGE, '\r\n'),
  'a header field of folds': repeated('\r\n b', `${MESSAGE}Subject: a`, '\r\n\r\n'),
  'a header field of parameters': repeated('a="b"; ', `${MESSAGE}Content-Type: text/plain; `, '\r\n\r\n'),
  'lines like a boundary': repeated('--b\r\n', MULTIPART),
  'lines that begin like a boundary': repeated('--c\r\n', MULTIPART),
  'an html message of opened tags': repeated('<a ', HTML_MESSAGE),
  'template variables': repeated('{{a}}'),
  'nested template blocks': nested('{{#if a}}', '{{/if}}'),
  'merge variables': repeated('%recipient.a%'),
  emoji: repeated('😀'),
  'combining marks': repeated('\u0301', 'a'),
  'characters of two bytes': repeated('é'),
  'nothing but NUL': repeated('\0'),
  'bytes that are not UTF-8': highBytes,
};

/** A quadratic step takes seconds for so much, and 50 shapes of it take a linear parser a fraction of one. */
export const QUICK_BYTES = 64 * 1024;

/** What is quadratic takes many seconds for so much. Only what is linear and done at one go needs more to be noticed. */
const ENOUGH_BYTES = 1024 * 1024;

/** One for each way to go through bytes: by line, by word, by quote, by escape, by character. A subject names others in `whole`. */
const ALWAYS_WHOLE = new Set([
  ...['nothing but CRLF', 'nothing but LF', 'nothing but spaces', 'one long word'],
  ...['dots at line starts', 'nothing but double quotes', 'soft line breaks', 'emoji'],
]);

/** How many bytes a subject is given of a common shape, where so many reach it. */
export function bytesOfShape(shape: string, limitBytes: number): number {
  return ALWAYS_WHOLE.has(shape) ? limitBytes : Math.min(limitBytes, ENOUGH_BYTES);
}
