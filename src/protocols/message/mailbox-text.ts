/** A mailbox in text form: `Ada Lovelace <ada@example.org>`, with quotes where the name needs them. */
import { type Address, parseAddress } from './address.ts';
import { findUnwritable, type HeaderText, isHeaderText } from './unsafe-text.ts';

export const MAX_MAILBOX_NAME_CHARS = 255;
/** Longer than any address with any name, with a backslash before each character. */
const MAX_TEXT_CHARS = 1_100;

/** RFC 5322, 3.2.3: characters that end a name or change its meaning. */
const NEEDS_QUOTES = /[()<>[\]:;@\\,."]/;
/** The same without the dot: `Dr. Lovelace <ada@example.org>` is unambiguous. */
const AMBIGUOUS = /[()<>[\]:;@\\,"]/;
const QUOTED = /^"((?:[^"\\]|\\.)*)"$/s;

export interface NamedMailbox {
  readonly address: Address;
  readonly name: HeaderText | null;
}

type ParsedMailbox =
  | ({ readonly ok: true } & NamedMailbox)
  | { readonly ok: false; readonly message: string };

export function mailboxText({
  email,
  name,
}: {
  readonly email: string;
  readonly name: string | null;
}): string {
  if (!name) return email;
  return `${NEEDS_QUOTES.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : name} <${email}>`;
}

/**
 * Accepts exactly one mailbox: `ada@example.org` or `Ada <ada@example.org>`. Stricter than header parsers: an
 * ambiguous text is refused, because its name is written into a header.
 */
export function parseMailbox(text: string): ParsedMailbox {
  if (text.length > MAX_TEXT_CHARS)
    return { ok: false, message: `must have at most ${MAX_TEXT_CHARS} characters` };
  const unsafe = findUnwritable(text);
  if (unsafe !== null)
    return { ok: false, message: `must not contain control characters (${unsafe.codePoint})` };
  if (!text.endsWith('>')) return withAddress(text, null);
  const open = text.lastIndexOf('<');
  const name = nameIn(text.slice(0, Math.max(open, 0)).trim());
  return name.ok ? withAddress(text.slice(open + 1, -1), name.name) : name;
}

function withAddress(text: string, name: string | null): ParsedMailbox {
  const address = parseAddress(text);
  if (!address.ok) return { ok: false, message: address.message };
  if (name === null) return { ok: true, address, name };
  if (name.length > MAX_MAILBOX_NAME_CHARS)
    return { ok: false, message: `must have a name of at most ${MAX_MAILBOX_NAME_CHARS} characters` };
  return isHeaderText(name) ? { ok: true, address, name } : { ok: false, message: ASK_FOR_QUOTES };
}

type ParsedName =
  | { readonly ok: true; readonly name: string | null }
  | { readonly ok: false; readonly message: string };

const ASK_FOR_QUOTES =
  'must be one mailbox: put a name with punctuation in quotes ("Lovelace, Ada" <ada@example.org>), and give several mailboxes as a list';

function nameIn(text: string): ParsedName {
  const quoted = QUOTED.exec(text)?.[1]?.replace(/\\(.)/gs, '$1');
  if (quoted === undefined && AMBIGUOUS.test(text)) return { ok: false, message: ASK_FOR_QUOTES };
  return { ok: true, name: (quoted ?? text) || null };
}
