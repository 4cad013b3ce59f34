/** The operations on an organization's emails. */

import type { Database } from '../database/database.ts';
import type { ListPlace, PlacedPage } from '../database/list-place.ts';
import type { Reads } from '../database/reads.ts';
import { eventsOfEmail, type LastEvent, lastEventsOf } from '../events/read.ts';
import { deliveryWindow, type LifetimeMs } from '../outbox/lifetime.ts';
import { lockUnclaimed, reschedule, withdraw } from '../outbox/withdraw.ts';
import type { Clock } from '../runtime/clock.ts';
import { isUuid } from '../runtime/ids.ts';
import type { Reach } from '../runtime/permissions.ts';
import { ServiceError } from '../runtime/service-error.ts';
import { inTurns } from '../runtime/sliced-work.ts';
import { parseMoment } from '../runtime/timestamp.ts';
import type { TemplateLibrary } from '../templates/library.ts';
import { EmailLists } from './lists/email-lists.ts';
import { emailsFrom } from './lists/emails-from.ts';
import { type EmailFilter, type EmailItemRow, withinReach } from './lists/store-list.ts';
import type { MovedContents } from './moved/moved-contents.ts';
import { type WholeContent, wholeContent } from './moved/whole-content.ts';
import { renderedContent } from './rendered-content.ts';
import { resendsOf } from './resends.ts';
import { type EmailSituation, situationsOf } from './states.ts';
import { setSchedule } from './store.ts';
import {
  attachmentOf,
  attachmentsOf,
  countBatch,
  type EmailRow,
  type FileRow,
  findEmail,
  isEmptyBatch,
  type RecipientRow,
  recipientsOf,
} from './store-read.ts';
import { readingSubmitted, readingSubmittedFile } from './submitted-content.ts';
import { batchView, type EmailContent, type EmailView, emailView } from './view.ts';
import { recordWithdrawal } from './withdrawal.ts';

interface EmailServiceOptions {
  readonly db: Database;
  readonly reads: Reads;
  readonly templates: TemplateLibrary;
  readonly clock: Clock;
  readonly lifetimeMs: LifetimeMs;
  readonly moved: MovedContents;
}

const CONTENT_REMOVED = 'The content of this email was removed when its retention period ended.';

/**
 * Marks mail to users of this installation from the time when it was sent by the first organization. Ordinary readers of mail
 * must not read this mail. New mail does not carry the tag.
 */
const ACCOUNT_TAG = { name: 'postrider', value: 'account' } as const;
const NOT_A_MESSAGE =
  'This email was not submitted as a whole message, so it has no raw form. Use GET /emails/:id/content instead.';

const CONTENT_PRIVATE =
  'The content of this email is only for its recipient: it can be used to set a password.';

export class EmailService {
  readonly #options: EmailServiceOptions;
  readonly #lists: EmailLists;

  constructor(options: EmailServiceOptions) {
    this.#options = options;
    this.#lists = new EmailLists(options.reads);
  }

  async get(reach: Reach, id: string): Promise<EmailView> {
    const { db } = this.#options;
    const email = await this.find(reach, id);
    const [recipients, events, situations, resends] = await Promise.all([
      recipientsOf(db, reach.organizationId, email.id),
      eventsOfEmail(db, reach.organizationId, email.id),
      situationsOf(db, reach.organizationId, [email.id]),
      resendsOf(db, reach.organizationId, email.id),
    ]);
    return emailView(situated(email, situations), { recipients, events, resends });
  }

  async list(
    reach: Reach,
    filter: EmailFilter,
    page: { readonly page: number; readonly limit: number },
  ): Promise<{ rows: (EmailItemRow & EmailSituation)[]; total: number }> {
    const { organizationId } = reach;
    const within = withinReach(filter, reach);
    if (within === null) return { rows: [], total: 0 };
    const { rows, total } = await this.#lists.page(organizationId, within, page);
    const db = this.#options.reads.of(organizationId);
    const situations = await situationsOf(
      db,
      organizationId,
      rows.map(({ id }) => id),
    );
    return { rows: rows.map((row) => situated(row, situations)), total };
  }

  /** Lists from a given email on, each with its last event. */
  async listFrom(
    reach: Reach,
    place: ListPlace,
  ): Promise<PlacedPage<EmailItemRow & { readonly last: LastEvent | undefined }>> {
    const { organizationId } = reach;
    const db = this.#options.reads.lately(organizationId);
    const { rows, hasMore } = await emailsFrom(db, reach, place);
    const ids = rows.map(({ id }) => id);
    const last = await lastEventsOf(db, organizationId, ids);
    return { rows: rows.map((row) => ({ ...row, last: last.get(row.id) })), hasMore };
  }

  /** The content as sent. A template's version is rendered again with the same data. */
  async content(reach: Reach, id: string): Promise<EmailContent> {
    const { db, templates } = this.#options;
    const { organizationId } = reach;
    const row = await this.storedContent(reach, id);
    const { subject, mime } = row;
    if (mime !== null)
      return { subject, ...(await inTurns(readingSubmitted(mime))), template_data: null, has_raw: true };
    const content = await renderedContent(templates, organizationId, row);
    if (content.kind === 'gone') throw noSuchEmail();
    if (content.kind === 'unrenderable')
      throw new ServiceError('CONFLICT', `The email can no longer be rendered. ${content.message}`);
    const attachments = row.files?.map(withSize) ?? (await attachmentsOf(db, organizationId, id));
    const { html, text } = content;
    const template_data = row.template_id === null ? null : { ...row.template_data };
    return { subject, html, text, headers: { ...row.headers }, attachments, template_data, has_raw: false };
  }

