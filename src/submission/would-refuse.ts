/** Which emails would be refused, for somebody who only asks: the gates of accepting, without a lock and without a row. */

import type { Sql } from '../database/sql.ts';
import type { NewEmail } from '../emails/email.ts';
import type { HashAddress } from '../suppressions/suppressed.ts';
import { passGates, type Refusals } from './gates/gates.ts';
import { wouldExceed } from './gates/limit.ts';

export interface WouldRefuseDeps {
  readonly db: Sql;
  /** What erased addresses left in the suppression list. */
  readonly hash: HashAddress;
}

/** Only what nothing else refuses counts towards the limit. */
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
