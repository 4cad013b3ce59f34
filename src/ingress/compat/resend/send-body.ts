/** Converts an email in Resend's format to our API's JSON. Unknown fields are ignored. */

import { type JsonFields, jsonFields } from '../../../http/json-fields.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../runtime/durations.ts';
import { Problems } from '../../../runtime/problems.ts';
import { type MailboxJson, mailboxesIn, mailboxesInAll, startOf } from '../mailboxes.ts';
import { typeOfName } from '../type-of-name.ts';

/** Treats a missing body as one without fields, because the missing fields make a better error message. */
export function resendFields(body: unknown): JsonFields {
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body))
    throw new Problems().add('body', 'must be an object').toError();
  return jsonFields(body);
}

export function resendSendBody(email: JsonFields, nowMs: number): JsonFields {
  const { subject, headers, tags, attachments, scheduled_at: when } = email;
  return {
    from: fromOf(email.from),
    to: mailboxesOf(email.to),
    cc: mailboxesOf(email.cc),
    bcc: mailboxesOf(email.bcc),
    reply_to: mailboxesOf(email.reply_to),
    subject,
    headers,
    tags: Array.isArray(tags) ? startOf(tags).map(tagOf) : tags,
    attachments: Array.isArray(attachments) ? startOf(attachments).map(attachmentOf) : attachments,
    scheduled_at: when === undefined ? undefined : resendMoment(when, nowMs),
    ...contentOf(email),
  };
}

/** Returns ISO 8601. A text in an unknown format stays unchanged. */
export function resendMoment(when: unknown, nowMs: number): unknown {
  const ms = typeof when === 'string' ? momentOfWords(when, nowMs) : null;
  return ms === null ? when : new Date(ms).toISOString();
}

function fromOf(from: unknown): MailboxJson | undefined {
  if (from === undefined) return undefined;
  const [only, another] = mailboxesIn(from);
  return another === undefined ? only : { email: from };
}

function mailboxesOf(list: unknown): readonly MailboxJson[] | undefined {
  return list === undefined ? undefined : mailboxesInAll(Array.isArray(list) ? list : [list]);
}

/** Like Resend, generates the text part from HTML unless the text is an empty string. */
function contentOf({ html, text, template }: JsonFields): JsonFields {
  if (template === undefined)
    return text === '' && html !== undefined ? { html } : { html, text, text_from_html: isAlone(html, text) };
  const { id, variables } = jsonFields(template);
  if (id === undefined) throw new Problems().missing('template.id').toError();
  return { html, text, template_id: id, template_data: variables };
}

function isAlone(html: unknown, text: unknown): true | undefined {
  return html !== undefined && text === undefined ? true : undefined;
}

function tagOf(tag: unknown): unknown {
  const { name, value } = jsonFields(tag);
  return { name, value };
}

function attachmentOf(file: unknown): unknown {
  const { content, path, filename, content_type: type, content_id } = jsonFields(file);
  const name = typeof filename === 'string' ? filename : nameInPath(path);
  return {
    filename: name,
    content: contentBytes(content),
    content_type: type ?? typeOfName(name),
    content_id,
    ...(content === undefined && path !== undefined ? { url: path } : {}),
  };
}

/** Older clients serialize a Buffer as JSON. */
function contentBytes(content: unknown): unknown {
  const { type, data } = jsonFields(content);
  return type === 'Buffer' && Array.isArray(data) ? Buffer.from(data).toString('base64') : content;
}

function nameInPath(path: unknown): string {
  const last = typeof path === 'string' && URL.canParse(path) ? new URL(path).pathname.split('/').at(-1) : '';
  return decodedName(last ?? '') || 'attachment';
}

function decodedName(name: string): string {
  try {
    return decodeURIComponent(name).replaceAll(/[/\\]/g, '');
  } catch {
    return name;
  }
}

/**
 * Times in plain English, which Resend accepts besides ISO 8601: `in 5 minutes`, `tomorrow at 9am`, `friday
 * at 14:30`.
 */

const UNITS = new Map([
  ['s', 1_000],
  ['sec', 1_000],
  ['second', 1_000],
  ['m', MINUTE_MS],
  ['min', MINUTE_MS],
  ['minute', MINUTE_MS],
  ['h', HOUR_MS],
  ['hr', HOUR_MS],
  ['hour', HOUR_MS],
  ['d', DAY_MS],
  ['day', DAY_MS],
  ['week', 7 * DAY_MS],
]);
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

const MAX_CHARS = 100;
const FROM_NOW = /^in (an?|\d{1,5}) ?([a-z]+?)s?$/;
const ON_A_DAY = /^(?:on )?(?:next )?([a-z]+)(?:,? at (\d{1,2})(?::(\d{2}))? ?(am|pm)?)?(?: (?:utc|gmt))?$/;

/** Null for other formats. Times are UTC; a day without a time means the current time of day. */
export function momentOfWords(words: string, nowMs: number): number | null {
  if (words.length > MAX_CHARS) return null;
  const text = words.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  const [, amount, unit = ''] = FROM_NOW.exec(text) ?? [];
  if (amount !== undefined) {
    const unitMs = UNITS.get(unit);
    return unitMs === undefined ? null : nowMs + (amount.startsWith('a') ? 1 : Number(amount)) * unitMs;
  }
  const [, day, hour, minute = '0', half] = ON_A_DAY.exec(text) ?? [];
  const days = day === undefined ? null : daysUntil(day, nowMs);
  if (days === null) return null;
  if (hour === undefined) return nowMs + days * DAY_MS;
  const timeMs = timeOfDay(Number(hour), Number(minute), half);
  return timeMs === null ? null : (Math.floor(nowMs / DAY_MS) + days) * DAY_MS + timeMs;
}

/** A weekday means its next occurrence, never today. */
function daysUntil(day: string, nowMs: number): number | null {
  if (day === 'today') return 0;
  if (day === 'tomorrow') return 1;
  const wanted = WEEKDAYS.indexOf(day);
  return wanted < 0 ? null : ((wanted - new Date(nowMs).getUTCDay() + 6) % 7) + 1;
}

function timeOfDay(hour: number, minute: number, half: string | undefined): number | null {
  const isHalf = half !== undefined;
  if (minute > 59 || (isHalf ? hour < 1 || hour > 12 : hour > 23)) return null;
  const hours = isHalf ? (hour % 12) + (half === 'pm' ? 12 : 0) : hour;
  return hours * HOUR_MS + minute * MINUTE_MS;
}
