/** JSON bodies, and what the APIs that take them make of each of their fields. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fastify } from 'fastify';
import { createDraftOf } from '../../src/emails/http/send-request.ts';
import { useStrictJson } from '../../src/http/json-body.ts';
import { ShapeScan } from '../../src/http/json-shape.ts';
import { draftsOf } from '../../src/ingress/compat/drafts-of.ts';
import { mailboxesIn } from '../../src/ingress/compat/mailboxes.ts';
import { bodyOfMessage } from '../../src/ingress/compat/postmark/message-body.ts';
import { fromResend, toResend } from '../../src/ingress/compat/resend/placeholders.ts';
import { resendSendBody } from '../../src/ingress/compat/resend/send-body.ts';
import { personalEmails } from '../../src/ingress/compat/sendgrid/personal-emails.ts';
import { Substitutions } from '../../src/ingress/compat/sendgrid/substitutions.ts';
import { recipientsIn, redactedExcerpt } from '../../src/request-logs/entry.ts';
import { repeated } from './shapes.ts';
import type { Subject } from './subject.ts';

const MEBIBYTE = 1024 * 1024;
const TEXT_BYTES = 2 * MEBIBYTE;
const SCANNED_AT_ONCE = 256 * 1024;

const draftOf = createDraftOf({ nowMs: () => 0 });

/** Takes bodies as the API does, and answers nothing. */
const reader = fastify({ bodyLimit: 20 * MEBIBYTE });
useStrictJson(reader);
reader.post('/', async () => '');

/** JSON where it is, of a shape that a body may have; or else a text. */
async function jsonOrText(input: Buffer): Promise<unknown> {
  const text = input.toString('latin1');
  const scan = new ShapeScan(text);
  while (!scan.advance(SCANNED_AT_ONCE)) await nextTurn();
  if (scan.problem !== undefined) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Each field by itself: others must not be refused before it is looked at. */
function eachField(
  fields: readonly string[],
  use: (field: string, value: unknown) => unknown,
): (input: Buffer) => Promise<void> {
  return async (input) => {
    const value = await jsonOrText(input);
    await nextTurn();
    for (const field of fields) {
      try {
        await use(field, value);
      } catch (error) {
        if (error instanceof TypeError || error instanceof RangeError) throw error;
      }
      await nextTurn();
    }
  };
}

const OWN = [
  ...[
    'from',
    'to',
    'cc',
    'reply_to',
    'subject',
    'html',
    'text',
    'headers',
    'attachments',
    'tags',
    'metadata',
  ],
  ...[
    'template_id',
    'template_data',
    'locale',
    'scheduled_at',
    'stream',
    'unsubscribe_group',
    'collapse_key',
  ],
];
const SENDGRID = [
  ...['from', 'subject', 'content', 'attachments', 'categories', 'custom_args', 'headers', 'sections'],
  ...[
    'personalizations',
    'reply_to',
    'reply_to_list',
    'asm',
    'send_at',
    'tracking_settings',
    'mail_settings',
  ],
];
const POSTMARK = [
  ...['From', 'To', 'Cc', 'ReplyTo', 'Subject', 'HtmlBody', 'Headers', 'Attachments', 'Tag', 'Metadata'],
  ...['MessageStream', 'TrackLinks'],
];
const RESEND = [
  ...['from', 'to', 'reply_to', 'subject', 'html', 'headers', 'tags', 'attachments', 'scheduled_at'],
];

const PLAIN = { from: { email: 'a@b.example' }, to: [{ email: 'c@d.example' }], subject: 's', text: 't' };
const PERSONALIZED = {
  from: { email: 'a@b.example' },
  subject: 's',
  content: [{ type: 'text/plain', value: 't' }],
  personalizations: [{ to: [{ email: 'c@d.example' }] }],
};

/** Names that the text is full of, and names that it is nearly full of. */
function hostileNames(text: string): Record<string, string> {
  const starts = Array.from({ length: 50 }, (_, at) => [text.slice(0, 2 * at + 1), 'x']);
  const misses = Array.from({ length: 50 }, (_, at) => [`${text.slice(0, 2 * at + 1)}\u2603`, 'x']);
  return Object.fromEntries([...starts, ...misses]);
}

export const jsonSubjects: readonly Subject[] = [
  {
    name: 'A JSON body',
    limitBytes: 20 * MEBIBYTE,
    run: (input) =>
      reader.inject({
        method: 'POST',
        url: '/',
        headers: { 'content-type': 'application/json' },
        body: input,
      }),
    whole: ['JSON list of texts', 'JSON text of escapes', 'JSON with many names'],
  },
  {
    name: 'Each field of our own API',
    limitBytes: TEXT_BYTES,
    run: eachField(OWN, (field, value) => draftOf({ ...PLAIN, [field]: value })),
  },
  {
    name: "Each field of SendGrid's API",
    limitBytes: TEXT_BYTES,
    run: eachField(SENDGRID, async (field, value) => {
      const emails = personalEmails({ ...PERSONALIZED, [field]: value });
      await draftsOf(draftOf, { emails: emails.slice(0, 3), field });
    }),
  },
  {
    name: "Each field of Postmark's API",
    limitBytes: TEXT_BYTES,
    run: eachField(POSTMARK, async (field, value) => draftOf(await bodyOfMessage({ [field]: value }))),
  },
  {
    name: "Each field of Resend's API",
    limitBytes: TEXT_BYTES,
    run: eachField(RESEND, (field, value) => draftOf(resendSendBody({ ...PLAIN, [field]: value }, 0))),
  },
  {
    name: 'A text of SendGrid with substitutions',
    limitBytes: TEXT_BYTES,
    run: (input) => {
      const text = input.toString('latin1');
      return new Substitutions(hostileNames(text), 'substitutions').in(text);
    },
    whole: ['one long word', 'addresses with names'],
  },
  {
    name: 'A list of addresses in one text',
    limitBytes: 64 * 1024,
    run: (input) => mailboxesIn(input.toString('utf8'), 1_001),
    shapes: { 'addresses that are not ASCII': repeated('é@é.example,') },
  },
  {
    name: "Resend's placeholders in a template",
    limitBytes: TEXT_BYTES,
    run: (input) => toResend(fromResend(input.toString('latin1'))),
    shapes: {
      'placeholders without an end': repeated('{{{a '),
      'spaces in a placeholder': repeated(' ', '{{{a'),
    },
  },
  {
    name: 'The log of a refused request',
    limitBytes: TEXT_BYTES,
    run: eachField(['to', 'html', 'recipients'], (field, value) => {
      redactedExcerpt({ [field]: value });
      return recipientsIn({ [field]: value });
    }),
    whole: ['addresses with commas'],
  },
];
