/** The options of a send: the rule of each, how a request gives it, and how an email shows it. */

import { type Static, type TObject, Type } from 'typebox';
import { anyObject, checked, mapOf, nullable, strictObject, stringEnum } from '../http/schema.ts';
import { PRIORITIES } from '../outbox/states.ts';
import type { Clock } from '../runtime/clock.ts';
import { MINUTE_MS } from '../runtime/durations.ts';
import type { Problems } from '../runtime/problems.ts';
import { parseMoment } from '../runtime/timestamp.ts';
import { GROUP_NAME } from '../suppressions/suppression.ts';
import {
  CLICK_TRACKING,
  type ClickTracking,
  clickTrackingOf,
  type MailOptions,
  type Metadata,
  type StoredOptions,
  type Tag,
} from './email.ts';
import { customHeaders, headerText } from './fields-schema.ts';
import { replyTo, senderMailbox } from './mailbox-schema.ts';
import { messageTls, tlsRequiredIn } from './message-tls.ts';
import { STREAM_NAME, STREAM_TAG, TRANSACTIONAL } from './stream.ts';

const MAX_TAGS = 10;
const MAX_METADATA_KEYS = 50;
const MAX_METADATA_CHARS = 1_000;
/** The longest lifetime of a delivery: five days, as is common among mail servers. */
const MAX_EXPIRES_SECONDS = 5 * 86_400;
const MIN_EXPIRES_SECONDS = 30;
const SCHEDULE_PAST_MS = 5 * MINUTE_MS;
const SCHEDULE_AHEAD_YEARS = 10;

/** The tags that mark Postrider's own mail are reserved. */
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
    {
      maxItems: MAX_TAGS,
      description:
        'Up to 10 tags, each with a name and a value. Lists, holds, statistics and the route table can refer to them.',
    },
  ),
  (list, problems) => {
    const names = new Set<unknown>();
    list.forEach((tag, index) => {
      if (names.has(tag?.name)) problems.add(`[${index}].name`, 'is used by another tag');
      names.add(tag?.name);
      if (typeof tag?.name === 'string' && RESERVED_TAG.test(tag.name))
        problems.add(`[${index}].name`, 'is reserved for tags that Postrider writes: choose another name');
    });
  },
);

const metadata = checked(
  mapOf(Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'] }), {
    description:
      'Your own data as a flat object. Postrider returns it with the email and does not send it to recipients.',
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

export const priority = stringEnum(PRIORITIES, {
  description:
    'Priority within the organization: mail with a higher priority is sent first. The default is that of the stream: `normal`, or `low` for `bulk`.',
});

const stream = Type.String({
  pattern: STREAM_NAME.source,
  description:
    'Stream of the email: `transactional` (the default), `bulk`, or one of your own (see `/streams`).',
  examples: ['bulk'],
});

/** Accepts a name, or a boolean. */
export function clickTracking(description: string) {
  return Type.Unsafe<boolean | ClickTracking>({ enum: [true, false, ...CLICK_TRACKING], description });
}

const trackClicks = clickTracking(
  'Which links are replaced by tracked links, which record clicks. `html` or `true`: links in html. `html_and_text`: links in html and in text. `off` or `false`: none. The default is the setting of the domain, or else of `/settings/tracking`.',
);

const trackOpens = Type.Boolean({
  description:
    'Whether html mail gets a pixel that records opens. The default is the setting of the domain, or else of `/settings/tracking`.',
});

const textFromHtmlField = Type.Boolean({
  description:
    'Whether mail with html and without text gets a text part that is generated from the html. The default is true with a template, otherwise false.',
});

const unsubscribe = Type.Boolean({
  description:
    'Whether the email gets the headers `List-Unsubscribe` and `List-Unsubscribe-Post`, so that recipients can unsubscribe with one click.',
});

const unsubscribeGroup = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: GROUP_NAME.source,
  description:
    'Group that recipients can unsubscribe from, such as `product-news`. An unsubscription only stops mail of the same group. Implies `unsubscribe`, unless that is `false`. The default for mail with `unsubscribe` is the name of its stream, or `default` in the stream `transactional`.',
  examples: ['product-news'],
});

/** A tag may name the stream, too, and an email can be in one stream only. */
export function checkStream(
  body: { readonly stream?: unknown; readonly tags?: unknown },
  problems: Problems,
): void {
  if (body.stream === undefined || !Array.isArray(body.tags)) return;
  body.tags.forEach((tag: { readonly name?: unknown } | null, index) => {
    if (tag?.name === STREAM_TAG)
      problems.add(
        `tags[${index}].name`,
        'names the stream a second time: leave this tag out, and keep stream',
      );
  });
}

const UNSUBSCRIBE_HEADERS = new Set(['list-unsubscribe', 'list-unsubscribe-post']);

/** One email can have only one way to unsubscribe. Checks types first, because a field may itself be invalid. */
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

