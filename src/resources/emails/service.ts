/** What can be done with emails, on behalf of one organization. */
import type { Database } from '../../database/database.ts';
import { appendEvents } from '../../events/append.ts';
import { eventsOfEmail } from '../../events/read.ts';
import { ApiError, UnavailableError } from '../../http/errors.ts';
import type { RequestKey } from '../../http/idempotency-store.ts';
import type { Principal } from '../../http/principal.ts';
import type { LifetimeMs } from '../../outbox/lifetime.ts';
import { holdUntouched, reschedule, withdraw } from '../../outbox/withdraw.ts';
import type { Clock } from '../../runtime/clock.ts';
import { isUuid } from '../../runtime/ids.ts';
import { parseMoment } from '../../runtime/moment.ts';
import { BatcherFullError } from '../../work-loop/batcher.ts';
import { type Acceptor, type AcceptResult, deliveryWindow } from './accept.ts';
import type { NewEmail } from './email.ts';
import { toNewEmail } from './new-email.ts';
import { applyOutcomes } from './outcomes.ts';
import { refusalError } from './refusal-error.ts';
import type { SendBody } from './schema.ts';
import { setSchedule } from './store.ts';
import {
  type ContentRow,
  countMatching,
  type EmailFilter,
  type EmailItemRow,
  type EmailRow,
  findContent,
  findEmail,
  listEmails,
  type RecipientRow,
  recipientsOf,
} from './store-read.ts';
import { type EmailView, emailView, sendView } from './view.ts';

export interface EmailServiceOptions {
  readonly db: Database;
  readonly acceptor: Acceptor;
  readonly clock: Clock;
  readonly lifetimeMs: LifetimeMs;
}

/** An overloaded server says so at once, and soon has room again. */
const FULL_RETRY_SECONDS = 1;

export class EmailService {
  readonly #options: EmailServiceOptions;

  constructor(options: EmailServiceOptions) {
    this.#options = options;
  }

  /** Accepts one email. When this returns, it is on disk, and so is the answer if it is to be kept under a key. */
  async send(principal: Principal, body: SendBody, key: RequestKey | null) {
    const email = toNewEmail(principal.organizationId, body, this.#options.clock.nowMs());
    checkKeyDomain(principal, email);
    // Saved templates have no table yet, so no id can name one.
    if (body.template_id !== undefined) throw new ApiError('NOT_FOUND', [], 'There is no such template.');
    const answer = { status: 201, body: { data: sendView(email) } };
    const completion = key && {
      key,
      answer: ([result]: readonly AcceptResult[]) => (result?.kind === 'accepted' ? answer : null),
    };
    const [result] = await this.#options.acceptor.accept({ emails: [email], completion }).catch(whenFull);
    if (result && result.kind !== 'accepted') throw refusalError(result, email);
    return answer;
  }

  async get(principal: Principal, id: string): Promise<EmailView> {
    const { db } = this.#options;
    const email = await this.#find(principal, id);
    const [recipients, events] = await Promise.all([
      recipientsOf(db, principal.organizationId, email.id),
      eventsOfEmail(db, principal.organizationId, email.id),
    ]);
    return emailView(email, recipients, events);
  }

  async list(
    principal: Principal,
    filter: EmailFilter,
    { page, limit }: { readonly page: number; readonly limit: number },
  ): Promise<{ rows: EmailItemRow[]; total: number }> {
    const { db } = this.#options;
    const window = { limit, offset: (page - 1) * limit };
    const [rows, total] = await Promise.all([
      listEmails(db, principal.organizationId, filter, window),
      countMatching(db, principal.organizationId, filter),
    ]);
    return { rows, total };
  }

  async content(principal: Principal, id: string): Promise<ContentRow> {
    const content = isUuid(id)
      ? await findContent(this.#options.db, principal.organizationId, id)
      : undefined;
    if (!content) throw noSuchEmail();
    return content;
  }

  /** Takes back an email that is still scheduled: it ends as failed, and its events say that it was cancelled. */
  async cancel(principal: Principal, id: string): Promise<EmailView> {
    const { organizationId } = principal;
    await this.#whileScheduled(principal, id, 'cancelled', async (tx, email, recipients) => {
      const atMs = this.#options.clock.nowMs();
      const each = recipients.map(({ position, address }) => ({
        organizationId,
        emailId: email.id,
        position,
        recipient: address,
        atMs,
      }));
      await applyOutcomes(
        tx,
        each.map((one) => ({ ...one, state: 'failed', attempts: 0 })),
        atMs,
      );
      await withdraw(tx, organizationId, email.id);
      await appendEvents(
        tx,
        each.map((one) => ({ ...one, type: 'rejected', reason: 'cancelled' })),
      );
    });
    return this.get(principal, id);
  }

  async reschedule(principal: Principal, id: string, scheduledAt: string): Promise<EmailView> {
    const scheduledAtMs = parseMoment(scheduledAt) as number; // the schema has checked it
    await this.#whileScheduled(principal, id, 'rescheduled', async (tx, email) => {
      const key = { organizationId: principal.organizationId, emailId: email.id };
      const nowMs = this.#options.clock.nowMs();
      const window = deliveryWindow(nowMs, scheduledAtMs, this.#options.lifetimeMs(email.expires_in));
      await setSchedule(tx, key, scheduledAtMs, nowMs);
      await reschedule(tx, key, window.dueAtMs, window.expiresAtMs);
    });
    return this.get(principal, id);
  }

  async #find(principal: Principal, id: string): Promise<EmailRow> {
    const email = isUuid(id) ? await findEmail(this.#options.db, principal.organizationId, id) : undefined;
    if (!email) throw noSuchEmail();
    return email;
  }

  /** Runs `change` while no worker can begin with the email; refuses where sending has begun or never was scheduled. */
  async #whileScheduled(
    principal: Principal,
    id: string,
    verb: string,
    change: (tx: Tx, email: EmailRow, recipients: readonly RecipientRow[]) => Promise<void>,
  ): Promise<void> {
    const email = await this.#find(principal, id);
    await this.#options.db.transaction(async (tx) => {
      const recipients = await recipientsOf(tx, principal.organizationId, email.id);
      const untouched = await holdUntouched(tx, principal.organizationId, email.id, recipients.length);
      if (email.scheduled_at === null || email.status !== 'queued' || !untouched) {
        throw new ApiError('CONFLICT', [], `Only an email that is still scheduled can be ${verb}.`);
      }
      await change(tx, email, recipients);
    });
  }
}

type Tx = Parameters<Parameters<Database['transaction']>[0]>[0];

function checkKeyDomain(principal: Principal, email: NewEmail): void {
  if (principal.domain === null || principal.domain === email.fromDomain) return;
  throw new ApiError('FORBIDDEN', [], `This API key may send only from addresses at ${principal.domain}.`);
}

function whenFull(error: unknown): never {
  throw error instanceof BatcherFullError ? new UnavailableError(error, FULL_RETRY_SECONDS) : error;
}

function noSuchEmail(): ApiError {
  return new ApiError('NOT_FOUND', [], 'There is no such email.');
}
