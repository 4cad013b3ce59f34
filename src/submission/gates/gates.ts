/**
 * What the database must be asked before an email is accepted, each question once for the whole batch, inside
 * the accepting transaction. A refusal is a value and touches no other email of the batch.
 */

import type { NewEmail } from '../../emails/email.ts';
import type { Sql } from '../../kit/database/sql.ts';
import type { HashAddress } from '../../suppressions/suppressed.ts';
import type { DomainNotVerified, LimitExceeded, RecipientsSuppressed } from '../refused.ts';
import { limitGate } from './limit.ts';
import { senderGate } from './sender.ts';
import { suppressionGate } from './suppression.ts';

export type GateRefused = DomainNotVerified | RecipientsSuppressed | LimitExceeded;

/** Answers for every email, in order: the reason to refuse it, or null. */
export type Gate = (
  tx: Sql,
  emails: readonly NewEmail[],
  hash?: HashAddress,
) => Promise<readonly (GateRefused | null)[]>;

const GATES: readonly Gate[] = [senderGate, suppressionGate];

/** All questions are asked at once; of several refusals the first gate's counts. None of them locks anything. */
export async function passGates(
  tx: Sql,
  emails: readonly NewEmail[],
  hash?: HashAddress,
): Promise<(GateRefused | null)[]> {
  const answers = await Promise.all(GATES.map((gate) => gate(tx, emails, hash)));
  return emails.map((_, index) => answers.map((answer) => answer[index] ?? null).find(Boolean) ?? null);
}

/** Only what nothing else refuses counts towards the limit. Its counter stays locked until the transaction ends. */
export async function withinLimit(
  tx: Sql,
  emails: readonly NewEmail[],
  refusals: readonly (GateRefused | null)[],
): Promise<(GateRefused | null)[]> {
  const remaining = emails.filter((_, index) => refusals[index] === null);
  const over = remaining.length === 0 ? [] : await limitGate(tx, remaining);
  let next = 0;
  return refusals.map((refusal) => refusal ?? over[next++] ?? null);
}
