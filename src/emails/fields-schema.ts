/** The fields of a send, each with its own rule. Rules are reported together, by the field's path. */

import { Type } from 'typebox';
import { addressField } from '../kit/http/address-field.ts';
import { isSendable } from '../kit/message/address.ts';
import { isBase64 } from '../kit/message/base64-in-turns.ts';
import { isAttachableType } from '../kit/message/file-content.ts';
import {
  checkContentId,
  checkContentType,
  checkHeaderName,
  checkHeaderValue,
  type HeaderCheck,
} from '../kit/message/header-check.ts';
import { subjectProblem } from '../kit/message/subject.ts';
import { findUnwritable, type HeaderText } from '../kit/message/unsafe-text.ts';
import type { Problems } from '../kit/problems.ts';
import type { Clock } from '../kit/runtime/clock.ts';
import { MINUTE_MS } from '../kit/runtime/durations.ts';
import { parseMoment } from '../kit/runtime/moment.ts';
import { checked, mapOf, strictObject, stringEnum } from '../kit/schema.ts';
import { PRIORITIES } from '../outbox/states.ts';
import { GROUP_NAME } from '../suppressions/suppression.ts';

export const MAX_RECIPIENTS = 50;
const MAX_SUBJECT_CHARS = 998;
export const MAX_NAME_CHARS = 255;
const MAX_BODY_BYTES = 2 * 1024 * 1024;
const MAX_HEADERS = 50;
const MAX_ATTACHMENTS = 50;
const MAX_TAGS = 10;
const MAX_METADATA_KEYS = 50;
const MAX_METADATA_CHARS = 1_000;
/** Longest time a delivery may be tried: the five days mail servers allow each other. */
const MAX_EXPIRES_SECONDS = 5 * 86_400;
const MIN_EXPIRES_SECONDS = 30;
const SCHEDULE_PAST_MS = 5 * MINUTE_MS;
const SCHEDULE_AHEAD_YEARS = 10;

export const CANNOT_BE_MAILED = 'Addresses with an IP address in place of a domain cannot be mailed.';

/** One line of text: what will stand in a header. */
function headerText(maxLength: number, options: Record<string, unknown> = {}) {
  return checked(Type.Unsafe<HeaderText>({ type: 'string', maxLength, ...options }), (text, problems) => {
    const unsafe = findUnwritable(text);
    if (unsafe) problems.add('', `must not contain control characters (${unsafe.codePoint})`);
  });
}

const email = addressField({ description: 'An email address.', examples: ['ada@example.org'] }, (address) =>
  isSendable(address) ? null : CANNOT_BE_MAILED,
);

export const mailbox = strictObject(
  { email, name: Type.Optional(headerText(MAX_NAME_CHARS, { description: 'Display name.' })) },
  { $id: 'Mailbox' },
);

/** As many as a person may want to answer at once; for more there are mailing lists. */
export const MAX_REPLY_TO = 10;

const replyTo = Type.Union([mailbox, Type.Array(mailbox, { maxItems: MAX_REPLY_TO })], {
  description: `Who gets the answers: one, or a list of up to ${MAX_REPLY_TO}.`,
});

export const subject = checked(
  Type.Unsafe<HeaderText>({
    type: 'string',
    minLength: 1,
    maxLength: MAX_SUBJECT_CHARS,
    description: 'One line. With a template it may contain variables.',
  }),
  (text, problems) => {
    const problem = subjectProblem(text);
    if (problem !== null) problems.add('', problem);
  },
);

/** Limits are in bytes as sent; a quick look at the length spares counting them for ordinary mail. */
export const bodyText = checked(Type.String({ description: 'At most 2 MiB.' }), (text, problems) => {
  if (text.length * 3 > MAX_BODY_BYTES && Buffer.byteLength(text) > MAX_BODY_BYTES) {
    problems.add('', 'must not be larger than 2 MiB');
  }
});

