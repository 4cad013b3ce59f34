/** A form as Mailgun takes it, in the JSON of our own API. Fields that it does not know are left behind. */
import type { FormBody } from '../../kit/http/form-body.ts';
import type { FormPart } from '../../kit/http/multipart.ts';
import { Problems } from '../../kit/problems.ts';
import type { JsonFields } from '../compat/json-fields.ts';
import { type MailboxJson, mailboxesIn } from '../compat/mailboxes.ts';
import { typeOfName } from '../compat/type-of-name.ts';
import { isYes, mailgunOptions, optionsBody } from './message-options.ts';

const UNKNOWN_TYPE = 'application/octet-stream';

export interface MailgunBody {
  readonly body: JsonFields;
  /** Of the attachments in it, which have none there. */
  readonly contents: readonly Buffer[];
}

export function mailgunBody(form: FormBody): MailgunBody {
  const files = filesOf(form);
  const [from, another] = mailboxesOf(form, 'from') ?? [];
  if (another !== undefined) throw new Problems().add('from', 'must be one address').toError();
  const body = {
    from,
    to: mailboxesOf(form, 'to'),
    cc: mailboxesOf(form, 'cc'),
    bcc: mailboxesOf(form, 'bcc'),
    reply_to: replyToOf(form),
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

/** A field may be there several times, and each may hold several addresses. */
export function mailboxesOf(form: FormBody, field: string): readonly MailboxJson[] | undefined {
  const given = form.texts(field).filter((text) => text.trim() !== '');
  return given.length === 0 ? undefined : given.flatMap(mailboxesIn);
}

const REPLY_TO = /^h:reply-to$/i;
/** Read as options. */
const NOT_CARRIED = /^h:x-mailgun-/i;

function replyToOf(form: FormBody): readonly MailboxJson[] | undefined {
  const given = form.names
    .filter((name) => REPLY_TO.test(name))
    .flatMap((name) => mailboxesOf(form, name) ?? []);
  return given.length === 0 ? undefined : given;
}

function headersOf(form: FormBody): JsonFields | undefined {
  const names = form.names.filter(
    (name) => /^h:./is.test(name) && !REPLY_TO.test(name) && !NOT_CARRIED.test(name),
  );
  if (names.length === 0) return undefined;
  return Object.fromEntries(names.map((name) => [name.slice(2), form.text(name)]));
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

/** Html names an inline file by its file name: `<img src="cid:logo.png">`. */
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
