/** What content of tenants reaches on its way out: templates, messages, dry runs and the sandbox inbox. */
import { createHmac, generateKeyPairSync } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readingSubmitted, readingSubmittedFile } from '../../src/emails/submitted-content.ts';
import { checkContent, checkMessage } from '../../src/message-checks/check-message.ts';
import { findingLinks } from '../../src/message-checks/links.ts';
import { composing, type MessageParts, writingWire } from '../../src/protocols/message/compose.ts';
import { signMessage } from '../../src/protocols/message/dkim.ts';
import { redirectingLinks } from '../../src/protocols/message/links/html-links.ts';
import { redirectingTextLinks } from '../../src/protocols/message/links/text-links.ts';
import { convertingHtml } from '../../src/protocols/message/plain-text/text-from-html.ts';
import { readHeaderBlock } from '../../src/protocols/message/reading/header-block.ts';
import { parseMessage } from '../../src/protocols/message/reading/parsed-message.ts';
import { composingSubmitted } from '../../src/protocols/message/submitted.ts';
import { clickRedirect, insertingPixel } from '../../src/protocols/message/tracking-links.ts';
import { dotStuffing } from '../../src/protocols/smtp/dot-stuffing.ts';
import { sha256InTurns } from '../../src/runtime/large-hash.ts';
import { atOnce, inTurns, type SlicedWork } from '../../src/runtime/sliced-work.ts';
import { findingCodes } from '../../src/sandbox/codes.ts';
import { summarize } from '../../src/sandbox/summary.ts';
import { mailbox } from '../support/addresses.ts';
import { approvalSubjects } from './approval-subjects.ts';
import type { Subject } from './subject.ts';
import { templateSubjects } from './template-subjects.ts';

const composeMessage = (...args: Parameters<typeof composing>) => atOnce(composing(...args));

const MEBIBYTE = 1024 * 1024;
/** What an application may submit. */
const SUBMITTED = 20 * MEBIBYTE;
/** All files of a request together. */
const FILES = 15 * MEBIBYTE;
/** `html` and `text` of a request. */
const TEXT = 2 * MEBIBYTE;

const ID = '01932e1b-7c2a-7000-8000-0123456789ab';
const REF = { organizationId: 'org_0123456789abc', emailId: ID, position: 0 };
const KEY = createHmac('sha256', 'key').digest();
const LINKS = { key: KEY, publicUrl: 'https://mail.example.org' };
const HEADER =
  'From: a@example.org\r\nDate: Sun, 15 Nov 2026 02:06:00 +0000\r\nMessage-ID: <1@x>\r\nMIME-Version: 1.0\r\n';
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const SIGNER = { domain: 'example.org', selector: 's', key: privateKey };

const parts: MessageParts = {
  ...{ id: ID, dateMs: 0, messageIdDomain: 'example.org', from: mailbox('a@example.org') },
  ...{ to: [mailbox('b@example.org')], cc: [], replyTo: [], subject: 'x', headers: [] },
  ...{ html: null, text: null, attachments: [] },
};

function file(contentType: string, content: Buffer): MessageParts {
  return { ...parts, text: 'x', attachments: [{ filename: 'a', content, contentType, contentId: null }] };
}

function withBodies(text: string): MessageParts {
  return { ...parts, html: text, text };
}

/** The parser of the request, or the decoder of a part, makes the string: the code behind it begins in a turn of its own. */
async function asText(input: Buffer, encoding: 'latin1' | 'utf8' = 'latin1'): Promise<string> {
  const text = input.toString(encoding);
  await nextTurn();
  return text;
}

function* tracked(html: string): SlicedWork<string> {
  const redirected = yield* redirectingLinks(html, clickRedirect(LINKS, REF, null));
  return yield* insertingPixel(redirected, 'https://mail.example.org/t/o/x.gif');
}

function submitted(encoding: string): (input: Buffer) => Promise<unknown> {
  const head = Buffer.from(
    `${HEADER}Content-Type: text/html\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`,
  );
  const own = { id: ID, dateMs: 0, messageIdDomain: 'example.org', serviceFields: [] };
  return async (input) => {
    const mime = Buffer.concat([head, input]);
    await nextTurn();
    return inTurns(composingSubmitted({ ...own, mime, inHtml: tracked }));
  };
}

async function inboxView(raw: Buffer): Promise<unknown> {
  await nextTurn();
  const parsed = await parseMessage(raw);
  return [await inTurns(findingLinks(parsed)), await inTurns(findingCodes(parsed))];
}

/** What a dry run does with a message once it is written. */
async function dryRun(message: MessageParts): Promise<unknown> {
  const wire = await inTurns(writingWire(await inTurns(composing(message))));
  return checkMessage(wire.length, await parseMessage(wire));
}

/** No message with another header is accepted: what would be one becomes a part. */
async function storedView(input: Buffer): Promise<unknown> {
  const mime = readHeaderBlock(input).ok ? input : inMultipart(input, 'Content-Type: text/plain');
  await nextTurn();
  return [await inTurns(readingSubmitted(mime)), await inTurns(readingSubmittedFile(mime, 0))];
}

