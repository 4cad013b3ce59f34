/** A message in Postmark's JSON, as the JSON of our own API, which is judged there. */

import { fromPostmarkStream } from '../../emails/stream.ts';
import { Problems } from '../../kit/problems.ts';
import type { JsonFields } from '../compat/json-fields.ts';
import { mailboxesIn } from '../compat/mailboxes.ts';
import { postmarkLinks } from '../submission-smtp/vendor-options.ts';

/** The stream that recipients can unsubscribe from in Postmark: here, a group of that name. */
export const BROADCAST = 'broadcast';

/** What was not given is not there: clients write null or an empty text for it, too. */
export function given(value: unknown): unknown {
  return value === null || value === '' ? undefined : value;
}

export function fieldsOfPostmark(value: unknown): JsonFields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonFields;
  throw new Problems().add('body', 'A JSON object is required').toError();
}

/** Either the message's own subject and bodies, or those of a template. */
export function bodyOfMessage(message: JsonFields): JsonFields {
  return withoutAbsent({
    subject: given(message.Subject),
    html: given(message.HtmlBody),
    text: given(message.TextBody),
    ...envelopeOf(message),
  });
}

export function bodyOfTemplated(message: JsonFields, templateId: string): JsonFields {
  return withoutAbsent({
    template_id: templateId,
    template_data: given(message.TemplateModel),
    ...envelopeOf(message),
  });
}

function envelopeOf(message: JsonFields): JsonFields {
  const headers = headersOf(given(message.Headers));
  return {
    from: senderOf(given(message.From)),
    to: mailboxesOf(message.To),
    cc: mailboxesOf(message.Cc),
    bcc: mailboxesOf(message.Bcc),
    reply_to: mailboxesOf(message.ReplyTo),
    headers,
    attachments: attachmentsOf(given(message.Attachments)),
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
  return list === undefined ? undefined : mailboxesIn(list);
}

/** One; a list of several is no address, and is refused as such. */
function senderOf(text: unknown) {
  if (text === undefined) return undefined;
  const [sender, another] = mailboxesIn(text);
  return another === undefined ? sender : { email: text };
}

function headersOf(list: unknown): unknown {
  if (!Array.isArray(list)) return list;
  const headers = new Map<unknown, unknown>();
  list.forEach((header: JsonFields | null, index) => {
    const { Name, Value } = header ?? {};
    const problem = headers.has(Name) ? `${String(Name)} is given twice` : null;
    if (problem !== null || typeof Name !== 'string')
      throw new Problems().add(`headers[${index}]`, problem ?? 'must have a Name and a Value').toError();
    headers.set(Name, Value);
  });
  return Object.fromEntries(headers);
}

function attachmentsOf(list: unknown): unknown {
  if (!Array.isArray(list)) return list;
  return list.map((one: JsonFields | null) =>
    withoutAbsent({
      filename: one?.Name,
      content: base64Of(one?.Content),
      content_type: given(one?.ContentType),
      content_id: contentIdOf(given(one?.ContentID)),
    }),
  );
}

/** Many encoders write it in lines. */
function base64Of(content: unknown): unknown {
  return typeof content === 'string' && content.includes('\n') ? content.replaceAll(/\s/g, '') : content;
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

/** Postmark adds an unsubscribe link to what goes out over a broadcast stream, unless the message brings its own. */
function isUnsubscribable({ MessageStream }: JsonFields, headers: unknown): boolean {
  if (MessageStream !== BROADCAST) return false;
  return !Object.keys(headers ?? {}).some((name) => name.toLowerCase() === 'list-unsubscribe');
}
