/** Predicts which emails would be refused, for dry runs: runs the gates of accepting without locks or writes. */

import type { Sql } from '../database/sql.ts';
import type { NewEmail } from '../emails/email.ts';
import type { HashAddress } from '../suppressions/suppressed.ts';
import { passGates, type Refusals } from './gates/gates.ts';
import { wouldExceed } from './gates/limit.ts';

export interface WouldRefuseDeps {
  readonly db: Sql;
  /** Finds erased addresses in the suppression list. */
  readonly hash: HashAddress;
}

/** Only emails that pass every other gate count towards the limit. */
export async function wouldRefuse(
  { db, hash }: WouldRefuseDeps,
  emails: readonly NewEmail[],
): Promise<Refusals> {
  const refusals = await passGates(db, emails, hash);
  const remaining = emails.filter((_, index) => refusals[index] === null);
  const over = await wouldExceed(db, remaining);
  let next = 0;
  return refusals.map((refusal) => refusal ?? over[next++] ?? null);
}
