/**
 * Orders and renews certificates. Every API process runs a keeper; a lease in the database ensures that only
 * one works on a name at a time. No transaction is open during requests to the authority.
 *
 * States: idle (waits for the next round), working (one name after the other), stopping (aborts the attempt
 * and releases its lease; the next process continues its order).
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../database/sql.ts';
import type { Clock } from '../runtime/clock.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../runtime/durations.ts';
import type { KeyRing } from '../runtime/key-ring.ts';
import type { Service } from '../runtime/lifecycle.ts';
import type { Log } from '../runtime/log.ts';
import { accountKey } from './account-store.ts';
import { AcmeClient } from './acme-client.ts';
import { AcmeError, asOneLine, UnusableCertificate } from './acme-error.ts';
import { type AcmeTransport, keyAuthorization } from './acme-transport.ts';
import { closeChallenges, openChallenge } from './challenge-store.ts';
import { type ChallengeType, type Issued, issue, type StartedOrder } from './issue.ts';
import { acmeAccountBox, certificateKeyBox } from './key-encryption.ts';
import {
  claimDueCertificate,
  type DueCertificate,
  forgetUnwanted,
  releaseCertificate,
  saveFailedAttempt,
  saveIssuedCertificate,
  saveStartedOrder,
  wantCertificates,
} from './store.ts';

interface KeeperOptions {
  readonly db: Sql;
  readonly ring: KeyRing;
  readonly clock: Clock;
  readonly log: Log;
  readonly transport: AcmeTransport;
  readonly directoryUrl: string;
  readonly email: string | undefined;
  readonly challengeType: ChallengeType;
  readonly wanted: () => Promise<readonly string[]>;
  /** Names from the settings. Tracking hosts of tenants are ordered after them. */
  readonly configured: readonly string[];
  /** Called when a certificate was stored. */
  readonly onIssued: () => void;
  readonly onAttempt: (result: 'issued' | 'failed') => void;
  /** Time until every process has loaded a new TLS-ALPN-01 challenge. */
  readonly challengeSeenMs: number;
  readonly roundMs?: number;
}

const ROUND_MS = 30 * SECOND_MS;
/** Shorter than the lease. */
const ATTEMPT_MS = 5 * MINUTE_MS;
/** How long this process orders nothing after a `rateLimited` response for a configured name. */
const RATE_LIMITED_MS = 5 * MINUTE_MS;

