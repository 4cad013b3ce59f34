/** The DKIM key of the installation's own domain: created once, its DNS record checked repeatedly. */
import { randomBytes } from 'node:crypto';
import type { Sql } from '../../database/sql.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { KeyRing } from '../../runtime/key-ring.ts';
import type { Log } from '../../runtime/log.ts';
import { generateRsa } from '../key-pairs.ts';
import { PrivateKeyBox } from '../private-key-box.ts';
import type { LookUpTxt } from '../spf.ts';
import { checkDkim } from '../verify.ts';
import { isSigning, publicationAfter } from './publication.ts';
import { findOwnKey, insertOwnKey, type OwnKeyRow, recordCheckResult } from './store.ts';

export interface OwnKeyDeps {
  readonly db: Sql;
  readonly ring: KeyRing;
  readonly clock: Clock;
  readonly log: Log;
  readonly domain: string;
  /** Creates lookups, once per check. */
  readonly txtLookups: () => LookUpTxt;
}

/** Creates the key if there is none; all processes on one database end up with the same one. */
export async function ensureOwnKey(deps: OwnKeyDeps): Promise<OwnKeyRow> {
  const { db, ring, clock, domain } = deps;
  const known = await findOwnKey(db, domain);
  if (known !== undefined) return known;
  const { publicKey, privateKey } = await generateRsa();
  const sealedPrivateKey = new PrivateKeyBox(ring).seal(domain, privateKey);
  privateKey.fill(0);
  const selector = `pr${randomBytes(6).toString('hex')}`;
  await insertOwnKey(db, { domain, selector, publicKey, sealedPrivateKey }, new Date(clock.nowMs()));
  return (await findOwnKey(db, domain)) as OwnKeyRow;
}

/** Queries DNS and stores whether mail is signed from now on. */
export async function checkDkimRecord(deps: OwnKeyDeps): Promise<OwnKeyRow> {
  const { db, clock, txtLookups } = deps;
  const before = await ensureOwnKey(deps);
  const { domain, selector, public_key: publicKey } = before;
  const check = await checkDkim(txtLookups(), { domain, selector, publicKey });
  const nowMs = clock.nowMs();
  const after = publicationAfter(before, check.status, nowMs);
  if (await recordCheckResult(db, before, after, check, new Date(nowMs)))
    logChange(deps, before, after, check.message);
  return (await findOwnKey(db, domain)) as OwnKeyRow;
}

/** Logs each change once. */
function logChange(
  { log, domain }: OwnKeyDeps,
  before: OwnKeyRow,
  after: Pick<OwnKeyRow, 'switches' | 'missing_since'>,
  problem: string,
): void {
  const facts = { event: 'own_dkim', domain };
  if (isSigning(after) && !isSigning(before)) {
    log.info(facts, 'mail is signed by our own domain, too');
  } else if (isSigning(before) && !isSigning(after)) {
    log.warn({ ...facts, problem }, 'mail is not signed by our own domain any more');
  } else if (after.missing_since !== null && before.missing_since === null) {
    log.warn({ ...facts, problem }, 'the DKIM record of our own domain is wrong');
  } else if (!isSigning(after) && before.last_check?.message !== problem) {
    log.warn({ ...facts, problem }, 'mail is not signed by our own domain yet');
  }
}
