/**
 * Accepting: after this, the email is on disk and will be delivered or reported.
 *
 * Everything that belongs to an email — its row, content, recipients, pending deliveries, `queued` events and counters —
 * commits in one transaction. Concurrent requests are coalesced: requests that arrive during one commit share the next one. A
 * caller is answered only after its own commit has returned. Each check against the database (may this domain send?) runs once
 * for the whole batch, inside the same transaction; a refusal is a value and touches no other email of the batch.
 *
 * Nearly always that transaction is one statement (accept-at-once.ts). Several steps are needed for more emails than one
 * statement takes, and if the sending limit has to be checked first.
 */
import { setImmediate as breathe } from 'node:timers/promises';
import { moveEmailCounts } from '../counters/email-counts.ts';
import type { Database } from '../database/database.ts';
import { concernsOne, isMissingPartition, isTakenOver, overLimitOf } from '../database/errors.ts';
import { ensurePartitions } from '../database/partitions.ts';
import type { Sql } from '../database/sql.ts';
import { storeBatchAttachments } from '../emails/batch-attachments.ts';
import { supersedeOlder } from '../emails/collapse.ts';
import { attachedBytes, contentSize, type NewEmail } from '../emails/email.ts';
import { type EmptyBatch, recordEmptyBatch } from '../emails/empty-batches.ts';
import { lanesOf } from '../emails/lanes-of.ts';
import { recordResends } from '../emails/resends.ts';
import { storeEmails } from '../emails/store.ts';
import { requestApprovals } from '../interventions/approvals/request-approvals.ts';
import type { Waker } from '../outbox/wake.ts';
import { joinConversations } from '../received/conversations.ts';
import { steadyClock } from '../runtime/clock.ts';
import { TtlCache } from '../runtime/ttl-cache.ts';
import { Batcher, type BatcherOptions } from '../runtime/work-loop/batcher.ts';
import { countTemplateUse } from '../templates/usage.ts';
import { type AcceptingOptions, acceptAtOnce, countMoves, templateUses } from './accept-at-once.ts';
import type { AcceptResult, EmailAcceptor, Submission } from './email-acceptor.ts';
import { uncountBudget, withinBudget } from './gates/budget.ts';
import { passGates, type Refusals, withinLimit } from './gates/gates.ts';
import { countWithinLimit } from './gates/limit.ts';
import {
  commitOthers,
  repeatedAmong,
  type SubmissionOutcome,
  SubmissionsUnderWay,
} from './idempotency/repeats.ts';
import { completeAll } from './idempotency/store.ts';
import { completionsOf, resultsOf, together } from './results.ts';
import { AT_ONCE, fitsAtOnce, goesInSteps, slicesToStore } from './slices.ts';

/** When the sending limit is checked: after the rows are stored, or before. */
type Order = 'limit last' | 'limit first';

interface AcceptOptions extends AcceptingOptions {
  readonly db: Database;
  /** Notifies the workers of new deliveries. */
  readonly waker: Pick<Waker, 'wake' | 'withCommit'>;
  /** Reports how many emails of one request were accepted, and its API key. */
  readonly onAccepted?: ((organizationId: string, keyId: string, emails: number) => void) | undefined;
}

/** The most that one commit takes without delaying its first request. */
const MAX_BATCH_BYTES = 8 * 1024 * 1024;
/** Smaller commits cost the database more per email; the bench `accept` measures the gain. */
const HALVE_FROM = 24;
/** The number of submissions that may wait in memory. Further requests are told to retry later. */
const MAX_QUEUED_SUBMISSIONS = 2_000; // about a second's worth
const MAX_QUEUED_BYTES = 64 * 1024 * 1024;
/**
 * One batch is prepared and written while the previous one waits for the disk. Both lock the same counters, so more than two
 * would only queue for these locks.
 */
const SMALL_AT_ONCE = { parallel: 2, besideFrom: 16 } as const;
/** A request with more emails than this uses the `large` batcher. */
const LARGE_EMAILS = 20;
/** One batch is written while the values of another are prepared. */
const LARGE_AT_ONCE = 2;
/** How long an organization that reached its limit has the limit checked first. */
const AT_LIMIT_MS = 5_000;
const MAX_AT_LIMIT = 10_000;
/** The size of an email's rows, without its content. */
const EMAIL_OVERHEAD_BYTES = 2 * 1024;

export class Acceptor implements EmailAcceptor {
  readonly #options: AcceptOptions;
  /**
   * Large submissions have a batcher of their own, so that a thousand emails do not delay a single one. Submissions that
   * supersede other emails share it, because they take several steps, too. Organizations that reached their limit recently have
   * a third batcher, because checking the limit first locks counters for longer.
   */
  readonly #batchers: Record<'small' | 'large' | 'limited', Batcher<Submission, SubmissionOutcome>>;
  readonly #underWay = new SubmissionsUnderWay();
  #commits = 0;
  readonly #atLimit = new TtlCache<true>({ keepMs: AT_LIMIT_MS, max: MAX_AT_LIMIT, clock: steadyClock });

