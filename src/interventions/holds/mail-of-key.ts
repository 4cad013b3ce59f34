/**
 * Handles the queued mail of a revoked key: leaves it, holds it, or withdraws it. The hold is placed before the key is revoked,
 * so that no mail leaves in between. The mail is withdrawn only when the key has stopped working everywhere, so that the last
 * accepted mail is included. After an interruption in between, the mail stays held.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../database/database.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import {
  figuresInTime,
  type HoldActor,
  type HoldDeps,
  type PlacedHold,
  requestHold,
  withdrawHeld,
} from './service.ts';
import { type HoldRow, openHoldOfKey } from './store.ts';

export const MAIL_OF_REVOKED = ['leave', 'hold', 'withdraw'] as const;
export type MailOfRevoked = (typeof MAIL_OF_REVOKED)[number];

/** Processes cache a key for most of a second; the rest covers their requests in progress. */
const KEY_WORKS_FOR_MS = 1_200;

export interface RevokedKey {
  readonly organizationId: string;
  readonly id: string;
  readonly name: string;
}

/**
 * Calls `revoke` once the mail is held. Returns the hold with the number of emails it covered; null if the mail is left alone.
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
  const held = await holdMailOf(deps, actor, key);
  await revoke();
  if (mail === 'hold') return held;
  await untilKeyStops();
  return withdrawHeld(deps, actor, held.hold.id, reasonOf(key));
}

export function reasonOf({ name }: Pick<RevokedKey, 'name'>): string {
  return `The API key ${name} was revoked`;
}

/** Resolves when no process accepts mail of a key that was just revoked. */
export async function untilKeyStops(): Promise<void> {
  await pause(KEY_WORKS_FOR_MS);
}

async function holdMailOf(deps: HoldDeps, actor: HoldActor, key: RevokedKey): Promise<PlacedHold> {
  const open = await openHoldOn(deps.db, key);
  if (open === undefined) {
    const asked = { scope: 'key', value: key.id, reason: reasonOf(key) } as const;
    return requestHold(deps, actor, asked);
  }
  if (open.by_operator && !actor.isOperator)
    throw new ServiceError('FORBIDDEN', `An operator holds the mail of this key already (${open.id}).`);
  return { hold: open, figures: await figuresInTime(deps, actor, open) };
}

/** A hold that is already in force, by any author. */
export function openHoldOn(
  db: Database,
  { organizationId, id }: Pick<RevokedKey, 'organizationId' | 'id'>,
): Promise<HoldRow | undefined> {
  return openHoldOfKey(db.of(organizationId), organizationId, id);
}
