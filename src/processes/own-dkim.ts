/**
 * Assembles signing by the installation's own domain: in live mode, if POSTRIDER_DKIM_DOMAIN is set. Sandbox
 * mail cannot cause complaints.
 */

import type { Database } from '../database/database.ts';
import { dkimName, dkimValue } from '../domains/dns-records.ts';
import {
  checkDkimRecord,
  OwnDkimSigner,
  signingSentence,
  signingStateOf,
} from '../domains/own-dkim/own-signer.ts';
import type { OwnKeyRow } from '../domains/own-dkim/store.ts';
import { createTxtLookups } from '../domains/verify.ts';
import type { Chore } from '../operations/housekeeper.ts';
import { syncTurns } from '../operations/secret-keys/rotate.ts';
import { createResolver } from '../protocols/dns/resolver.ts';
import { type Clock, steadyClock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import { MINUTE_MS } from '../runtime/durations.ts';
import type { KeyRing } from '../runtime/key-ring.ts';
import { loadKeyRing } from '../runtime/key-store.ts';
import { createLog, type Log } from '../runtime/log.ts';

interface OwnDkimDeps {
  readonly config: Config;
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly ring: KeyRing;
}

const EVERY_MS = 5 * MINUTE_MS;

export function createOwnSigner({
  config,
  db,
  ring,
}: Pick<OwnDkimDeps, 'config' | 'db' | 'ring'>): OwnDkimSigner | null {
  const domain = domainOf(config);
  return domain === null ? null : new OwnDkimSigner({ db, ring, domain, clock: steadyClock });
}

export function ownDkimChores(deps: OwnDkimDeps): readonly Chore[] {
  const domain = domainOf(deps.config);
  if (domain === null) return [];
  const run = async () => void (await checkOwnDkimRecord(deps, domain));
  return [{ name: 'own DKIM key', everyMs: EVERY_MS, run, inBackground: true }];
}

/** Prints the DNS record at the start until it is published. */
export async function ownDkimLines(deps: Pick<OwnDkimDeps, 'config' | 'db' | 'clock'>): Promise<string[]> {
  const domain = domainOf(deps.config);
  if (domain === null) return [];
  const ring = loadKeyRing(deps.config);
  await syncTurns(deps.db, ring);
  const log = createLog('start', 'silent'); // printed as text instead
  const key = await checkOwnDkimRecord({ ...deps, ring, log }, domain);
  if (signingStateOf(key) === 'signing') return [];
  const { type, name, value } = ownRecord(key);
  return [signingSentence(key), `  ${type} ${name} ${value}`];
}

export async function checkOwnDkimRecord(deps: OwnDkimDeps, domain: string): Promise<OwnKeyRow> {
  const { config, clock } = deps;
  const resolver = createResolver({ clock, servers: config.dnsServers });
  try {
    return await checkDkimRecord({ ...deps, domain, txtLookups: createTxtLookups(resolver, clock) });
  } finally {
    resolver.close();
  }
}

export function ownRecord({ domain, selector, public_key: publicKey }: OwnKeyRow) {
  return { type: 'TXT', name: dkimName({ domain, selector }), value: dkimValue(publicKey) };
}

function domainOf({ mode, dkimDomain }: Config): string | null {
  return mode === 'live' ? (dkimDomain ?? null) : null;
}
