/**
 * Converts a SendGrid mail to one email per personalization, each in our API's JSON. Unknown fields are
 * ignored; settings that would change the mail are refused.
 */

import { type JsonFields, jsonFields } from '../../../http/json-fields.ts';
import { Problems } from '../../../runtime/problems.ts';
import { assertFitsTogether, type TranslatedEmail } from '../drafts-of.ts';
import { startOf } from '../mailboxes.ts';
import { numberedName } from '../numbered-name.ts';
import { Substitutions } from './substitutions.ts';

const MAX_PERSONALIZATIONS = 1_000;
/** The largest Unix time that a Date can represent. */
const MAX_SECONDS = 8_640_000_000_000;

export function personalEmails(mail: JsonFields): TranslatedEmail[] {
  const personalizations = listOf(mail, 'personalizations');
  const problems = new Problems();
  if (personalizations.length === 0) problems.add('personalizations', 'must have at least one entry');
  if (personalizations.length > MAX_PERSONALIZATIONS)
    problems.add('personalizations', `must not have more than ${MAX_PERSONALIZATIONS} entries`);
  problems.throwIfAny();
  refuseUnknownSettings(mail);
  const shared = sharedBody(mail);
  assertFitsTogether(personalizations.length, charsOf(shared), 'personalizations');
  const sections = new Substitutions(jsonFields(mail.sections), 'sections');
  return personalizations.map((one, at) => personalEmail({ mail, shared, sections }, jsonFields(one), at));
}

/** Total length of the texts that are searched for each email. */
function charsOf({ html, text }: JsonFields): number {
  return [html, text].reduce<number>((sum, one) => sum + (typeof one === 'string' ? one.length : 0), 0);
}

/** Whether the mail is only validated, not sent. */
export function isSandboxed({ mail_settings: settings }: JsonFields): boolean {
  return jsonFields(jsonFields(settings).sandbox_mode).enable === true;
}

interface Common {
  readonly mail: JsonFields;
  readonly shared: JsonFields;
  readonly sections: Substitutions;
}

function personalEmail(common: Common, own: JsonFields, at: number): TranslatedEmail {
  const place = `personalizations[${at}]`;
  return {
    body: () => personalBody(common, own, place),
    nameOf: (field) => sendgridField(field, place, own),
  };
}

async function personalBody(
  { mail, shared, sections }: Common,
  own: JsonFields,
  place: string,
): Promise<JsonFields> {
  const sendAt = own.send_at === undefined ? 'send_at' : `${place}.send_at`;
  const substitutions = new Substitutions(jsonFields(own.substitutions), `${place}.substitutions`);
  const fill = (text: unknown) => substitutions.in(text, sections);
  return {
    from: mailbox(own.from ?? mail.from),
    to: mailboxes(own.to),
    cc: mailboxes(own.cc),
    bcc: mailboxes(own.bcc),
    headers: merged(mail.headers, own.headers),
    metadata: merged(mail.custom_args, own.custom_args),
    scheduled_at: momentOf(own.send_at ?? mail.send_at, sendAt),
    ...shared,
    ...(mail.template_id === undefined
      ? {
          subject: await fill(own.subject ?? mail.subject),
          html: await fill(shared.html),
          text: await fill(shared.text),
        }
      : templateContent(mail.template_id, own, substitutions, place)),
  };
}

/** The parts shared by all emails of a mail. Attachments are shared with the first email. */
function sharedBody(mail: JsonFields): JsonFields {
  const { asm, tracking_settings, attachments } = mail;
  const tracking = jsonFields(tracking_settings);
  const group = jsonFields(asm).group_id;
  return {
    ...(mail.template_id === undefined ? bodiesOf(listOf(mail, 'content')) : {}),
    attachments: Array.isArray(attachments) ? startOf(attachments).map(attachmentOf) : attachments,
    reply_to: replyToOf(mail),
    tags: tagsOf(mail),
    track_opens: jsonFields(tracking.open_tracking).enable,
    track_clicks: clicksOf(jsonFields(tracking.click_tracking)),
    unsubscribe: jsonFields(tracking.subscription_tracking).enable === true ? true : undefined,
    unsubscribe_group: group === undefined ? undefined : `asm-${String(group)}`,
  };
}

function clicksOf({ enable, enable_text: inText }: JsonFields): unknown {
  return enable === true && inText === true ? 'html_and_text' : enable;
}

/** The template's subject takes precedence. */
function templateContent(
  id: unknown,
  own: JsonFields,
  substitutions: Substitutions,
  place: string,
): JsonFields {
  const data = own.dynamic_template_data ?? dataOf(substitutions, `${place}.substitutions`);
  return { template_id: id, template_data: data };
}