const customHeaders = checked(
  mapOf(Type.Unsafe<HeaderText>({ type: 'string' }), { description: 'Custom email headers, up to 50.' }),
  (headers, problems) => {
    const entries = Object.entries(headers);
    if (entries.length > MAX_HEADERS) problems.add('', `must not have more than ${MAX_HEADERS} headers`);
    const seen = new Set<string>();
    for (const [name, value] of entries.slice(0, MAX_HEADERS)) {
      add(problems, name, checkHeaderName(name));
      if (typeof value === 'string') add(problems, name, checkHeaderValue(value));
      if (seen.has(name.toLowerCase())) problems.add(name, 'is given twice (names of headers ignore case)');
      seen.add(name.toLowerCase());
    }
  },
);

export const NOT_BASE64 = 'must be base64';
/** A longer file is looked at while it is decoded, in turns. */
const FILE_CHECKED_AT_ONCE = 64 * 1024;

const attachmentFields = strictObject(
  {
    filename: Type.Optional(
      checked(
        headerText(255, {
          minLength: 1,
          description: 'With `url` it is by default what the server calls it.',
        }),
        (name, problems) => {
          if (/[/\\]/.test(name)) problems.add('', 'must be a name without a path');
        },
      ),
    ),
    content: Type.Optional(
      checked(
        Type.String({ description: 'The file, in base64; or give its `url`.' }),
        (content, problems) => {
          const isWhole = content.length % 4 === 0;
          if (!isWhole || (content.length <= FILE_CHECKED_AT_ONCE && !isBase64(content)))
            problems.add('', NOT_BASE64);
        },
      ),
    ),
    url: Type.Optional(
      Type.String({
        description: 'Where the file is, instead of `content`. It is fetched before the email is accepted.',
        examples: ['https://example.org/invoice.pdf'],
      }),
    ),
    content_type: Type.Optional(
      checked(
        Type.String({
          description: 'Such as `application/pdf`, or `message/rfc822` for an attached message.',
        }),
        (type, problems) => {
          add(problems, '', checkContentType(type));
          if (!isAttachableType(type))
            problems.add('', 'must not be a multipart type, nor a message type other than message/rfc822');
        },
      ),
    ),
    content_id: Type.Optional(
      checked(Type.String({ description: 'For an inline image: `<img src="cid:...">`.' }), (id, problems) => {
        add(problems, '', checkContentId(id));
      }),
    ),
  },
  { $id: 'Attachment' },
);

const attachment = checked(attachmentFields, ({ filename, content, url }, problems) => {
  if (content === undefined && url === undefined) problems.add('content', 'give either content or url');
  if (content !== undefined && url !== undefined)
    problems.add('url', 'must not be given together with content');
  if (filename === undefined && url === undefined) problems.add('filename', 'is required');
});

export const attachments = Type.Array(attachment, { maxItems: MAX_ATTACHMENTS });

/** What marks our own mail must not be had by asking for it. */
const RESERVED_TAG = /^postrider(?:[._-]|$)/i;

const tags = checked(
  Type.Array(
    strictObject(
      {
        name: Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_.-]+$' }),
        value: headerText(256, { minLength: 1 }),
      },
      { $id: 'Tag' },
    ),
    { maxItems: MAX_TAGS, description: 'Up to 10, to find the email by later.' },
  ),
  (list, problems) => {
    const names = new Set<unknown>();
    list.forEach((tag, index) => {
      if (names.has(tag?.name)) problems.add(`[${index}].name`, 'is used by another tag');
      names.add(tag?.name);
      if (typeof tag?.name === 'string' && RESERVED_TAG.test(tag.name))
        problems.add(`[${index}].name`, 'is reserved: tags named postrider are written by the service');
    });
  },
);

const metadata = checked(
  mapOf(Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'] }), {
    description: 'A flat object of your own, returned with the email.',
  }),
  (data, problems) => {
    const entries = Object.entries(data);
    if (entries.length > MAX_METADATA_KEYS)
      problems.add('', `must not have more than ${MAX_METADATA_KEYS} keys`);
    for (const [name, value] of entries.slice(0, MAX_METADATA_KEYS)) {
      if (name.length > 64 || name === '') problems.add('', 'names must be 1 to 64 characters');
      if (typeof value === 'string' && value.length > MAX_METADATA_CHARS) {
        problems.add(name, `must not be longer than ${MAX_METADATA_CHARS} characters`);
      }
    }
  },
);