  constructor(options: AcceptOptions) {
    this.#options = options;
    this.#batchers = {
      small: this.#createBatcher('limit last', { ...SMALL_AT_ONCE, maxBatchWeight: AT_ONCE.bytes }),
      large: this.#createBatcher('limit last', { parallel: LARGE_AT_ONCE, maxBatchWeight: MAX_BATCH_BYTES }),
      limited: this.#createBatcher('limit first', { maxBatchWeight: MAX_BATCH_BYTES }),
    };
  }

  rememberEmpty(batch: EmptyBatch): Promise<void> {
    return recordEmptyBatch(this.#options.db, batch);
  }

  async accept(submission: Submission): Promise<readonly AcceptResult[]> {
    const outcome = await this.#underWay.run(submission, () =>
      this.#batchers[this.#batcherFor(submission)].add(submission),
    );
    if (outcome instanceof Error) throw outcome;
    return outcome;
  }

  #batcherFor({ emails }: Submission): 'small' | 'large' | 'limited' {
    if (emails[0] && this.#atLimit.get(emails[0].organizationId)) return 'limited';
    return emails.length > LARGE_EMAILS || emails.some(goesInSteps) ? 'large' : 'small';
  }

  #createBatcher(
    order: Order,
    own: Pick<BatcherOptions<never, never>, 'parallel' | 'besideFrom' | 'maxBatchWeight'>,
  ): Batcher<Submission, SubmissionOutcome> {
    return new Batcher({
      flush: (submissions) => this.#acceptAll(submissions, order),
      maxBatchItems: AT_ONCE.emails,
      halveFrom: HALVE_FROM,
      maxQueuedItems: MAX_QUEUED_SUBMISSIONS,
      weigh: weightOf,
      maxQueuedWeight: MAX_QUEUED_BYTES,
      retryAlone: concernsOne,
      ...own,
    });
  }

  async #acceptAll(submissions: readonly Submission[], order: Order): Promise<readonly SubmissionOutcome[]> {
    const emails = emailsOf(submissions);
    this.#commits += 1;
    try {
      const outcomes = await this.#withPartitions(emails, () => this.#commit(submissions, order));
      this.#reportAccepted(submissions, outcomes.map(acceptedIn));
      return outcomes;
    } finally {
      this.#commits -= 1;
    }
  }

  #reportAccepted(submissions: readonly Submission[], accepted: readonly number[]): void {
    const { onAccepted } = this.#options;
    if (onAccepted === undefined) return;
    submissions.forEach(({ emails: [first] }, index) => {
      const count = accepted[index] ?? 0;
      if (first && first.keyId !== null && count > 0) onAccepted(first.organizationId, first.keyId, count);
    });
  }

  /**
   * If an organization exceeds its limit, the commit runs again with the limit checked first, so that each submission gets its
   * own answer.
   */
  async #commit(submissions: readonly Submission[], order: Order): Promise<readonly SubmissionOutcome[]> {
    try {
      if (order === 'limit last' && fitsAtOnce(emailsOf(submissions)))
        return await this.#acceptAtOnce(submissions);
      return await this.#acceptInSteps(submissions, order);
    } catch (error) {
      const organizationId = overLimitOf(error);
      if (organizationId === undefined) throw error;
      this.#atLimit.set(organizationId, true);
      return this.#acceptInSteps(submissions, 'limit first');
    }
  }

  /** Accepts in one statement. If some submissions were refused or repeated, runs again with the remaining ones. */
  async #acceptAtOnce(submissions: readonly Submission[]): Promise<readonly SubmissionOutcome[]> {
    const { db, waker } = this.#options;
    const emails = emailsOf(submissions);
    // Commits with a notification wait for each other, so only a lone request sends it with its commit.
    const isAlone = submissions.length === 1 && this.#commits === 1;
    let refusals: Refusals = emails.map(() => null);
    for (;;) {
      const remaining = emails.filter((_, index) => refusals[index] === null);
      const results = resultsOf(submissions, refusals);
      const completions = completionsOf(submissions, results);
      if (remaining.length === 0 && completions.length === 0) return results;
      const lanes = lanesOf(remaining);
      const hint = isAlone && remaining.length > 0 ? waker.withCommit(lanes) : null;
      const found = await acceptAtOnce(db, remaining, completions, this.#options, hint);
      if (found === null) {
        if (hint === null && remaining.length > 0) waker.wake(lanes);
        return results;
      }
      if (found.repeated.length > 0) {
        const repeated = new Set(found.repeated.map(({ submission }) => submission));
        return commitOthers(db, submissions, repeated, (others) => this.#acceptAtOnce(others));
      }
      let next = 0;
      const known = refusals.map((refusal) => refusal ?? found.refusals[next++] ?? null);
      refusals = together(submissions, known);
    }
  }

  /** A submission that another process accepts meanwhile is left out, and the others are committed again. */
  async #acceptInSteps(
    submissions: readonly Submission[],
    order: Order,
  ): Promise<readonly SubmissionOutcome[]> {
    const { db } = this.#options;
    const repeated = await repeatedAmong(db, submissions);
    if (repeated.size > 0)
      return commitOthers(db, submissions, repeated, (others) => this.#acceptInSteps(others, order));
    try {
      return await this.#transact(submissions, order);
    } catch (error) {
      if (!isTakenOver(error) || (await repeatedAmong(db, submissions)).size === 0) throw error;
      return this.#acceptInSteps(submissions, order);
    }
  }

  /**
   * Writes the rows first and the counters last, together with the commit: a counter stays locked until the commit. The
   * counters change in the same order whenever the limit is checked, so that two batches never deadlock.
   */
  async #transact(submissions: readonly Submission[], order: Order): Promise<AcceptResult[][]> {
    const emails = emailsOf(submissions);
    const { accepted, results } = await this.#options.db.transaction(
      async (tx) => {
        const screened = together(submissions, await passGates(tx, emails, this.#options.hash));
        const passed = together(submissions, await withinBudget(tx, emails, screened));
        const refusals = order === 'limit first' ? await withinLimit(tx, emails, passed) : passed;
        const counted = emails.filter((_, index) => passed[index] === null && refusals[index] !== null);
        await uncountBudget(tx, counted);
        const accepted = emails.filter((_, index) => refusals[index] === null);
        await storeBatchAttachments(tx, accepted);
        await supersedeOlder(tx, accepted);
        await joinConversations(tx, accepted);
        await recordResends(tx, accepted);
        const last = await this.#storeAllButLast(tx, slicesToStore(accepted));
        const waiting = accepted.filter(({ terms }) => terms?.needsApproval === true);
        // Deliveries are parked in the transaction that makes them due, so no worker sees them before approval.
        if (waiting.length > 0) await this.#storeRows(tx, last.splice(0));
        await requestApprovals(tx, waiting);
        const results = resultsOf(submissions, refusals);
        return { accepted, last, results, completions: completionsOf(submissions, results) };
      },
      (tx, { accepted, last, completions }) =>
        Promise.all([
          this.#storeRows(tx, last),
          completeAll(tx, completions),
          ...(accepted.length > 0 && order === 'limit last' ? [countWithinLimit(tx, accepted)] : []),
          ...(accepted.length > 0 ? moveCounters(tx, accepted) : []),
        ]),
    );
    if (accepted.length > 0) this.#options.waker.wake(lanesOf(accepted));
    return results;
  }

  /** The values of a slice are prepared while PostgreSQL writes the previous slice. */
  async #storeAllButLast(tx: Sql, slices: readonly NewEmail[][]): Promise<NewEmail[]> {
    let before = Promise.resolve();
    for (const slice of slices.slice(0, -1)) {
      const storing = this.#storeRows(tx, slice);
      storing.catch(() => undefined); // awaited one iteration later, unless the previous slice failed too
      await Promise.all([before, breathe()]);
      before = storing;
    }
    await before;
    return slices.at(-1) ?? [];
  }

  async #storeRows(tx: Sql, accepted: readonly NewEmail[]): Promise<void> {
    if (accepted.length > 0) await storeEmails(tx, accepted, this.#options);
  }

  /** Accepting must succeed even if maintenance failed to create this week's partitions. */
  async #withPartitions<T>(emails: readonly NewEmail[], store: () => Promise<T>): Promise<T> {
    try {
      return await store();
    } catch (error) {
      if (!isMissingPartition(error)) throw error;
      for (const email of [emails[0], emails.at(-1)]) {
        if (email) await ensurePartitions(this.#options.db, email.createdAtMs, 0);
      }
      return store();
    }
  }
}

function moveCounters(tx: Sql, accepted: readonly NewEmail[]): Promise<void>[] {
  return [countTemplateUse(tx, templateUses(accepted)), moveEmailCounts(tx, countMoves(accepted))];
}

function emailsOf(submissions: readonly Submission[]): readonly NewEmail[] {
  return submissions.flatMap((submission) => submission.emails);
}

function acceptedIn(outcome: SubmissionOutcome): number {
  return outcome instanceof Error ? 0 : outcome.filter(({ kind }) => kind === 'accepted').length;
}

function weightOf({ emails }: Submission): number {
  const shared = attachedBytes(emails[0]?.batchAttachments ?? []);
  return emails.reduce((sum, email) => sum + contentSize(email) + EMAIL_OVERHEAD_BYTES, shared);
}
