/** Mail in the database together with a list of the same mail, which computes the expected result of every filter. */

import { moveEmailCounts } from '../../src/counters/email-counts.ts';
import type { Database } from '../../src/database/database.ts';
import { ensurePartitions } from '../../src/database/partitions.ts';
import type { NewEmail } from '../../src/emails/email.ts';
import { toFilter } from '../../src/emails/lists/list-schema.ts';
import { applyOutcomes } from '../../src/emails/outcomes.ts';
import type { EmailStatus } from '../../src/emails/status.ts';
import { storeEmails } from '../../src/emails/store.ts';
import { createLifetime } from '../../src/outbox/lifetime.ts';
import { newEmailOf } from './emails.ts';

export interface ModelEmail {
  readonly id: string;
  readonly atMs: number;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly tag: string | null;
  readonly batchId: string | null;
  status: EmailStatus;
}

const STEP = 500;

export type Query = Readonly<Record<string, string>>;

export class MailModel {
  readonly #db: Database;
  readonly organizationId: string;
  readonly emails: ModelEmail[] = [];

  constructor(db: Database, organizationId: string) {
    this.#db = db;
    this.organizationId = organizationId;
  }

  async add(emails: readonly Omit<ModelEmail, 'id' | 'status'>[]): Promise<ModelEmail[]> {
    const added = emails.map((one) => {
      const body = { from: { email: one.from }, to: [{ email: one.to }], subject: one.subject, text: 'x' };
      const tags = one.tag === null ? {} : { tags: [{ name: 'kind', value: one.tag }] };
      const email = {
        ...newEmailOf(this.organizationId, { ...body, ...tags }, one.atMs),
        batchId: one.batchId,
      };
      return {
        email,
        model: { ...one, id: email.id, atMs: email.createdAtMs, status: 'queued' as EmailStatus },
      };
    });
    for (const ms of new Set(added.map(({ model }) => model.atMs))) await ensurePartitions(this.#db, ms, 0);
    // In steps, because preparing thousands of rows would exceed the limit for idle transactions.
    for (let from = 0; from < added.length; from += STEP) {
      await this.#store(added.slice(from, from + STEP).map(({ email }) => email));
    }
    const models = added.map(({ model }) => model);
    this.emails.push(...models);
    return models;
  }

  async #store(rows: readonly NewEmail[]): Promise<void> {
    await this.#db.transaction(async (tx) => {
      await storeEmails(tx, rows, { mode: 'live', lifetimeMs: createLifetime(1) });
      await moveEmailCounts(
        tx,
        rows.map((email) => ({ ...email, status: 'queued', by: 1 })),
      );
    });
  }

  async settle(emails: readonly ModelEmail[], status: Exclude<EmailStatus, 'queued'>): Promise<void> {
    const outcomes = emails.map(({ id, atMs }) => ({
      organizationId: this.organizationId,
      emailId: id,
      position: 0,
      state: status,
      attempts: 1,
      atMs,
    }));
    await this.#db.transaction((tx) => applyOutcomes(tx, outcomes, Date.now()));
    for (const email of emails) email.status = status;
  }

  freeKey(gone: (email: ModelEmail) => boolean): void {
    const left = this.emails.filter((email) => !gone(email));
    this.emails.splice(0, this.emails.length, ...left);
  }

  /** The ids that a query must find, newest first. */
  find(query: Query): string[] {
    const { statuses, fromMs, toMs } = toFilter({ page: 1, limit: 20, ...query });
    return this.emails
      .filter((one) => statuses?.includes(one.status) ?? true)
      .filter((one) => (fromMs === null || one.atMs >= fromMs) && (toMs === null || one.atMs <= toMs))
      .filter((one) => query.from === undefined || matches(one.from, query.from))
      .filter((one) => query.to === undefined || matches(one.to, query.to))
      .filter((one) => one.subject.toLowerCase().includes((query.subject ?? '').toLowerCase()))
      .filter((one) => query.batch_id === undefined || one.batchId === query.batch_id)
      .filter(
        (one) =>
          query.tag === undefined ||
          query.tag === (query.tag === 'kind' && one.tag ? 'kind' : `kind:${one.tag}`),
      )
      .filter((one) => (query.search ?? '').split(' ').every((word) => hasWord(one, word.toLowerCase())))
      .map((one) => one.id)
      .sort()
      .reverse();
  }
}

/** Enough for the words of these tests: words of three to five characters match only the beginning of a word. */
function hasWord({ id, to, subject, tag }: ModelEmail, word: string): boolean {
  const isId = word.length >= 8 && id.startsWith(word);
  return isId || tag === word || to.includes(word) || subject.toLowerCase().includes(word);
}

function matches(address: string, wanted: string): boolean {
  return wanted.startsWith('@') ? address.endsWith(wanted) : address === wanted;
}
