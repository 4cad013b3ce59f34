/**
 * Handles the queued mail of a revoked key: leaves it, holds it, or withdraws it. The hold is placed before the key is revoked,
 * so that no mail leaves in between. The mail is withdrawn only when the key has stopped working everywhere, so that the last
 * accepted mail is included. After an interruption in between, the mail stays held.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { actorNameOf } from '../../accounts/actor-name.ts';
import type { Database } from '../../database/database.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import { endInCells, placeInCells } from './holds-in-cells.ts';
import { figuresInTime, type HoldActor, type HoldDeps, type PlacedHold } from './service.ts';
import { discardUntilNow, EarlierWorkerError, type HoldRow, openHoldOfKey } from './store.ts';

export const MAIL_OF_REVOKED = ['leave', 'hold', 'withdraw'] as const;
export type MailOfRevoked = (typeof MAIL_OF_REVOKED)[number];

/** Processes check a key again when they accept mail, and cache the answer for 800 ms; the rest covers the commit. */
const KEY_WORKS_FOR_MS = 2_000;

interface RevokedKey {
  readonly organizationId: string;
  readonly id: string;
  readonly name: string;
}

/**
 * Holds the mail, calls `revoke`, and only then counts. Returns the hold with the number of emails it covered; null if the mail is
 * left alone. While a worker of an earlier release runs, mail to be withdrawn stays held, and the returned hold is not ending.
 */
export async function revokeWithMail(
  deps: HoldDeps,
  actor: HoldActor,
  key: RevokedKey,
  { mail, revoke }: { readonly mail: MailOfRevoked; readonly revoke: () => Promise<unknown> },
): Promise<PlacedHold | null> {
  if (mail === 'leave') {
    await revoke();
    return null;
  }
  const by = await actorNameOf(deps.db, actor.id);
  const place = () => holdMailOf(deps.db, key, { by, byOperator: false });
  const held = await place();
  if (held.by_operator && !actor.isOperator)
    throw new ServiceError(
      'FORBIDDEN',
      `An operator already holds the mail of this key (${held.id}). Ask the operator to end that hold.`,
    );
  await revoke();
  if (mail === 'hold') {
    if (held.ending !== null) throw new ServiceError('CONFLICT', discardingWords(held));
    return { hold: held, figures: await figuresInTime(deps, actor, held) };
  }
  await untilKeyStops();
  const figures = await figuresInTime(deps, actor, held);
  try {
    return { hold: await withdrawMailOf(deps.db, held, { reason: reasonOf(key), by, place }), figures };
  } catch (error) {
    if (error instanceof EarlierWorkerError) return { hold: held, figures };
    throw error;
  }
}

/** The answer where mail is to be held that is being discarded; the key is revoked by then. */
export function discardingWords({ id }: Pick<HoldRow, 'id'>): string {
  return `The key is revoked. Its mail was not held, because it is being discarded (${id}). Withdraw the rest of it, or try again when that hold has ended.`;
}

export function reasonOf({ name }: Pick<RevokedKey, 'name'>): string {
  return `The API key ${name} was revoked`;
}

/** Resolves when no process accepts mail of a key that was just revoked. */
export async function untilKeyStops(): Promise<void> {
  await pause(KEY_WORKS_FOR_MS);
}

/** The hold that is in force already, or a new one. However many holds there are: a key that leaked must be revocable. */
export async function holdMailOf(
  db: Database,
  key: RevokedKey,
  { by, byOperator }: { readonly by: string; readonly byOperator: boolean },
): Promise<HoldRow> {
  const { organizationId, id: value } = key;
  const open = await openHoldOn(db, key);
  if (open !== undefined) return open;
  const target = { organizationId, scope: 'key', value, reason: reasonOf(key) } as const;
  // Undefined where somebody placed one meanwhile.
  const hold = (await placeInCells(db, { ...target, by, byOperator })) ?? (await openHoldOn(db, key));
  if (hold === undefined)
    throw new ServiceError(
      'CONFLICT',
      'Another request has just ended the hold of this key’s mail. Try again.',
    );
  return hold;
}

/**
 * All that the key queued until now is discarded. A discard that began earlier is moved to now; where that has ended meanwhile,
 * another hold takes its place.
 */
export async function withdrawMailOf(
  db: Database,
  held: HoldRow,
  {
    reason,
    by,
    place,
  }: { readonly reason: string; readonly by: string; readonly place: () => Promise<HoldRow> },
): Promise<HoldRow> {
  const again = await discardNow(db, held, { reason, by });
  if (again !== undefined) return again;
  const withdrawn = await discardNow(db, await place(), { reason, by });
  if (withdrawn === undefined)
    throw new ServiceError(
      'CONFLICT',
      'Another request has just ended the hold of this key’s mail. Try again.',
    );
  return withdrawn;
}

async function discardNow(
  db: Database,
  hold: HoldRow,
  { reason, by }: { readonly reason: string; readonly by: string },
): Promise<HoldRow | undefined> {
  const ending = await endInCells(db, hold, { how: 'discard', reason, by });
  return ending ?? discardUntilNow(db.of(hold.organization_id ?? ''), hold);
}

/** A hold that is already in force, by any author. */
function openHoldOn(
  db: Database,
  { organizationId, id }: Pick<RevokedKey, 'organizationId' | 'id'>,
): Promise<HoldRow | undefined> {
  return openHoldOfKey(db.of(organizationId), organizationId, id);
}
