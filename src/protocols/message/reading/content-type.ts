/** Parses `Content-Type` by hand: one pass over a short text. */
export interface ContentType {
  /** `type/subtype` in lower case. */
  readonly type: string;
  /** Lower-case names. */
  readonly parameters: ReadonlyMap<string, string>;
}

const MAX_PARAMETERS = 20;
const PLAIN: ContentType = { type: 'text/plain', parameters: new Map() };

export function readContentType(value: string | undefined): ContentType {
  if (value === undefined) return PLAIN;
  const semicolon = endOf(value, 0, ';');
  const type = value.slice(0, semicolon).trim().toLowerCase();
  if (!/^[^\s/;]{1,100}\/[^\s/;]{1,100}$/.test(type)) return PLAIN;
  return { type, parameters: readParameters(value, semicolon + 1) };
}

/** `Content-Disposition` has the same form without the slash. */
export function readDisposition(value: string | undefined): ContentType {
  const { type, parameters } = readContentType(`disposition/${value?.trimStart() ?? ''}`);
  return { type: type.replace(/^.*\//, ''), parameters };
}

function readParameters(value: string, start: number): Map<string, string> {
  const parameters = new Map<string, string>();
  let at = start;
  while (at < value.length && parameters.size < MAX_PARAMETERS) {
    const equals = endOf(value, at, '=');
    const name = value.slice(at, equals).replaceAll(';', '').trim().toLowerCase();
    const [content, next] = readValue(value, equals + 1);
    if (name !== '' && !parameters.has(name)) parameters.set(name, content);
    at = next;
  }
  return parameters;
}

function readValue(value: string, start: number): [string, number] {
  let at = start;
  while (value[at] === ' ' || value[at] === '\t') at++;
  if (value[at] !== '"') {
    const end = endOf(value, at, ';');
    return [value.slice(at, end).trim(), end + 1];
  }
  let content = '';
  for (at++; at < value.length && value[at] !== '"'; at++) {
    if (value[at] === '\\' && at + 1 < value.length) at++;
    content += value[at];
  }
  return [content, endOf(value, at, ';') + 1];
}

function endOf(value: string, from: number, mark: string): number {
  const found = value.indexOf(mark, from);
  return found < 0 ? value.length : found;
}
