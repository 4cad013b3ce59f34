/** Converts a Mailgun form to our API's JSON. Unknown fields are ignored. */

import { ApiError } from '../../../http/errors.ts';
import type { FormBody } from '../../../http/form-body.ts';
import type { JsonFields } from '../../../http/json-fields.ts';
import type { FormPart } from '../../../http/multipart.ts';
import { Problems } from '../../../runtime/problems.ts';
import { Turns } from '../../../runtime/turns.ts';
import { Collected, readBoolean, readJsonInTurns, WrongOption } from '../../smtp-submission/collected.ts';
import type { RequestedOption } from '../../smtp-submission/options.ts';
import { readVendorField } from '../../smtp-submission/vendor-options.ts';
import { type MailboxJson, mailboxesIn, startOf } from '../mailboxes.ts';
import { typeOfName } from '../type-of-name.ts';

const UNKNOWN_TYPE = 'application/octet-stream';

interface MailgunBody {
  readonly body: JsonFields;
  /** The contents of the attachments, which the JSON omits. */
  readonly contents: readonly Buffer[];
}

export async function mailgunBody(form: FormBody): Promise<MailgunBody> {
  const files = filesOf(form);
  const [from, another] = (await mailboxesOf(form, 'from')) ?? [];
  if (another !== undefined) throw new Problems().add('from', 'must be one address').toError();
  const body = {
    from,
    to: await mailboxesOf(form, 'to'),
    cc: await mailboxesOf(form, 'cc'),
    bcc: await mailboxesOf(form, 'bcc'),
    reply_to: await replyToOf(form),
    subject: form.text('subject'),
    html: form.text('html'),
    text: form.text('text'),
    text_from_html: isYes(form, 't:text') ? true : undefined,
    headers: headersOf(form),
    attachments: files.length === 0 ? undefined : files.map(attachmentOf),
    ...optionsBody(mailgunOptions(form)),
  };
  return { body, contents: files.map(({ content }) => content) };
}

/** Twice the size of a list with the maximum of recipient-variables recipients and their names. */
const MAX_LIST_BYTES = 512 * 1024;
/** One more than a message may have, so that a longer list is refused without parsing all of it. */
export const MAX_MAILBOXES_READ = 1_001;

/** A field may be repeated, and each may contain several addresses. */
export async function mailboxesOf(
  form: FormBody,
  field: string,
): Promise<readonly MailboxJson[] | undefined> {
  const given = form.texts(field, MAX_LIST_BYTES).filter((text) => text.trim() !== '');
  if (given.length === 0) return undefined;
  const turns = new Turns();
  const mailboxes: MailboxJson[] = [];
  for (const text of given) {
    mailboxes.push(...mailboxesIn(text, MAX_MAILBOXES_READ));
    if (mailboxes.length >= MAX_MAILBOXES_READ) break;
    if (turns.isOver) await turns.next();
  }
  return mailboxes;
}

const REPLY_TO = /^h:reply-to$/i;
/** These headers are read as options instead. */
const NOT_CARRIED = /^h:x-mailgun-/i;

async function replyToOf(form: FormBody): Promise<readonly MailboxJson[] | undefined> {
  const names = startOf(form.names.filter((name) => REPLY_TO.test(name)));
  const given: MailboxJson[] = [];
  for (const name of names) given.push(...((await mailboxesOf(form, name)) ?? []));
  return given.length === 0 ? undefined : given;
}

/** More than the maximum length of a header in characters, at up to four bytes each. */
const MAX_HEADER_BYTES = 64 * 1024;

function headersOf(form: FormBody): JsonFields | undefined {
  const names = form.names.filter(
    (name) => /^h:./is.test(name) && !REPLY_TO.test(name) && !NOT_CARRIED.test(name),
  );
  if (names.length === 0) return undefined;
  return Object.fromEntries(startOf(names).map((name) => [name.slice(2), form.text(name, MAX_HEADER_BYTES)]));
}

type NamedFile = FormPart & { readonly isInline: boolean };

function filesOf(form: FormBody): NamedFile[] {
  return (['attachment', 'inline'] as const).flatMap((field) =>
    form.parts(field).map((part) => {
      if (part.filename === null) throw new Problems().add(field, 'must be a file').toError();
      return { ...part, isInline: field === 'inline' };
    }),
  );
}

