/** Converts a refused request to its log entry. Pure. */

import { parseAddress } from '../protocols/message/address.ts';
import type { RefusedRequest } from '../runtime/refused-request.ts';
import type { Problem } from '../runtime/service-error.ts';

export interface LogEntry extends Omit<RefusedRequest, 'body'> {
  /** A UUIDv7 with the time of the response. */
  readonly id: string;
  readonly recipients: readonly string[];
  readonly excerpt: Readonly<Record<string, unknown>> | null;
  /** The number of requests that the entry stands for. */
  count: number;
}

const MAX_MESSAGE_CHARS = 1_000;
const MAX_FIELDS_KEPT = 20;

export function logEntryOf({ body, ...request }: RefusedRequest, id: string): LogEntry {
  return {
    ...request,
    id,
    message: request.message && shortened(request.message),
    fields: request.fields.slice(0, MAX_FIELDS_KEPT).map(shortenedProblem),
    recipients: recipientsIn(body),
    excerpt: redactedExcerpt(body),
    count: 1,
  };
}

function shortenedProblem({ field, message }: Problem): Problem {
  return { field: shortened(field), message: shortened(message) };
}

function shortened(text: string): string {
  return storable(text.slice(0, MAX_MESSAGE_CHARS));
}

/** Field names in lower case, of our own API and of the compatible ones. */
const SHOWN: ReadonlySet<string> = new Set([
  ...['from', 'to', 'cc', 'bcc', 'reply_to', 'replyto', 'email', 'name', 'subject', 'recipients'],
  ...['template_id', 'templateid', 'templatealias', 'template', 'tags', 'tag', 'value', 'messagestream'],
  ...[
    'priority',
    'scheduled_at',
    'send_at',
    'unsubscribe_group',
    'domain',
    'emails',
    'items',
    'messages',
    'personalizations',
  ],
]);

const MAX_DEPTH = 6;
const MAX_ITEMS = 3;
const MAX_FIELDS = 30;
const MAX_TEXT_CHARS = 200;
/** For the whole excerpt, which says how much is omitted. */
const MAX_EXCERPT_CHARS = 2_000;
/** Shorter values may be secrets, whose length must not be shown. */
const LONG_CHARS = 64;

/**
 * The part of a refused body that is logged: its recipients, and an excerpt to identify the request. Only fields
 * known to be harmless are shown; content, data, headers, attachments and unknown fields are not. Pure.
 */
export function redactedExcerpt(body: unknown): Record<string, unknown> | null {
  if (typeof body !== 'object' || body === null || Buffer.isBuffer(body)) return null;
  const whole = Array.isArray(body) ? { items: body } : body;
  return redacted(whole, MAX_DEPTH, { chars: MAX_EXCERPT_CHARS }) as Record<string, unknown>;
}

function redacted(value: unknown, depth: number, left: { chars: number }): unknown {
  if (left.chars <= 0 || depth === 0) return '[…]';
  if (typeof value === 'string') {
    const text = storable(value.slice(0, MAX_TEXT_CHARS));
    left.chars -= text.length;
    return value.length > MAX_TEXT_CHARS ? `${text}…` : text;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const shown = value.slice(0, MAX_ITEMS).map((item) => redacted(item, depth - 1, left));
    return value.length > MAX_ITEMS ? [...shown, `[${value.length - MAX_ITEMS} more]`] : shown;
  }
  const shown: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value).slice(0, MAX_FIELDS)) {
    const called = storable(name.slice(0, MAX_TEXT_CHARS));
    left.chars -= called.length + LEAST_CHARS;
    if (left.chars <= 0) break;
    shown[called] = SHOWN.has(name.toLowerCase()) ? redacted(inner, depth - 1, left) : hidden(inner);
  }
  return shown;
}

/** The characters that each field costs, besides its name. */
const LEAST_CHARS = 8;

function hidden(value: unknown): unknown {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') return value.length > LONG_CHARS ? `[${value.length} characters]` : '[text]';
  if (Array.isArray(value)) return `[${value.length} items]`;
  return `[${typeof value}]`;
}

/** Fields that name recipients, and fields that contain such fields. */
const RECIPIENT_FIELDS: ReadonlySet<string> = new Set(['to', 'cc', 'bcc']);
const CONTAINER_FIELDS: ReadonlySet<string> = new Set([
  'recipients',
  'emails',
  'messages',
  'personalizations',
]);
const MAX_RECIPIENTS_KEPT = 1_000;
const MAX_VISITED = 20_000;

/** The number of characters searched for addresses, over all fields. */
const MAX_SEARCHED_CHARS = 64 * 1024;
/** The number of words with an @ that are parsed, over all fields. Parsing one takes two microseconds. */
const MAX_PARSED = 4 * MAX_RECIPIENTS_KEPT;

/** In lower case, without duplicates. */
export function recipientsIn(body: unknown): string[] {
  const found = new Set<string>();
  const search = { found, visits: MAX_VISITED, chars: MAX_SEARCHED_CHARS, parses: MAX_PARSED };
  collect(body, false, MAX_DEPTH, search);
  return [...found];
}

interface Search {
  readonly found: Set<string>;
  visits: number;
  chars: number;
  parses: number;
}

function collect(value: unknown, isNamed: boolean, depth: number, search: Search): void {
  search.visits -= 1;
  if (search.visits <= 0 || depth === 0 || search.found.size >= MAX_RECIPIENTS_KEPT) return;
  if (typeof value === 'string') {
    if (isNamed) addressesIn(value, search);
    return;
  }
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return;
  if (Array.isArray(value)) {
    for (const item of value) {
      if (search.visits <= 0) return;
      collect(item, isNamed, depth - 1, search);
    }
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    const field = name.toLowerCase();
    if (isNamed ? field === 'email' : RECIPIENT_FIELDS.has(field)) collect(inner, true, depth - 1, search);
    else if (CONTAINER_FIELDS.has(field)) collect(inner, false, depth - 1, search);
  }
}

/** Separates one or several mailboxes as in a header: `Ada <ada@example.org>, bob@example.org`. */
const BETWEEN_MAILBOXES = /[\s<>,;"]+/;

function addressesIn(text: string, search: Search): void {
  const searched = text.slice(0, Math.max(0, search.chars));
  search.chars -= searched.length;
  for (const word of searched.split(BETWEEN_MAILBOXES)) {
    if (!word.includes('@')) continue;
    const parsed = parseAddress(word);
    if (parsed.ok) search.found.add(parsed.email.toLowerCase());
    search.parses -= 1;
    if (search.parses <= 0 || search.found.size >= MAX_RECIPIENTS_KEPT) return;
  }
}

/** Removes characters that PostgreSQL cannot store. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}
