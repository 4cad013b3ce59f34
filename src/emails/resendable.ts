/** Reads everything of an email that is needed to send it again. Reads only. */
import type { Database } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { parseAddress } from '../protocols/message/address.ts';
import type { NamedMailbox } from '../protocols/message/mailbox-text.ts';
import type { Attachment } from '../protocols/message/mime.ts';
import { storedText } from '../protocols/message/stored.ts';
import { withoutIdentity } from '../protocols/message/submitted.ts';
import { type HeaderText, oneLine } from '../protocols/message/unsafe-text.ts';
import type { Reach } from '../runtime/permissions.ts';
import { ServiceError } from '../runtime/service-error.ts';
import { inTurns } from '../runtime/sliced-work.ts';
import type { TemplateLibrary } from '../templates/library.ts';
import { type NamedAddress, repliesOf, type TemplateUse } from './email.ts';
import { type FilePiece, filesFromPieces, selectFilePieces } from './file-pieces.ts';
import type { WholeContent } from './moved/whole-content.ts';
import { renderedContent } from './rendered-content.ts';
import { type EmailService, isAccountMail } from './service.ts';
import { type EmailRow, type FileRow, type RecipientRow, recipientsOf } from './store-read.ts';

/** The options that only sending needs. */
interface SendingOptions {
  readonly unsubscribe: boolean;
  /** As stored; `GROUP` adds the default group. */
  readonly unsubscribe_group: string | null;
  readonly conversation_id: string | null;
}

const selectOptions = sql<SendingOptions>(
  'emails.sending_options',
  `SELECT e.unsubscribe, e.unsubscribe_group, c.conversation_id FROM emails e
   LEFT JOIN conversation_emails c ON c.organization_id = e.organization_id AND c.email_id = e.id
   WHERE e.organization_id = $1 AND e.id = $2`,
  { home: 'cell', organization: '$1' },
);

const selectFiles = sql<FilePiece>(
  'attached_files.of_email',
  selectFilePieces('attached_files', 'organization_id = $1 AND email_id = $2'),
  { home: 'cell', organization: '$1' },
);

type ResendableContent =
  | { readonly kind: 'inline'; readonly html: string | null; readonly text: string | null }
  | { readonly kind: 'mime'; readonly mime: Buffer }
  | {
      readonly kind: 'filled';
      readonly template: TemplateUse;
      /** The subject that the template itself has with this data. */
      readonly ownSubject: HeaderText;
    };

interface Mailboxes {
  readonly from: NamedMailbox;
  readonly replyTo: readonly NamedMailbox[];
  readonly to: readonly NamedMailbox[];
  readonly cc: readonly NamedMailbox[];
  readonly bcc: readonly NamedMailbox[];
}

export interface ResendableEmail extends SendingOptions, Mailboxes {
  readonly email: EmailRow;
  readonly recipients: readonly RecipientRow[];
  readonly content: ResendableContent;
  readonly headers: Readonly<Record<string, string>> | null;
  readonly attachments: readonly Attachment[];
  readonly textFromHtml: boolean;
}

interface ResendableDeps {
  readonly db: Database;
  readonly service: EmailService;
  readonly templates: TemplateLibrary;
}

const REMOVED =
  'The content of this email is no longer stored, so it cannot be sent again. Send a new email instead.';

const OF_ACCOUNT =
  'This email can be used to set a password, so it cannot be sent again. Its recipient can request a new one.';

export async function readResendable(
  { db, service, templates }: ResendableDeps,
  reach: Reach,
  id: string,
): Promise<ResendableEmail> {
  const { organizationId } = reach;
  const email = await service.find(reach, id);
  if (isAccountMail(email)) throw new ServiceError('CONFLICT', OF_ACCOUNT);
  const [stored, recipients, options] = await Promise.all([
    storedContent(service, reach, id),
    recipientsOf(db, organizationId, email.id),
    db.maybeOne(selectOptions, [organizationId, email.id]),
  ]);
  if (options === undefined) throw removed();
  return {
    ...{ email, recipients, ...options, ...mailboxesOf(email) },
    content: await contentOf(templates, organizationId, stored),
    headers: stored.headers,
    attachments: stored.mime === null ? await filesOf(db, organizationId, stored) : [],
    textFromHtml: stored.text_from_html,
  };
}

/** The email exists, so that only its content can be missing. */
async function storedContent(service: EmailService, reach: Reach, id: string): Promise<WholeContent> {
  try {
    return await service.storedContent(reach, id);
  } catch (error) {
    throw error instanceof ServiceError && error.code === 'NOT_FOUND' ? removed() : error;
  }
}

async function contentOf(
  templates: TemplateLibrary,
  organizationId: string,
  stored: WholeContent,
): Promise<ResendableContent> {
  const { html, text, mime, template_id: id, template_version: version } = stored;
  if (mime !== null) return { kind: 'mime', mime: await inTurns(withoutIdentity(mime)) };
  if (id === null || version === null) return { kind: 'inline', html, text };
  const rendered = await renderedContent(templates, organizationId, stored);
  if (rendered.kind === 'gone') throw removed();
  if (rendered.kind === 'unrenderable')
    throw new ServiceError('CONFLICT', `The email can no longer be rendered. ${rendered.message}`);
  const template = {
    ...{ id, version, builtWith: stored.built_with, locale: stored.locale },
    dataJson: JSON.stringify(stored.template_data ?? {}),
    renderedChars: (rendered.html?.length ?? 0) + (rendered.text?.length ?? 0),
  };
  return { kind: 'filled', template, ownSubject: oneLine(rendered.subject ?? '') };
}

async function filesOf(
  db: Database,
  organizationId: string,
  { id, files }: WholeContent,
): Promise<readonly Attachment[]> {
  if (files !== null) return files.map(toAttachment);
  return filesFromPieces(await db.many(selectFiles, [organizationId, id]));
}

function mailboxesOf({ from_email: email, from_name: name, addresses }: EmailRow): Mailboxes {
  return {
    from: mailbox({ email, name: storedText(name) }),
    replyTo: repliesOf(addresses).map(mailbox),
    to: addresses.to.map(mailbox),
    cc: addresses.cc.map(mailbox),
    bcc: addresses.bcc.map(mailbox),
  };
}

function mailbox({ email, name }: NamedAddress): NamedMailbox {
  const address = parseAddress(email);
  if (address.ok) return { address, name };
  throw new ServiceError(
    'CONFLICT',
    `Postrider no longer sends to ${email}, so this email cannot be sent again. Send a new email instead.`,
  );
}

function toAttachment({ filename, content_type: contentType, content_id: contentId, content }: FileRow) {
  return { filename, contentType, contentId, content };
}

function removed(): ServiceError {
  return new ServiceError('CONFLICT', REMOVED);
}