/** For template ids without the prefix `d-`, clients write `{{name}}` as a substitution. */
function dataOf(substitutions: Substitutions, field: string): JsonFields {
  const data: Record<string, string> = {};
  for (const [name, value] of substitutions.entries) {
    const variable = /^\{\{\s*([^{}\s]+)\s*\}\}$/.exec(name)?.[1];
    if (variable === undefined)
      throw new Problems().add(field, 'with a template, their names must be like {{name}}').toError();
    data[variable] = value;
  }
  return data;
}

/** Longer than any content type with parameters. */
const MAX_TYPE_CHARS = 200;
const BODIES = new Map<string, 'text' | 'html'>([
  ['text/plain', 'text'],
  ['text/html', 'html'],
]);

function bodiesOf(content: readonly unknown[]): JsonFields {
  const bodies: { text?: unknown; html?: unknown } = {};
  for (const [index, one] of content.entries()) {
    const { type, value } = jsonFields(one);
    const [essence = ''] = String(type).slice(0, MAX_TYPE_CHARS).toLowerCase().split(';');
    const body = BODIES.get(essence.trim());
    const field = `content[${index}].type`;
    if (body === undefined)
      throw new Problems().add(field, 'must be text/plain or text/html: attach other parts').toError();
    if (body in bodies) throw new Problems().add(field, 'is there twice').toError();
    bodies[body] = value;
  }
  return bodies;
}

/** Clients pass list names through as their caller wrote them. */
function attachmentOf(file: unknown): JsonFields {
  const { content, filename, type, disposition, content_id, contentId = content_id } = jsonFields(file);
  return {
    content,
    filename,
    content_type: type,
    content_id: disposition === 'attachment' ? undefined : contentId,
  };
}

function replyToOf({ reply_to, reply_to_list }: JsonFields): unknown {
  if (reply_to_list === undefined) return mailbox(reply_to);
  if (reply_to !== undefined)
    throw new Problems().add('reply_to_list', 'must not be given together with reply_to').toError();
  return mailboxes(reply_to_list);
}

function tagsOf({ categories }: JsonFields): unknown {
  const list = typeof categories === 'string' ? [categories] : categories;
  if (!Array.isArray(list)) return list;
  return startOf(list).map((value, index) => ({ name: numberedName('category', index), value }));
}

/** Fields that other services omit are omitted; invalid values stay for the schema to report. */
function mailbox(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given;
  const { email, name } = jsonFields(given);
  return { email, name };
}

function mailboxes(list: unknown): unknown {
  return Array.isArray(list) ? startOf(list).map(mailbox) : list;
}

function merged(all: unknown, own: unknown): JsonFields | undefined {
  return all === undefined && own === undefined ? undefined : { ...jsonFields(all), ...jsonFields(own) };
}

function momentOf(seconds: unknown, field: string): string | undefined {
  if (seconds === undefined) return undefined;
  if (!Number.isInteger(seconds) || Math.abs(Number(seconds)) > MAX_SECONDS)
    throw new Problems().add(field, 'must be a time in Unix seconds').toError();
  return new Date(Number(seconds) * 1_000).toISOString();
}

function listOf(mail: JsonFields, field: string): readonly unknown[] {
  const list = mail[field];
  if (Array.isArray(list)) return list;
  if (list === undefined) throw new Problems().missing(field).toError();
  throw new Problems().add(field, 'must be an array').toError();
}

/** Settings that would change the content or the recipients. */
const CHANGING_SETTINGS = ['footer', 'bcc'];

function refuseUnknownSettings({ mail_settings: settings }: JsonFields): void {
  const problems = new Problems();
  for (const name of CHANGING_SETTINGS) {
    if (jsonFields(jsonFields(settings)[name]).enable === true)
      problems.add(`mail_settings.${name}`, 'is not offered: put it into the mail itself');
  }
  problems.throwIfAny();
}

const RENAMED: Readonly<Record<string, string>> = {
  html: 'content',
  text: 'content',
  tags: 'categories',
  metadata: 'custom_args',
  track_opens: 'tracking_settings.open_tracking.enable',
  track_clicks: 'tracking_settings.click_tracking.enable',
  unsubscribe: 'tracking_settings.subscription_tracking.enable',
  unsubscribe_group: 'asm.group_id',
};

function sendgridField(field: string, place: string, own: JsonFields): string {
  const [, name = '', rest = ''] = /^([a-z_]+)(.*)$/s.exec(field) ?? [];
  if (name === 'to' || name === 'cc' || name === 'bcc') return `${place}.${field}`;
  if (name === 'template_data') return `${place}.dynamic_template_data${rest}`;
  if (name === 'scheduled_at') return own.send_at === undefined ? 'send_at' : `${place}.send_at`;
  if (name === 'attachments') return field.replace(/content_type$/, 'type');
  if (name === 'reply_to' && rest.startsWith('[')) return `reply_to_list${rest}`;
  if (own[name] !== undefined) return `${place}.${field}`;
  return RENAMED[name] === undefined ? field : RENAMED[name] + rest;
}