/** HTML refers to an inline file by its file name: `<img src="cid:logo.png">`. */
function attachmentOf({ filename, contentType, isInline }: NamedFile): JsonFields {
  const isUnknown = contentType === null || contentType === UNKNOWN_TYPE;
  return {
    filename,
    content: '',
    content_type: (isUnknown ? typeOfName(filename ?? '') : contentType) ?? UNKNOWN_TYPE,
    content_id: isInline ? filename : undefined,
  };
}

const RENAMED: readonly (readonly [ours: RegExp, theirs: string])[] = [
  [/^(to|cc|bcc|from)\b.*$/s, '$1'],
  [/^reply_to\b.*$/s, 'h:Reply-To'],
  [/^attachments\[\d+\]\.content_id$/, 'inline'],
  [/^attachments\b.*$/s, 'attachment'],
  [/^headers\.?/, 'h:'],
  [/^metadata\.?/, 'v:'],
  [/^tags\b.*$/s, 'o:tag'],
  [/^scheduled_at$/, 'o:deliverytime'],
  [/^track_opens$/, 'o:tracking-opens'],
  [/^track_clicks$/, 'o:tracking-clicks'],
  [/^template_id$/, 'template'],
  [/^template_data\b/, 't:variables'],
  [/^text_from_html$/, 't:text'],
];

export function mailgunField(field: string): string {
  const [ours, theirs] = RENAMED.find(([pattern]) => pattern.test(field)) ?? [/^/, ''];
  return field.replace(ours, theirs);
}

const SAME_AS = new Map([
  ['o:tag', 'x-mailgun-tag'],
  ['o:deliverytime', 'x-mailgun-deliver-by'],
  ['o:tracking', 'x-mailgun-track'],
  ['o:tracking-opens', 'x-mailgun-track-opens'],
  ['o:tracking-clicks', 'x-mailgun-track-clicks'],
  ['o:require-tls', 'x-mailgun-require-tls'],
  ['template', 'x-mailgun-template-name'],
  ['t:variables', 'x-mailgun-template-variables'],
]);
/** For all options together, because parsing blocks the event loop. A template accepts 256 KiB of values. */
const MAX_OPTION_BYTES = 512 * 1024;
const TOO_MUCH =
  'the fields o:, t:, v: and h:X-Mailgun- of the form must not be larger than 512 KiB together';
const VARIABLE = /^v:(.+)$/s;

/**
 * The form fields with sending options. Most of them equal a header field of Mailgun over SMTP, and share its
 * parser.
 */
export function mailgunOptions(form: FormBody): RequestedOption[] {
  if (form.text('t:version'))
    throw new Problems()
      .add('t:version', 'is not offered: the current version of a template is sent')
      .toError();
  const fields = form.names.filter((field) => optionOf(field) !== undefined);
  const sizes = fields.flatMap((field) => form.parts(field).map(({ content }) => content.length));
  if (sizes.reduce((sum, size) => sum + size, 0) > MAX_OPTION_BYTES)
    throw new Problems().add('body', TOO_MUCH).toError();
  return fields.flatMap((field) => {
    const name = optionOf(field) as string;
    const variable = VARIABLE.exec(field)?.[1];
    const given = form.texts(field).filter((text) => text !== '');
    return given.map((text) => ({
      field,
      name,
      value: variable === undefined ? text : JSON.stringify({ [variable]: text }),
    }));
  });
}

/** The equivalent header field; undefined if there is none. */
function optionOf(field: string): string | undefined {
  if (VARIABLE.test(field)) return 'x-mailgun-variables';
  return SAME_AS.get(field) ?? (/^h:x-mailgun-/i.test(field) ? field.slice(2).toLowerCase() : undefined);
}

/** The options in our API's JSON. */
function optionsBody(options: readonly RequestedOption[]): JsonFields {
  const collected = new Collected();
  inWords(() => {
    for (const { name, field, value } of options) readVendorField(collected, name, field, value);
  });
  return collected.values;
}

export function isYes(form: FormBody, field: string): boolean {
  const text = form.text(field);
  return text ? inWords(() => readBoolean(field, text)) : false;
}

/** Undefined when the field is missing. */
export async function jsonOf(form: FormBody, field: string): Promise<JsonFields | undefined> {
  const text = form.text(field);
  return text ? readJsonInTurns(field, text).catch(throwInWords) : undefined;
}

function inWords<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    return throwInWords(error);
  }
}

function throwInWords(error: unknown): never {
  if (!(error instanceof WrongOption)) throw error;
  throw new ApiError('VALIDATION_ERROR', [], error.message);
}
