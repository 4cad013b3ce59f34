/** Converts an email in Resend's format to our API's JSON. Unknown fields are ignored. */

import { type JsonFields, jsonFields } from '../../../http/json-fields.ts';
import { Problems } from '../../../runtime/problems.ts';
import { type MailboxJson, mailboxesIn, mailboxesInAll } from '../mailboxes.ts';
import { startOf } from '../start-of.ts';
import { typeOfName } from '../type-of-name.ts';
import { momentOfWords } from './words-moment.ts';

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
