/** JSON values as each language writes them. */

export interface Dialect {
  readonly indent: string;
  readonly text: (value: string) => string;
  readonly pair: (name: string, value: string) => string;
  /** What is around the pairs of an object; the names say whether it needs more to be one. */
  readonly object: (names: readonly string[]) => readonly [string, string];
  readonly emptyObject: string;
  /** Between the braces of an object that fits one line. */
  readonly space: string;
  /** After the last entry, where there is a line for each. */
  readonly lastComma: ',' | '';
  readonly null: string;
  readonly boolean: (value: boolean) => string;
}

const WIDTH = 72;

/** On one line where it fits, else with a line for each entry; `depth` is that of the line it begins on. */
export function literal(value: unknown, dialect: Dialect, depth = 0): string {
  if (value === null || value === undefined) return dialect.null;
  if (typeof value === 'string') return dialect.text(value);
  if (typeof value === 'boolean') return dialect.boolean(value);
  if (typeof value !== 'object') return JSON.stringify(value);
  const names = Array.isArray(value) ? undefined : Object.keys(value);
  const entries = Array.isArray(value)
    ? value.map((one) => literal(one, dialect, depth + 1))
    : Object.entries(value).map(([name, one]) => dialect.pair(name, literal(one, dialect, depth + 1)));
  if (entries.length === 0) return names === undefined ? '[]' : dialect.emptyObject;
  const [open, close] = names === undefined ? ['[', ']'] : dialect.object(names);
  const space = names === undefined ? '' : dialect.space;
  const line = `${open}${space}${entries.join(', ')}${space}${close}`;
  if (!line.includes('\n') && line.length + depth * dialect.indent.length <= WIDTH) return line;
  const inner = entries.map((entry) => `\n${dialect.indent.repeat(depth + 1)}${entry}`).join(',');
  return `${open}${inner}${dialect.lastComma}\n${dialect.indent.repeat(depth)}${close}`;
}

/** As it is sent. */
export const JSON_TEXT: Dialect = {
  indent: '  ',
  text: (value) => JSON.stringify(value),
  pair: (name, value) => `${JSON.stringify(name)}: ${value}`,
  object: () => ['{', '}'],
  emptyObject: '{}',
  space: ' ',
  lastComma: '',
  null: 'null',
  boolean: String,
};

const javascriptNames = /^[A-Za-z_]\w*$/;

export const JAVASCRIPT: Dialect = {
  indent: '  ',
  text: (value) => `'${escaped(value, "'", (code) => `\\u${code.toString(16).padStart(4, '0')}`)}'`,
  pair: (name, value) =>
    `${javascriptNames.test(name) && name !== '__proto__' ? name : JAVASCRIPT.text(name)}: ${value}`,
  object: () => ['{', '}'],
  emptyObject: '{}',
  space: ' ',
  lastComma: ',',
  null: 'null',
  boolean: String,
};

export const PYTHON: Dialect = {
  indent: '    ',
  text: (value) => JSON.stringify(value),
  pair: (name, value) => `${JSON.stringify(name)}: ${value}`,
  object: () => ['{', '}'],
  emptyObject: '{}',
  space: '',
  lastComma: ',',
  null: 'None',
  boolean: (value) => (value ? 'True' : 'False'),
};

export const PHP: Dialect = {
  indent: '    ',
  text: (value) =>
    hasControls(value)
      ? `"${escaped(value, '"$', (code) => `\\x${code.toString(16).padStart(2, '0')}`)}"`
      : `'${value.replaceAll(/[\\']/g, '\\$&')}'`,
  pair: (name, value) => `${PHP.text(name)} => ${value}`,
  // Names that are numbers would make it a list.
  object: (names) => (names.some((name) => /^-?\d+$/.test(name)) ? ['(object) [', ']'] : ['[', ']']),
  emptyObject: 'new stdClass()',
  space: '',
  lastComma: ',',
  null: 'null',
  boolean: String,
};

export const RUBY: Dialect = {
  indent: '  ',
  text: (value) =>
    hasControls(value)
      ? `"${escaped(value, '"#', (code) => `\\x${code.toString(16).padStart(2, '0')}`)}"`
      : `'${value.replaceAll(/[\\']/g, '\\$&')}'`,
  pair: (name, value) => (/^[a-z_]\w*$/.test(name) ? `${name}: ${value}` : `${RUBY.text(name)} => ${value}`),
  object: () => ['{', '}'],
  emptyObject: '{}',
  space: ' ',
  lastComma: ',',
  null: 'nil',
  boolean: String,
};

/** For single quotes of a shell, which know no escapes. */
export function shellText(value: string): string {
  return `'${value.replaceAll("'", "'\\''")}'`;
}

/** Between double quotes of a shell, where variables may stand. */
export function inShellQuotes(value: string): string {
  return value.replaceAll(/["\\$`]/g, '\\$&');
}

export function goText(value: string): string {
  return `"${escaped(value, '"', (code) => `\\x${code.toString(16).padStart(2, '0')}`)}"`;
}

/** Between backticks, which cannot be escaped there: JSON can say them otherwise. */
export function goJson(value: unknown): string {
  return `\`${literal(value, JSON_TEXT).replaceAll('`', '\\u0060')}\``;
}

function hasControls(value: string): boolean {
  return /[\0-\x1f\x7f]/.test(value);
}

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Backslashes and what is in `special` with a backslash before them; control characters by name or number. */
function escaped(value: string, special: string, control: (code: number) => string): string {
  return [...value]
    .map((one) => {
      if (one === '\\' || special.includes(one)) return `\\${one}`;
      return hasControls(one) ? (SHORT[one] ?? control(one.charCodeAt(0))) : one;
    })
    .join('');
}
