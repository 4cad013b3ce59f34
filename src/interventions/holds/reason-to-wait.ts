/** Finds the hold that keeps mail from being sent, for status queries. Reads only. */
import type { Sql } from '../../database/sql.ts';
import { type HoldableMail, HoldIndex } from './hold.ts';
import { findHold, type HoldRow, holdsInForce } from './store.ts';

export interface WaitingForHold extends HoldableMail {
  /** The hold that has parked it. */
  readonly holdId: string | null;
}

/** In the order given; null without a hold. Due mail that is not parked yet is matched as workers do it. */
export async function holdsOn(db: Sql, mail: readonly WaitingForHold[]): Promise<(HoldRow | null)[]> {
  if (mail.length === 0) return [];
  const index = new HoldIndex(await holdsInForce(db));
  const ids = mail.map((one) => one.holdId ?? index.find(one)?.id ?? null);
  const known = new Map<string, HoldRow | undefined>();
  for (const id of new Set(ids)) if (id !== null) known.set(id, await findHold(db, id));
  return ids.map((id) => (id === null ? null : (known.get(id) ?? null)));
}

/** Why all mail is held; null if it is not. */
export async function reasonAllIsHeld(db: Sql): Promise<string | null> {
  const { ofAll } = new HoldIndex(await holdsInForce(db));
  return ofAll === null ? null : ((await findHold(db, ofAll.id))?.reason ?? null);
}