export const priority = stringEnum(PRIORITIES, { description: '`normal` by default.' });

const trackOpens = Type.Boolean({
  description:
    'Whether html mail gets a pixel that tells when it is opened; the default is the setting in `/settings/tracking`.',
});

const textFromHtmlField = Type.Boolean({
  description:
    'Whether mail that has html and no text gets a text part that is made from it. By default yes with a template, otherwise no.',
});

const unsubscribe = Type.Boolean({
  description:
    'Adds `List-Unsubscribe` and `List-Unsubscribe-Post` headers, so that recipients can unsubscribe with one click.',
});

const unsubscribeGroup = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: GROUP_NAME.source,
  description:
    'The kind of mail it is, such as `product-news`: an unsubscription stops mail of the same group and no other. Implies `unsubscribe`, unless that is `false`. Mail with `unsubscribe` and no group is of the group `default`.',
  examples: ['product-news'],
});

const UNSUBSCRIBE_HEADERS = new Set(['list-unsubscribe', 'list-unsubscribe-post']);

/** One mail can have only one way to unsubscribe. Looks before it reads: a field may be wrong in itself. */
export function checkUnsubscribe(
  body: { readonly unsubscribe?: unknown; readonly unsubscribe_group?: unknown; readonly headers?: unknown },
  problems: Problems,
): void {
  const hasOurs = body.unsubscribe ?? body.unsubscribe_group !== undefined;
  if (hasOurs !== true || typeof body.headers !== 'object') return;
  for (const name of Object.keys(body.headers ?? {})) {
    if (UNSUBSCRIBE_HEADERS.has(name.toLowerCase()))
      problems.add(`headers.${name}`, 'must not be given together with unsubscribe, which sets it');
  }
}

const expiresIn = Type.Integer({
  minimum: MIN_EXPIRES_SECONDS,
  maximum: MAX_EXPIRES_SECONDS,
  description: 'Seconds until delivery is given up; 86400 by default.',
});

export function scheduledAt(clock: Clock) {
  return checked(
    Type.String({
      description: 'ISO 8601 date and time. Without an offset it is UTC.',
      examples: ['2030-01-31T08:00:00Z'],
    }),
    (text, problems) => checkSchedule(text, clock.nowMs(), problems),
  );
}

function checkSchedule(text: string, nowMs: number, problems: Problems): void {
  const ms = parseMoment(text);
  if (ms === null) {
    problems.add('', 'must be an ISO 8601 date and time such as 2027-01-31T08:00:00Z');
    return;
  }
  const latest = new Date(nowMs);
  latest.setUTCFullYear(latest.getUTCFullYear() + SCHEDULE_AHEAD_YEARS);
  if (ms < nowMs - SCHEDULE_PAST_MS) problems.add('', 'is more than 5 minutes in the past');
  if (ms > latest.getTime()) problems.add('', `is more than ${SCHEDULE_AHEAD_YEARS} years ahead`);
}

/** What every mail can have, sent alone or in a batch: the letterhead of a draft. */
export function letterheadFields(clock: Clock) {
  return {
    from: mailbox,
    reply_to: Type.Optional(replyTo),
    headers: Type.Optional(customHeaders),
    tags: Type.Optional(tags),
    metadata: Type.Optional(metadata),
    priority: Type.Optional(priority),
    scheduled_at: Type.Optional(scheduledAt(clock)),
    track_opens: Type.Optional(trackOpens),
    text_from_html: Type.Optional(textFromHtmlField),
    unsubscribe: Type.Optional(unsubscribe),
    unsubscribe_group: Type.Optional(unsubscribeGroup),
    expires_in: Type.Optional(expiresIn),
  };
}

function add(problems: Problems, field: string, check: HeaderCheck): void {
  if (!check.ok) problems.add(field, check.message);
}
