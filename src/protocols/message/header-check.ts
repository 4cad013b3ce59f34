/** Validates custom headers, content types and content ids, once at the edge. */
import { isServerField } from './server-fields.ts';
import { findUnwritable } from './unsafe-text.ts';

type HeaderProblemCode =
  | 'header_name_empty'
  | 'header_name_too_long'
  | 'header_name_character'
  | 'header_reserved'
  | 'header_of_servers'
  | 'header_value_too_long'
  | 'header_value_character'
  | 'content_type_invalid'
  | 'content_id_invalid';

export type HeaderCheck =
  | { readonly ok: true }
  /** `message` tells a developer what to change. */
  | { readonly ok: false; readonly code: HeaderProblemCode; readonly message: string };

const MAX_NAME_CHARS = 76;
/** Larger than any real header; receivers would refuse a larger one after we accepted it. */
const MAX_VALUE_CHARS = 8192;
const TOKEN = /^[A-Za-z0-9!#$%&'*+\-.^_`|~]+$/;
const OK: HeaderCheck = { ok: true };

/** Fields that we write, or that only a transport may write. */
const OURS = new Set([
  'from',
  'to',
  'cc',
  'bcc',
  'subject',
  'sender',
  'date',
  'message-id',
  'return-path',
  'received',
  'dkim-signature',
  'mime-version',
]);

export function checkHeaderName(name: string): HeaderCheck {
  if (name === '') return problem('header_name_empty', 'A header name is empty.');
  if (name.length > MAX_NAME_CHARS) {
    return problem('header_name_too_long', `A header name is longer than ${MAX_NAME_CHARS} characters.`);
  }
  if (!TOKEN.test(name)) {
    return problem(
      'header_name_character',
      'A header name may hold letters, digits and hyphens, no spaces or colons.',
    );
  }
  const lower = name.toLowerCase();
  if (OURS.has(lower) || lower.startsWith('content-')) {
    return problem('header_reserved', `The header ${name} is written by the service and cannot be set.`);
  }
  if (isServerField(lower) || lower.startsWith('x-postrider-')) {
    return problem('header_of_servers', `The header ${name} is for mail servers to write and cannot be set.`);
  }
  return OK;
}

export function checkHeaderValue(value: string): HeaderCheck {
  if (value.length > MAX_VALUE_CHARS) {
    return problem('header_value_too_long', `A header value is longer than ${MAX_VALUE_CHARS} characters.`);
  }
  const unsafe = findUnwritable(value);
  if (unsafe === null) return OK;
  return problem(
    'header_value_character',
    `A header value contains ${unsafe.codePoint}, which is not allowed.`,
  );
}

const PARAMETER = '; *[A-Za-z0-9!#$%&\'*+.^_`|~-]+=(?:[A-Za-z0-9!#$%&\'*+.^_`|~-]+|"[ !#-\\[\\]-~]*")';
const CONTENT_TYPE = new RegExp(
  `^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*(?:${PARAMETER})*$`,
);
const MAX_CONTENT_TYPE_CHARS = 200;

export function checkContentType(value: string): HeaderCheck {
  if (value.length <= MAX_CONTENT_TYPE_CHARS && CONTENT_TYPE.test(value)) return OK;
  return problem(
    'content_type_invalid',
    'A content type looks like "image/png" or "text/csv; charset=utf-8".',
  );
}

/** Printable ASCII without space and angle brackets; the `cid:` link in the html refers to it. */
const CONTENT_ID = /^[!-;=?-~]{1,200}$/;

export function checkContentId(value: string): HeaderCheck {
  if (CONTENT_ID.test(value)) return OK;
  return problem(
    'content_id_invalid',
    'A content id is 1 to 200 ASCII characters without spaces, "<" or ">".',
  );
}

function problem(code: HeaderProblemCode, message: string): HeaderCheck {
  return { ok: false, code, message };
}
