/** The steps of a DKIM rotation with side effects: creating the key, looking up its record, switching to it. */
import { randomBytes } from 'node:crypto';
import type { Database } from '../database/database.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Mode } from '../runtime/config.ts';
import { MINUTE_MS } from '../runtime/durations.ts';
import type { Log } from '../runtime/log.ts';
import { ServiceError } from '../runtime/service-error.ts';
import { RETIRES_AFTER_MS, type RotationRow, rotationAfter, SWITCH_NOTICE_MS } from './rotation.ts';
import { findRotation, recordRotationCheck, startRotation, switchKeys } from './rotation-store.ts';
import type { DomainKeys, DomainWithKey } from './signing-keys.ts';
import type { LookUpTxt } from './spf.ts';
import { findDomain } from './store.ts';
import { checkDkim } from './verify.ts';

const FIRST_LOOK_MS = MINUTE_MS;

export interface RotationDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly keys: DomainKeys;
  /** Creates TXT lookups, once per check. */
  readonly txtLookups: () => LookUpTxt;
  readonly mode: Mode;
}

export async function beginRotation(
  deps: Pick<RotationDeps, 'keys' | 'clock' | 'mode' | 'db'>,
  domain: DomainWithKey,
): Promise<RotationRow> {
  const made = await deps.keys.make(domain.organization_id, domain.id);
  const selector = `pr${randomBytes(6).toString('hex')}`;
  const nowMs = deps.clock.nowMs();
  const firstLook = new Date(deps.mode === 'sandbox' ? nowMs : nowMs + FIRST_LOOK_MS);
  const started = await deps.db.transaction((tx) =>
    startRotation(tx, domain, { selector, ...made }, { startedAt: new Date(nowMs), firstLook }),
  );
  if (started === 'gone') throw new ServiceError('NOT_FOUND');
  if (started === 'waits') throw waitsAlready();
  return started;
}

export function waitsAlready(): ServiceError {
  return new ServiceError(
    'CONFLICT',
    'A rotation is already waiting for its DNS record. Publish that record, or cancel the rotation first.',
  );
}

interface Advanced {
  /** The domain, with its new key after a switch. */
  readonly domain: DomainWithKey;
  /** When to look up the record again; null when the rotation awaits nothing. */
  readonly nextLookAt: Date | null;
}

/** Looks up the record of a pending key once. */
export async function advanceRotation(deps: RotationDeps, domain: DomainWithKey): Promise<Advanced> {
  const rotation = await findRotation(deps.db, domain);
  if (rotation === null || rotation.status !== 'waiting_for_dns') return { domain, nextLookAt: null };
  const { selector, public_key: publicKey } = rotation;
  const check = await checkDkim(deps.txtLookups(), { domain: domain.domain, selector, publicKey });
  const nowMs = deps.clock.nowMs();
  const step = rotationAfter(rotation, check.status, { nowMs, mode: deps.mode });
  if (!step.isReady) {
    await recordRotationCheck(deps.db, rotation, step.seenAt, check);
    return { domain, nextLookAt: new Date(nowMs + step.againMs) };
  }
  const switchedMs = nowMs + SWITCH_NOTICE_MS;
  const times = { switchedAt: new Date(switchedMs), retiresAt: new Date(switchedMs + RETIRES_AFTER_MS) };
  if (await switchKeys(deps.db, rotation, times, check)) {
    const facts = { event: 'dkim_key_switched', domain: domain.domain, domainId: domain.id, selector };
    deps.log.info(facts, 'a domain signs with its new DKIM key');
  }
  const after = await findDomain(deps.db, domain.organization_id, domain.id);
  return {
    domain: after?.public_key ? { ...after, public_key: after.public_key } : domain,
    nextLookAt: null,
  };
}