export class CertificateKeeper implements Service {
  readonly name = 'certificates';
  readonly #options: KeeperOptions;
  readonly #holder = randomUUID();
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const pauseMs = await this.#round().catch((error: unknown) => {
        this.#options.log.warn({ err: error }, 'certificates could not be checked; retrying');
        return this.#roundMs;
      });
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  get #roundMs(): number {
    return this.#options.roundMs ?? ROUND_MS;
  }

  /** Returns the delay before the next round. */
  async #round(): Promise<number> {
    const { db, directoryUrl, wanted, configured } = this.#options;
    const names = await wanted();
    await wantCertificates(db, directoryUrl, names);
    await forgetUnwanted(db);
    while (!this.#stop.signal.aborted) {
      const due = await claimDueCertificate(db, { directoryUrl, names, configured, holder: this.#holder });
      if (due === undefined) break;
      const outcome = await this.#attempt(due);
      // A tracking host that is limited waits alone: a tenant must not delay the names of the installation.
      if (outcome === 'rateLimited' && configured.includes(due.name)) return RATE_LIMITED_MS;
    }
    return this.#roundMs;
  }

  async #attempt(due: DueCertificate): Promise<'done' | 'rateLimited'> {
    const tokens: string[] = [];
    try {
      await this.#save(due, await this.#issue(due, tokens));
      return 'done';
    } catch (error) {
      if (this.#stop.signal.aborted) await releaseCertificate(this.#options.db, due.id, this.#holder);
      else await this.#fail(due, error);
      return error instanceof AcmeError && error.type === 'rateLimited' ? 'rateLimited' : 'done';
    } finally {
      await closeChallenges(this.#options.db, tokens);
    }
  }

  async #issue(due: DueCertificate, tokens: string[]): Promise<Issued> {
    const { db, ring, directoryUrl, email, transport, clock, log, challengeType } = this.#options;
    const key = await accountKey(db, acmeAccountBox(ring), directoryUrl, (error) =>
      log.warn({ err: error }, 'the ACME account key cannot be decrypted; creating a new account'),
    );
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(ATTEMPT_MS)]);
    const nowMs = () => clock.nowMs();
    const client = new AcmeClient({ transport, directoryUrl, accountKey: key, email, signal, nowMs });
    const box = certificateKeyBox(ring);
    return issue({
      client,
      name: due.name,
      challengeType,
      begun: this.#begunOrder(due),
      saveOrder: async ({ url, keyPem }) => {
        const sealedKey = box.seal(due.id, Buffer.from(keyPem));
        if (!(await saveStartedOrder(db, due.id, this.#holder, { url, sealedKey })))
          throw new AcmeError('Another process has taken over.');
      },
      publish: async (token) => {
        tokens.push(token);
        await openChallenge(db, { token, name: due.name, key_authorization: keyAuthorization(key, token) });
        if (challengeType === 'tls-alpn-01')
          await sleep(this.#options.challengeSeenMs, undefined, { signal });
      },
    });
  }

  /** Null also where the key of the order does not open: a new order replaces it. */
  #begunOrder({ id, name, order_url, sealed_order_key }: DueCertificate): StartedOrder | null {
    if (order_url === null || sealed_order_key === null) return null;
    const { ring, log } = this.#options;
    try {
      return { url: order_url, keyPem: certificateKeyBox(ring).open(id, sealed_order_key).toString() };
    } catch (error) {
      log.warn({ err: error, name }, 'the key of an ACME order cannot be decrypted; creating a new order');
      return null;
    }
  }

  async #save({ id, name }: DueCertificate, issued: Issued): Promise<void> {
    const { db, ring, clock, log, onIssued, onAttempt } = this.#options;
    const expiresAt = new Date(issued.validToMs);
    const isSaved = await saveIssuedCertificate(db, id, this.#holder, {
      chain: issued.chain,
      sealedKey: certificateKeyBox(ring).seal(id, Buffer.from(issued.keyPem)),
      expiresAt,
      renewInMs: renewInMs(issued, clock.nowMs(), Math.random()),
    });
    if (!isSaved) return;
    log.info({ name, expiresAt }, 'a certificate was issued');
    onAttempt('issued');
    onIssued();
  }

  async #fail({ id, name, failures }: DueCertificate, error: unknown): Promise<void> {
    const { db, log, onAttempt } = this.#options;
    const asked = error instanceof AcmeError ? error.retryAfterMs : undefined;
    const inMs = retryInMs(failures + 1, asked, Math.random());
    const message = asOneLine(problemWords(error));
    log.warn(
      { name, failures: failures + 1, retryMs: Math.round(inMs), problem: message },
      'no certificate was issued',
    );
    const dropsOrder = error instanceof UnusableCertificate;
    await saveFailedAttempt(db, id, this.#holder, { message, retryInMs: inMs, dropsOrder });
    onAttempt('failed');
  }
}

function problemWords(error: unknown): string {
  if (error instanceof Error && error.name === 'AbortError') return 'The attempt took more than 5 minutes.';
  return error instanceof Error ? error.message : String(error);
}

interface Validity {
  readonly validFromMs: number;
  readonly validToMs: number;
}

const FIRST_RETRY_MS = 10 * MINUTE_MS;
const LONGEST_RETRY_MS = DAY_MS;
/** Some authorities have weekly rate limits. */
const LONGEST_ASKED_MS = 7 * DAY_MS;
/** Share of the lifetime over which renewals of certificates issued together are spread. */
const JITTER = 1 / 30;

/**
 * Milliseconds until a third of the lifetime is left. With a wrong clock that time may be in the past; the
 * result is then a third of the lifetime, so that the clock cannot cause repeated orders.
 */
export function renewInMs({ validFromMs, validToMs }: Validity, nowMs: number, random: number): number {
  const lifetimeMs = validToMs - validFromMs;
  const leftMs = validToMs - lifetimeMs / 3 - random * JITTER * lifetimeMs - nowMs;
  return leftMs > lifetimeMs * JITTER ? leftMs : Math.max(lifetimeMs / 3, FIRST_RETRY_MS);
}

/** Doubles after each consecutive failure, and respects the authority's Retry-After. */
export function retryInMs(failures: number, askedMs: number | undefined, random: number): number {
  const growing = Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 10), LONGEST_RETRY_MS);
  const jittered = growing * (0.75 + random / 2);
  return Math.max(jittered, Math.min(askedMs ?? 0, LONGEST_ASKED_MS));
}
