/**
 * What the database must be asked before an email is accepted, each question once for the whole batch, inside
 * the accepting transaction. A refusal is a value and touches no other email of the batch.
 */
import type { Sql } from '../../database/sql.ts';
import { verifiedDomains } from '../domains/verified.ts';
import type { NewEmail } from './email.ts';
import { type LimitExceeded, limitGate } from './limit-gate.ts';
import { type RecipientsSuppressed, suppressionGate } from './suppression-gate.ts';

export type Refusal = { readonly kind: 'domain_not_verified' } | RecipientsSuppressed | LimitExceeded;

/** Answers for every email, in order: the reason to refuse it, or null. */
export type Gate = (tx: Sql, emails: readonly NewEmail[]) => Promise<readonly (Refusal | null)[]>;

const GATES: readonly Gate[] = [senderGate, suppressionGate];

/**
 * In this order; an email refused by one is not shown to the next. The sending limit comes last, and only for who
 * asks for it here: its counter stays locked until the transaction ends (see accept.ts).
 */
export async function passGates(
  tx: Sql,
  emails: readonly NewEmail[],
  limit: 'checked here' | 'checked later',
): Promise<(Refusal | null)[]> {
  const refusals: (Refusal | null)[] = emails.map(() => null);
  for (const gate of limit === 'checked here' ? [...GATES, limitGate] : GATES) {
    const standing = emails.flatMap((email, index) => (refusals[index] === null ? [{ email, index }] : []));
    if (standing.length === 0) break;
    const answers = await gate(
      tx,
      standing.map(({ email }) => email),
    );
    standing.forEach(({ index }, at) => {
      refusals[index] = answers[at] ?? null;
    });
  }
  return refusals;
}

async function senderGate(tx: Sql, emails: readonly NewEmail[]): Promise<(Refusal | null)[]> {
  const senderOf = (email: NewEmail) => ({ organizationId: email.organizationId, domain: email.fromDomain });
  const isVerified = await verifiedDomains(tx, emails.map(senderOf));
  return emails.map((email) => (isVerified(senderOf(email)) ? null : { kind: 'domain_not_verified' }));
}
