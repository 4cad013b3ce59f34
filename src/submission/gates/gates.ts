/**
 * What the database must be asked before an email is accepted, each question once for the whole batch, inside
 * the accepting transaction. A refusal is a value and touches no other email of the batch.
 */

import { verifiedDomains } from '../../domains/verified.ts';
import type { NewEmail } from '../../emails/email.ts';
import type { Sql } from '../../kit/database/sql.ts';
import type { HashAddress } from '../../suppressions/suppressed.ts';
import { type LimitExceeded, limitGate } from './limit.ts';
import { type RecipientsSuppressed, suppressionGate } from './suppression.ts';

export type Refusal = { readonly kind: 'domain_not_verified' } | RecipientsSuppressed | LimitExceeded;

/** Answers for every email, in order: the reason to refuse it, or null. */
export type Gate = (
  tx: Sql,
  emails: readonly NewEmail[],
  hash?: HashAddress,
) => Promise<readonly (Refusal | null)[]>;

const GATES: readonly Gate[] = [senderGate, suppressionGate];

/** All questions are asked at once; of several refusals the first gate's counts. None of them locks anything. */
export async function passGates(
  tx: Sql,
  emails: readonly NewEmail[],
  hash?: HashAddress,
): Promise<(Refusal | null)[]> {
  const answers = await Promise.all(GATES.map((gate) => gate(tx, emails, hash)));
  return emails.map((_, index) => answers.map((answer) => answer[index] ?? null).find(Boolean) ?? null);
}

/** Only what nothing else refuses counts towards the limit. Its counter stays locked until the transaction ends. */
export async function withinLimit(
  tx: Sql,
  emails: readonly NewEmail[],
  refusals: readonly (Refusal | null)[],
): Promise<(Refusal | null)[]> {
  const standing = emails.filter((_, index) => refusals[index] === null);
  const over = standing.length === 0 ? [] : await limitGate(tx, standing);
  let next = 0;
  return refusals.map((refusal) => refusal ?? over[next++] ?? null);
}

async function senderGate(tx: Sql, emails: readonly NewEmail[]): Promise<(Refusal | null)[]> {
  const senderOf = (email: NewEmail) => ({ organizationId: email.organizationId, domain: email.fromDomain });
  const isVerified = await verifiedDomains(tx, emails.map(senderOf));
  return emails.map((email) => (isVerified(senderOf(email)) ? null : { kind: 'domain_not_verified' }));
}