/** In a part of a message whose html has nothing but this. */
function inMultipart(bytes: Buffer, fields: string): Buffer {
  const head = `${HEADER}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n${fields}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--b--\r\n')]);
}

/** Short texts, one after the other. */
function manyTexts(bytes: number): Buffer {
  const head = `${HEADER}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>x</p>\r\n`;
  const text = `--b\r\n\r\n${'<"\n'.repeat(10_000)}\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.alloc(bytes - head.length, text)]);
}

export const messageSubjects: readonly Subject[] = [
  ...templateSubjects,
  {
    name: 'Text made from html',
    limitBytes: MEBIBYTE / 2,
    whole: ['angle brackets', 'entities'],
    run: async (input) => inTurns(convertingHtml(await asText(input))),
  },
  {
    name: 'Tracked links and the pixel in submitted html',
    limitBytes: SUBMITTED,
    whole: ['opened tags', 'nothing but CRLF'],
    run: async (input) => inTurns(tracked(await asText(input))),
  },
  {
    name: 'Tracked links in submitted text',
    limitBytes: SUBMITTED,
    run: async (input) => inTurns(redirectingTextLinks(await asText(input), clickRedirect(LINKS, REF, null))),
  },
  {
    name: 'Composing html and text',
    limitBytes: TEXT,
    whole: ['emoji'],
    run: async (input) => inTurns(composing(withBodies(await asText(input, 'utf8')))),
  },
  ...['text/plain', 'application/pdf', 'message/rfc822'].map((type) => ({
    name: `Composing a file that is ${type}`,
    limitBytes: FILES,
    run: (input: Buffer) => inTurns(composing(file(type, input))),
  })),
  {
    name: 'Signing a message with DKIM',
    limitBytes: SUBMITTED,
    whole: ['nothing but spaces'],
    run: (input) => signMessage({ headers: composeMessage(parts).headers, body: input }, [SIGNER], 0),
  },
  {
    name: 'Hashing a message',
    limitBytes: SUBMITTED,
    run: (input) => sha256InTurns(input, 'hex'),
  },
  {
    name: 'Dot-stuffing a message',
    limitBytes: SUBMITTED,
    whole: ['soft line breaks'],
    run: (input) => inTurns(dotStuffing(input)),
  },
  ...['quoted-printable', 'base64', '8bit'].map((encoding) => ({
    name: `Tracking in a submitted message in ${encoding}`,
    limitBytes: SUBMITTED,
    whole: ['emoji'],
    run: submitted(encoding),
  })),
  {
    name: 'Dry run of html and text',
    limitBytes: TEXT,
    run: async (input) => dryRun(withBodies(await asText(input, 'utf8'))),
  },
  {
    name: 'Dry run of a file',
    limitBytes: FILES,
    run: (input) => dryRun(file('text/plain', input)),
  },
  {
    name: 'Checks of rendered content',
    limitBytes: MEBIBYTE,
    whole: ['angle brackets', 'entities'],
    run: async (input) => {
      const text = await asText(input, 'utf8');
      return checkContent({ subject: 'x', html: text, text });
    },
  },
  {
    name: 'Inbox view of a message',
    limitBytes: SUBMITTED,
    whole: ['nothing but spaces', 'header fields', 'a header field of parameters', 'lines like a boundary'],
    run: inboxView,
    shapes: { 'many texts beside html': manyTexts },
  },
  {
    name: 'Inbox view of an html part',
    limitBytes: SUBMITTED,
    run: (input) => inboxView(inMultipart(input, 'Content-Type: text/html')),
  },
  {
    name: 'Inbox view of a calendar',
    limitBytes: SUBMITTED,
    whole: ['nothing but LF'],
    run: (input) => inboxView(inMultipart(input, 'Content-Type: text/calendar; charset=shift_jis')),
  },
  {
    name: 'Inbox view of a flowed text beside html',
    limitBytes: SUBMITTED,
    whole: ['nothing but double quotes', 'angle brackets'],
    run: (input) =>
      inboxView(
        inMultipart(
          input,
          'Content-Type: text/html\r\n\r\nx\r\n--b\r\nContent-Type: text/plain; format=flowed',
        ),
      ),
  },
  {
    name: 'Content of a submitted message',
    limitBytes: SUBMITTED,
    whole: ['lines that begin like a boundary'],
    run: storedView,
  },
  ...['text/html; charset=shift_jis', 'application/pdf\r\nContent-Transfer-Encoding: base64'].map((type) => ({
    name: `Content of a submitted message with a part that is ${type.replace('\r\n', ' ')}`,
    limitBytes: SUBMITTED,
    whole: ['base64 in lines'],
    run: (input: Buffer) => storedView(inMultipart(input, `Content-Type: ${type}`)),
  })),
  {
    name: 'Summary of a captured message',
    limitBytes: SUBMITTED,
    whole: ['encoded words without an end'],
    run: summarize,
  },
  ...approvalSubjects,
];
