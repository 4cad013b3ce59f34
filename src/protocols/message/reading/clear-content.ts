/**
 * Checks whether every program finds the same content in a message or a part: Content-Type,
 * Content-Transfer-Encoding and Content-Disposition must be unambiguous. Pure.
 */
import type { ContentType } from './content-type.ts';
import { type FieldBlock, MAX_VALUE } from './fields.ts';

const TOKEN = "[!#$%&'*+\\-.^_`{|}~0-9A-Za-z]+";
/** More than a token, because unquoted values often are. */
const VALUE = String.raw`(?!=\?)[^\s;"(),<>@\\\x00-\x1f\x7f]+`;
const PARAMETERS = `(?: *; *${TOKEN} *= *(?:${VALUE}|"[^"\\\\\\x00-\\x1f\\x7f]*"))*(?: *;)? *`;
const TYPE = new RegExp(`^${TOKEN}/${TOKEN}${PARAMETERS}$`);
const DISPOSITION = new RegExp(`^${TOKEN}${PARAMETERS}$`);
const PARAMETER_NAME = new RegExp(`; *(${TOKEN}) *=`, 'g');
const ENCODINGS = new Set(['7bit', '8bit', 'binary', 'base64', 'quoted-printable']);
const UNENCODED = new Set(['7bit', '8bit', 'binary']);
/** RFC 2046 allows less, but programs agree on this much. */
const BOUNDARY = /^[ !#-[\]-~]{0,99}[!#-[\]-~]$/;

/** Fields that may occur once in a message or a part. */
const CONTENT_FIELDS = ['content-type', 'content-transfer-encoding', 'content-disposition'] as const;

/** The ambiguity as a sentence; null without one. */
export function contentProblem(
  bytes: Buffer,
  { fields, scanned }: FieldBlock,
  content: ContentType,
): string | null {
  for (const name of CONTENT_FIELDS) {
    const found = scanned.filter((field) => field.name === name);
    if (found.length > 1) return `A part has ${NAMES[name]} more than once.`;
    const [only] = found;
    if (only === undefined) continue;
    if (only.end - only.valueAt > MAX_VALUE) return unclear(name);
    // Some programs do not recognise an encoding that is folded or has a trailing blank.
    const text = bytes.toString('latin1', only.valueAt, only.end);
    if (name === 'content-transfer-encoding' && !/^[ \t]*[^\s]*$/.test(text)) return unclear(name);
  }
  const type = fields.get('content-type');
  if (type !== undefined && !(TYPE.test(type) && hasClearParameters(type, content)))
    return unclear('content-type');
  const encoding = fields.get('content-transfer-encoding')?.toLowerCase();
  const isMultipart = content.type.startsWith('multipart/');
  if (encoding !== undefined && !(isMultipart ? UNENCODED : ENCODINGS).has(encoding))
    return unclear('content-transfer-encoding');
  const disposition = fields.get('content-disposition');
  if (disposition !== undefined && !(DISPOSITION.test(disposition) && hasDistinctNames(disposition)))
    return unclear('content-disposition');
  if (isMultipart && disposition !== undefined && !/^inline *$/i.test(disposition))
    return 'Some programs show what is in a part, others take it for a file.';
  return null;
}

const NAMES = {
  'content-type': 'Content-Type',
  'content-transfer-encoding': 'Content-Transfer-Encoding',
  'content-disposition': 'Content-Disposition',
} as const;

function unclear(name: keyof typeof NAMES): string {
  return `${NAMES[name]} of a part is written in a way that programs read differently.`;
}

function hasClearParameters(value: string, { type, parameters }: ContentType): boolean {
  if (!hasDistinctNames(value)) return false;
  if ([...parameters.keys()].some((name) => /^(?:boundary|charset)\*/.test(name))) return false;
  if (type.startsWith('multipart/') && !BOUNDARY.test(parameters.get('boundary') ?? '')) return false;
  return isKnownCharset(parameters.get('charset'));
}

/** A quoted value may look like another parameter. */
function hasDistinctNames(value: string): boolean {
  const names = [...value.replace(/"[^"]*"/g, '""').matchAll(PARAMETER_NAME)].map(([, name]) =>
    (name as string).toLowerCase(),
  );
  return new Set(names).size === names.length;
}

function isKnownCharset(charset: string | undefined): boolean {
  if (charset === undefined) return true;
  try {
    return new TextDecoder(charset).encoding !== '';
  } catch {
    return false;
  }
}
