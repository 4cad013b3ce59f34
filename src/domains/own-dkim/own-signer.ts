/**
 * Signs mail for the installation's own domain.
 *
 * Owns the decrypted key and the cached switching times. They are read again after KEEP_MS, which is sooner than a
 * change takes effect. Failures are not cached.
 */
import { type KeyObject, randomBytes } from 'node:crypto';
import type { Sql } from '../../database/sql.ts';
import { firstOrganization } from '../../organizations/store.ts';
import type { DkimSigner } from '../../protocols/message/dkim.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { KeyRing } from '../../runtime/key-ring.ts';
import type { Log } from '../../runtime/log.ts';
import { generateRsa } from '../key-pairs.ts';
import { PrivateKeyBox } from '../signing-keys.ts';
import type { LookUpTxt } from '../spf.ts';
import { checkDkim } from '../verify.ts';
import { ENDS_AFTER_MS, isSigning, publicationAfter, signedAt } from './publication.ts';
import { findOwnKey, insertOwnKey, type OwnKeyRow, recordCheckResult } from './store.ts';

interface Known {
  readonly signer: DkimSigner;
  readonly switches: readonly Date[];
}

const KEEP_MS = 30_000;

export class OwnDkimSigner {
  readonly #db: Sql;
  readonly #box: PrivateKeyBox;
  readonly #clock: Clock;
  readonly #domain: string;
  #opened: { readonly selector: string; readonly key: KeyObject } | null = null;
  #known: Promise<Known | null> | null = null;
  #untilMs = 0;

  constructor(deps: {
    readonly db: Sql;
    readonly ring: KeyRing;
    readonly clock: Clock;
    readonly domain: string;
  }) {
    this.#db = deps.db;
    this.#box = new PrivateKeyBox(deps.ring);
    this.#clock = deps.clock;
    this.#domain = deps.domain;
  }

  /** Null when mail with that first attempt is not signed. A key that cannot be decrypted is an error. */
  async find(firstAttemptAtMs: number): Promise<DkimSigner | null> {
    const known = await this.#current();
    return known !== null && signedAt(known.switches, firstAttemptAtMs) ? known.signer : null;
  }

  #current(): Promise<Known | null> {
    const nowMs = this.#clock.nowMs();
    if (this.#known !== null && nowMs < this.#untilMs) return this.#known;
    const reading = this.#read();
    this.#known = reading;
    this.#untilMs = nowMs + KEEP_MS;
    reading.catch(() => {
      if (this.#known === reading) this.#known = null;
    });
    return reading;
  }

  async #read(): Promise<Known | null> {
    const row = await findOwnKey(this.#db, this.#domain);
    // Avoids decrypting the key before it is needed.
    if (row === undefined || row.switches.length === 0) return null;
    const { selector, switches } = row;
    if (this.#opened?.selector !== selector)
      this.#opened = { selector, key: this.#box.open(this.#domain, row.private_key) };
    return { signer: { domain: this.#domain, selector, key: this.#opened.key }, switches };
  }
}

/** The DKIM key of the installation's own domain: created once, its DNS record checked repeatedly. */
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
    log.info(facts, 'mail also gets a signature of POSTRIDER_DKIM_DOMAIN');
  } else if (isSigning(before) && !isSigning(after)) {
    log.warn({ ...facts, problem }, 'mail no longer gets a signature of POSTRIDER_DKIM_DOMAIN');
  } else if (after.missing_since !== null && before.missing_since === null) {
    log.warn({ ...facts, problem }, 'the DKIM record of POSTRIDER_DKIM_DOMAIN is wrong');
  } else if (!isSigning(after) && before.last_check?.message !== problem) {
    log.warn({ ...facts, problem }, 'mail does not get a signature of POSTRIDER_DKIM_DOMAIN yet');
  }
}

export type OwnKeyState = Pick<OwnKeyRow, 'domain' | 'switches' | 'missing_since' | 'last_check'>;

/** `ending`: still signing, although the record is gone. */
export function signingStateOf(key: OwnKeyState): 'waiting' | 'signing' | 'ending' {
  if (!isSigning(key)) return 'waiting';
  return key.missing_since === null ? 'signing' : 'ending';
}

/** Describes to operators whether mail is signed by the installation's own domain. */
export function signingSentence(key: OwnKeyState): string {
  const { domain, switches, missing_since: missingSince } = key;
  if (!isSigning(key)) return `Mail will also be signed by ${domain}, once DNS has its DKIM record.`;
  if (missingSince === null) {
    const from = switches.at(-1)?.toISOString();
    return `Mail is also signed by ${domain}: all mail that is first tried from ${from} on.`;
  }
  const until = new Date(missingSince.getTime() + ENDS_AFTER_MS).toISOString();
  return `Mail is also signed by ${domain}, until ${until} unless DNS has the right DKIM record again by then.`;
}

/** Only for the organization that operates the installation, because nobody else can publish the record. */
export async function findOwnKeyFor(
  db: Sql,
  domain: string,
  organizationId: string,
): Promise<OwnKeyRow | null> {
  const first = await firstOrganization(db);
  return first?.id === organizationId ? ((await findOwnKey(db, domain)) ?? null) : null;
}
