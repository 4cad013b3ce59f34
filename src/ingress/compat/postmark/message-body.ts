/** Converts a message in Postmark's JSON to our API's JSON, which then validates it. */

import { fromPostmarkStream } from '../../../emails/stream.ts';
import type { JsonFields } from '../../../http/json-fields.ts';
import { withoutSpaces } from '../../../protocols/message/base64-in-turns.ts';
import { Problems } from '../../../runtime/problems.ts';
import { Turns } from '../../../runtime/turns.ts';
import { postmarkLinks } from '../../smtp-submission/vendor-options.ts';
import { mailboxesIn, mailboxesInAll, startOf } from '../mailboxes.ts';

/** Postmark's stream that recipients can unsubscribe from; here, a group of that name. */
export const BROADCAST = 'broadcast';

/** Treats null and empty text as missing, because clients send both. */
export function given(value: unknown): unknown {
  return value === null || value === '' ? undefined : value;
}

export function fieldsOfPostmark(value: unknown): JsonFields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonFields;
  throw new Problems().add('body', 'A JSON object is required').toError();
}

/** Uses either the message's own subject and bodies, or those of a template. */
export async function bodyOfMessage(message: JsonFields): Promise<JsonFields> {
  return withoutAbsent({
    subject: given(message.Subject),
    html: given(message.HtmlBody),
    text: given(message.TextBody),
    ...(await envelopeOf(message)),
  });
}

export async function bodyOfTemplated(message: JsonFields, templateId: string): Promise<JsonFields> {
  return withoutAbsent({
    template_id: templateId,
    template_data: given(message.TemplateModel),
    ...(await envelopeOf(message)),
  });
}

async function envelopeOf(message: JsonFields): Promise<JsonFields> {
  const headers = headersOf(given(message.Headers));
  return {
    from: senderOf(given(message.From)),
    to: mailboxesOf(message.To),
    cc: mailboxesOf(message.Cc),
    bcc: mailboxesOf(message.Bcc),
    reply_to: mailboxesOf(message.ReplyTo),
    headers,
    attachments: await attachmentsOf(given(message.Attachments)),
    tags: tagsOf(message),
    stream: streamIn(message),
    metadata: given(message.Metadata),
    track_opens: given(message.TrackOpens),
    track_clicks: linksOf(given(message.TrackLinks)),
    unsubscribe_group: isUnsubscribable(message, headers) ? BROADCAST : undefined,
  };
}

function linksOf(links: unknown): unknown {
  return links === undefined ? undefined : postmarkLinks(links);
}

function withoutAbsent(fields: JsonFields): JsonFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function mailboxesOf(text: unknown) {
  const list = given(text);
  return list === undefined ? undefined : mailboxesInAll([list]);
}

/** Accepts one sender; a list is refused as an invalid address. */
function senderOf(text: unknown) {
  if (text === undefined) return undefined;
  const [sender, another] = mailboxesIn(text);
  return another === undefined ? sender : { email: text };
}

function headersOf(list: unknown): unknown {
  if (!Array.isArray(list)) return list;
  const headers = new Map<unknown, unknown>();
  startOf(list as readonly (JsonFields | null)[]).forEach((header, index) => {
    const { Name, Value } = header ?? {};
    const problem = headers.has(Name) ? `${String(Name)} is given twice` : null;
    if (problem !== null || typeof Name !== 'string')
      throw new Problems().add(`headers[${index}]`, problem ?? 'must have a Name and a Value').toError();
    headers.set(Name, Value);
  });
  return Object.fromEntries(headers);
}

async function attachmentsOf(list: unknown): Promise<unknown> {
  if (!Array.isArray(list)) return list;
  const turns = new Turns();
  const attachments: JsonFields[] = [];
  for (const one of startOf(list as readonly (JsonFields | null)[]))
    attachments.push(
      withoutAbsent({
        filename: one?.Name,
        content: await base64Of(one?.Content, turns),
        content_type: given(one?.ContentType),
        content_id: contentIdOf(given(one?.ContentID)),
      }),
    );
  return attachments;
}

/** Removes line breaks, which many encoders add. */
async function base64Of(content: unknown, turns: Turns): Promise<unknown> {
  return typeof content === 'string' && content.includes('\n') ? withoutSpaces(content, turns) : content;
}

function contentIdOf(id: unknown): unknown {
  return typeof id === 'string' ? id.replace(/^cid:/i, '') : id;
}

function tagsOf({ Tag }: JsonFields): unknown {
  const tag = given(Tag);
  return tag === undefined ? undefined : [{ name: 'tag', value: tag }];
}

function streamIn({ MessageStream }: JsonFields): unknown {
  const stream = given(MessageStream);
  return typeof stream === 'string' ? fromPostmarkStream(stream) : stream;
}

/** Postmark adds an unsubscribe link to mail in a broadcast stream, unless the message has its own. */
function isUnsubscribable({ MessageStream }: JsonFields, headers: unknown): boolean {
  if (MessageStream !== BROADCAST) return false;
  return !Object.keys(headers ?? {}).some((name) => name.toLowerCase() === 'list-unsubscribe');
}
