/**
 * The lookups before an email is accepted, each made once for all emails of a commit. A refusal is a value and touches no other
 * email.
 */

import { inOrder } from '../../database/call.ts';
import { type Sql, sql } from '../../database/sql.ts';
import type { NewEmail } from '../../emails/email.ts';
import type { HashAddress } from '../../suppressions/suppressed.ts';
import type { SomeRefused } from '../refused.ts';
import { type LimitExceeded, limitGate } from './limit.ts';
import { type DomainNotVerified, senderGate } from './sender.ts';
import { type RecipientsSuppressed, suppressionGate } from './suppression.ts';

export type GateRefused = DomainNotVerified | RecipientsSuppressed | LimitExceeded | SomeRefused;

/** For every email, in order: the reason to refuse it, or null. */
export type Refusals = readonly (GateRefused | null)[];

/** The parameters of the lookups. */
export const ASKED = ['sender_ids', 'sender_domains', 'asked_keys', 'asked_hashes'] as const;

/** By position, counted from one; null if there is nothing to refuse. */
export interface GateAnswers {
  readonly unverified: readonly number[] | null;
  readonly suppressed: readonly number[] | null;
}

const ask = sql<GateAnswers>(
  'gates.ask',
  `SELECT unverified_senders(sender_ids => $1, sender_domains => $2) AS unverified,
          suppressed_among(asked_keys => $3, asked_hashes => $4) AS suppressed`,
  { home: 'cell', organization: '$1' },
);

interface Questions {
  readonly columns: Readonly<Record<(typeof ASKED)[number], unknown>>;
  readonly refusals: (answers: GateAnswers) => Refusals;
}

/** Of several refusals, the first gate's applies. */
export async function questionsOf(
  db: Sql,
  emails: readonly NewEmail[],
  hash?: HashAddress,
): Promise<Questions> {
  const sender = await senderGate(db, emails);
  const suppression = suppressionGate(emails, hash);
  const { sender_ids, sender_domains } = sender.columns;
  const { asked_keys, asked_hashes } = suppression.columns;
  return {
    columns: { sender_ids, sender_domains, asked_keys, asked_hashes },
    refusals: ({ unverified, suppressed }) => {
      const bySender = sender.refusals(unverified ?? []);
      const bySuppression = suppression.refusals(suppressed ?? []);
      return emails.map((_, index) => bySender[index] ?? bySuppression[index] ?? null);
    },
  };
}

/** No lookup locks anything. */
export async function passGates(tx: Sql, emails: readonly NewEmail[], hash?: HashAddress): Promise<Refusals> {
  const { columns, refusals } = await questionsOf(tx, emails, hash);
  return refusals(await tx.one(ask, inOrder(ASKED, columns)));
}

/** Only emails that pass every other gate count towards the limit. Its counter stays locked until the transaction ends. */
export async function withinLimit(
  tx: Sql,
  emails: readonly NewEmail[],
  refusals: Refusals,
): Promise<Refusals> {
  const remaining = emails.filter((_, index) => refusals[index] === null);
  const over = remaining.length === 0 ? [] : await limitGate(tx, remaining);
  let next = 0;
  return refusals.map((refusal) => refusal ?? over[next++] ?? null);
}
