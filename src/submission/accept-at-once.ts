/**
 * Accepts emails in one auto-committed statement: the gates, every row, the answers for requests with a key, the limit and the
 * counters, all in one round trip. If a gate refuses an email, or a request was accepted before, the statement writes nothing
 * and the caller submits the remaining emails again.
 */

import { USED, usageColumns } from '../counters/daily-usage.ts';
import { COUNTED, countColumns } from '../counters/email-counts.ts';
import { type CountMove, HOURS_ACCEPTED, hourColumns } from '../counters/hourly-counts.ts';
import { STREAMS_ACCEPTED, streamColumns } from '../counters/stream-counts.ts';
import { call, inOrder } from '../database/call.ts';
import { type Sql, sql } from '../database/sql.ts';
import type { NewEmail } from '../emails/email.ts';
import { rowsToStore, type StoreOptions } from '../emails/new-rows.ts';
import { STORED } from '../emails/store.ts';
import { notifyCall } from '../outbox/wake.ts';
import type { HashAddress } from '../suppressions/suppressed.ts';
import { TEMPLATES_USED, type TemplateUsed, templateUseColumns } from '../templates/usage.ts';
import { ASKED, type GateAnswers, questionsOf, type Refusals } from './gates/gates.ts';
import { usagesOf } from './gates/limit.ts';
import { COMPLETED, type Completion, completionColumns } from './idempotency/store.ts';

const PARAMETERS = [
  ...ASKED,
  ...STORED,
  ...COMPLETED,
  ...USED,
  ...TEMPLATES_USED,
  ...COUNTED,
  ...HOURS_ACCEPTED,
  ...STREAMS_ACCEPTED,
] as const;

interface AcceptAnswers extends GateAnswers {
  /** Positions among the requests with a key. */
  readonly repeated: readonly number[] | null;
}

const HINT = `$${PARAMETERS.length + 1}::text`;

const accept = sql<AcceptAnswers>(
  'emails.accept',
  `SELECT answers.*, CASE WHEN ${HINT} IS NOT NULL THEN ${notifyCall(HINT)} END AS notified
   FROM ${call('accept_new_emails', PARAMETERS)} AS answers`,
  { home: 'cell', organization: ['$6', '$12', '$17', '$20', '$24', '$28', '$31'], isAwaited: true },
);

export interface AcceptingOptions extends StoreOptions {
  /** Finds erased addresses in the suppression list. */
  readonly hash?: HashAddress;
}

/** Why nothing was written. */
interface NotAccepted<Request> {
  readonly refusals: Refusals;
  /** The requests that were accepted before. */
  readonly repeated: readonly Request[];
}

/**
 * Returns null if all requests were accepted. A `hint` is sent to the workers with the commit (outbox/wake.ts). Fails if a limit
 * would be exceeded, see overLimitOf.
 */
export async function acceptAtOnce<Request extends Completion>(
  db: Sql,
  emails: readonly NewEmail[],
  completions: readonly Request[],
  options: AcceptingOptions,
  hint: string | null = null,
): Promise<NotAccepted<Request> | null> {
  const { columns, refusals } = await questionsOf(db, emails, options.hash);
  const moves = countMoves(emails);
  const answers = await db.one(accept, [
    ...inOrder(ASKED, columns),
    ...inOrder(STORED, rowsToStore(emails, options)),
    ...inOrder(COMPLETED, completionColumns(completions) ?? {}),
    ...inOrder(USED, usageColumns(usagesOf(emails))),
    ...inOrder(TEMPLATES_USED, templateUseColumns(templateUses(emails)) ?? {}),
    ...inOrder(COUNTED, countColumns(moves)),
    ...inOrder(HOURS_ACCEPTED, hourColumns(moves)),
    ...inOrder(STREAMS_ACCEPTED, streamColumns(moves) ?? {}),
    hint,
  ]);
  const { unverified, suppressed, repeated } = answers;
  if (unverified === null && suppressed === null && repeated === null) return null;
  return {
    refusals: refusals(answers),
    repeated: (repeated ?? []).map((place) => completions[place - 1] as Request),
  };
}

export function countMoves(emails: readonly NewEmail[]): CountMove[] {
  return emails.map(({ organizationId, createdAtMs, stream }) => ({
    organizationId,
    createdAtMs,
    status: 'queued',
    by: 1,
    stream,
  }));
}

export function templateUses(emails: readonly NewEmail[]): TemplateUsed[] {
  return emails.flatMap(({ organizationId, template, createdAtMs }) =>
    template === null ? [] : [{ organizationId, templateId: template.id, atMs: createdAtMs }],
  );
}