  /** One attached file, by its index in the content's list. */
  async attachment(reach: Reach, id: string, number: string): Promise<FileRow> {
    const row = await this.storedContent(reach, id);
    const file = /^\d{1,4}$/.test(number) ? await this.#file(reach, row, Number(number)) : undefined;
    if (file === undefined)
      throw new ServiceError(
        'NOT_FOUND',
        'The email has no attachment with this number. GET /emails/:id/content lists the attachments.',
      );
    return file;
  }

  async #file(
    { organizationId }: Reach,
    { id, mime, files }: WholeContent,
    place: number,
  ): Promise<FileRow | undefined> {
    if (mime !== null) return inTurns(readingSubmittedFile(mime, place));
    return files === null ? attachmentOf(this.#options.db, organizationId, id, place) : files[place];
  }

  /** The submitted message byte for byte, if the email was submitted as one. */
  async raw(reach: Reach, id: string): Promise<Buffer> {
    const { mime } = await this.storedContent(reach, id);
    if (mime === null) throw new ServiceError('NOT_FOUND', NOT_A_MESSAGE);
    return mime;
  }

  /** As it is stored; a template's version is not rendered. */
  async storedContent(reach: Reach, id: string): Promise<WholeContent> {
    if (isAccountMail(await this.find(reach, id))) throw new ServiceError('NOT_FOUND', CONTENT_PRIVATE);
    const { db, moved } = this.#options;
    const row = await wholeContent(db, moved, reach, id);
    if (!row) throw new ServiceError('NOT_FOUND', CONTENT_REMOVED);
    return row;
  }

  async batch(reach: Reach, batchId: string) {
    const db = this.#options.reads.of(reach.organizationId);
    const rows = await countBatch(db, reach, batchId);
    if (rows.length === 0 && !(await isEmptyBatch(db, reach, batchId)))
      throw new ServiceError(
        'NOT_FOUND',
        'No batch has this id. The response to the request that sent the batch has its id.',
      );
    return batchView(batchId, rows);
  }

  /** Cancels an email that is still scheduled: it ends as failed, and its events record the cancellation. */
  async cancel(reach: Reach, id: string): Promise<EmailView> {
    const { organizationId } = reach;
    await this.#whileScheduled(reach, id, 'cancelled', async (tx, email, recipients) => {
      await withdraw(tx, organizationId, email.id);
      const key = { organizationId, emailId: email.id, attempts: 0 };
      const withdrawn = recipients.map(({ position }) => ({ ...key, position }));
      await recordWithdrawal(tx, withdrawn, 'cancelled', this.#options.clock.nowMs());
    });
    return this.get(reach, id);
  }

  async reschedule(reach: Reach, id: string, scheduledAt: string): Promise<EmailView> {
    const scheduledAtMs = parseMoment(scheduledAt) as number; // the schema has validated it
    await this.#whileScheduled(reach, id, 'rescheduled', async (tx, email) => {
      const key = { organizationId: reach.organizationId, emailId: email.id };
      const nowMs = this.#options.clock.nowMs();
      const window = deliveryWindow(nowMs, scheduledAtMs, this.#options.lifetimeMs(email.expires_in));
      await setSchedule(tx, key, scheduledAtMs, nowMs);
      await reschedule(tx, key, window.dueAtMs, window.expiresAtMs);
    });
    return this.get(reach, id);
  }

  async find(reach: Reach, id: string): Promise<EmailRow> {
    const email = isUuid(id) ? await findEmail(this.#options.db, reach, id) : undefined;
    if (!email) throw noSuchEmail();
    return email;
  }

  /** Runs `change` while no worker can start on the email. Refuses if sending has started or the email was never scheduled. */
  async #whileScheduled(
    reach: Reach,
    id: string,
    verb: string,
    change: (tx: Tx, email: EmailRow, recipients: readonly RecipientRow[]) => Promise<void>,
  ): Promise<void> {
    const email = await this.find(reach, id);
    await this.#options.db.transaction(async (tx) => {
      const recipients = await recipientsOf(tx, reach.organizationId, email.id);
      const untouched = await lockUnclaimed(tx, reach.organizationId, email.id, recipients.length);
      if (email.scheduled_at === null || email.status !== 'queued' || !untouched) {
        throw new ServiceError(
          'CONFLICT',
          `Only a scheduled email can be ${verb}. This email was never scheduled, or is already being sent.`,
        );
      }
      await change(tx, email, recipients);
    });
  }
}

type Tx = Parameters<Parameters<Database['transaction']>[0]>[0];

/** Mail with which a password can be set: nobody but its recipient may read it. */
export function isAccountMail({ tags }: EmailRow): boolean {
  return tags?.some(({ name, value }) => name === ACCOUNT_TAG.name && value === ACCOUNT_TAG.value) ?? false;
}

function withSize({ filename, content_type, content_id, content }: FileRow) {
  return { filename, content_type, content_id, size: content.length };
}

function noSuchEmail(): ServiceError {
  return new ServiceError('NOT_FOUND', 'No email has this id. GET /emails lists the emails.');
}

const DELETED = { recipient_count: 0, delivered_count: 0, next_attempt_at: null, hold: null };

/** A deleted email falls back to its stored status. */
function situated<Row extends Pick<EmailItemRow, 'id' | 'status'>>(
  row: Row,
  situations: ReadonlyMap<string, EmailSituation>,
): Row & EmailSituation {
  return { ...row, ...(situations.get(row.id) ?? { ...DELETED, state: row.status }) };
}