const receiveReplies = Type.Boolean({
  description:
    'Whether this installation receives the replies. The Reply-To of the email is then a unique address of this server, or of a receiving domain below the sender’s domain. `GET /inbound` lists the replies.',
});

/** Replies to one email go to one place. */
export function checkReplies(
  body: { readonly receive_replies?: unknown; readonly reply_to?: unknown },
  problems: Problems,
): void {
  if (body.receive_replies === true && body.reply_to !== undefined)
    problems.add('reply_to', 'must not be given together with receive_replies, which sets it');
}

const collapseKey = headerText(256, {
  minLength: 1,
  description:
    'Key for mail of which only the newest matters, such as sign-in codes. Older emails with the same key, from the same domain to the same recipient, are withdrawn if they were not sent yet (`superseded`).',
  examples: ['sign-in'],
});

const requireTls = Type.Boolean({
  description:
    'Whether the email is sent only over TLS to a verified server that supports REQUIRETLS (RFC 8689), and therefore demands the same of the next server. Otherwise the email bounces. Few servers support REQUIRETLS.',
});

const expiresIn = Type.Integer({
  minimum: MIN_EXPIRES_SECONDS,
  maximum: MAX_EXPIRES_SECONDS,
  description:
    'Number of seconds after which Postrider stops trying to deliver the email. The default is 86400, one day.',
});

export function scheduledAt(clock: Clock) {
  return checked(
    Type.String({
      description: 'Time to send the email, as an ISO 8601 date and time. Without an offset it is UTC.',
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

/** The options of every email, sent alone or in a batch. */
export function letterheadFields(clock: Clock) {
  return {
    from: senderMailbox,
    reply_to: Type.Optional(replyTo),
    headers: Type.Optional(customHeaders),
    tags: Type.Optional(tags),
    metadata: Type.Optional(metadata),
    priority: Type.Optional(priority),
    stream: Type.Optional(stream),
    scheduled_at: Type.Optional(scheduledAt(clock)),
    track_opens: Type.Optional(trackOpens),
    track_clicks: Type.Optional(trackClicks),
    text_from_html: Type.Optional(textFromHtmlField),
    receive_replies: Type.Optional(receiveReplies),
    unsubscribe: Type.Optional(unsubscribe),
    unsubscribe_group: Type.Optional(unsubscribeGroup),
    expires_in: Type.Optional(expiresIn),
    collapse_key: Type.Optional(collapseKey),
    require_tls: Type.Optional(requireTls),
  };
}

type OptionFields = Omit<Static<TObject<ReturnType<typeof letterheadFields>>>, 'from' | 'reply_to'>;

/** The options of a request that the schema has accepted. */
export function mailOptionsOf(
  body: OptionFields,
  onSuppressed: MailOptions['onSuppressed'] = 'refuse',
): MailOptions {
  return {
    headers: body.headers ?? null,
    tags: body.tags ?? null,
    metadata: body.metadata ?? null,
    priority: body.priority ?? null,
    stream: body.stream ?? null,
    scheduledAtMs: body.scheduled_at === undefined ? null : parseMoment(body.scheduled_at),
    expiresInSeconds: body.expires_in ?? null,
    trackOpens: body.track_opens ?? null,
    collapseKey: body.collapse_key ?? null,
    trackClicks: clickTrackingOf(body.track_clicks),
    tls: messageTls(body.require_tls === true, tlsRequiredIn(body.headers)),
    textFromHtml: body.text_from_html ?? null,
    unsubscribe: body.unsubscribe ?? body.unsubscribe_group !== undefined,
    unsubscribeGroup: body.unsubscribe_group ?? null,
    receiveReplies: body.receive_replies ?? false,
    onSuppressed,
  };
}

/** The options that an accepted email shows. */
export const shownOptions = {
  require_tls: Type.Boolean({
    description: 'Whether the email is sent only over TLS to verified servers that support REQUIRETLS.',
  }),
  stream: Type.String({ description: 'Stream of the email. `transactional` if the send did not name one.' }),
  collapse_key: nullable(
    Type.String({ description: 'The `collapse_key` of the send. Null if it had none.' }),
  ),
  unsubscribe_group: nullable(
    Type.String({
      description:
        'Group of the email. An unsubscription from the group stops the email. Null if the email has no group.',
    }),
  ),
  tags: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  metadata: anyObject(),
};

/** The columns of an email that hold its options. */
interface OptionColumns {
  readonly options: StoredOptions;
  readonly tags: readonly Tag[] | null;
  readonly stream: string | null;
  readonly metadata: Metadata | null;
  readonly unsubscribe_group: string | null;
}

export function optionsView({ options, tags, stream, metadata, unsubscribe_group }: OptionColumns) {
  return {
    require_tls: options.tls === 'required',
    stream: stream ?? TRANSACTIONAL,
    collapse_key: options.collapse_key ?? null,
    unsubscribe_group,
    tags: [...(tags ?? [])],
    metadata: { ...metadata },
  };
}
