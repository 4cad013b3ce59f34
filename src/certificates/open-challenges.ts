/**
 * Open TLS-ALPN-01 challenges, for handshakes. The certificate is chosen synchronously during a handshake, so
 * challenges are loaded at the beginning of a handshake that may be a validation, at most once per interval, regardless
 * of the requested names.
 */
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Sql } from '../database/sql.ts';
import type { Clock } from '../runtime/clock.ts';
import { SECOND_MS } from '../runtime/durations.ts';
import { SharedRun } from '../runtime/single-flight.ts';
import { openChallenges } from './challenge-store.ts';
import { challengeCertificate } from './self-signed.ts';

const KEEP_MS = SECOND_MS;
/** After this time, every process knows a new challenge. */
export const CHALLENGE_SEEN_MS = 2 * KEEP_MS;

export class OpenChallenges {
  readonly #db: Pick<Sql, 'many'>;
  readonly #clock: Clock;
  #readMs = Number.NEGATIVE_INFINITY;
  readonly #reading = new SharedRun(() => this.#read());
  #contexts = new Map<string, { readonly authorization: string; readonly context: SecureContext }>();

  constructor(db: Pick<Sql, 'many'>, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /**
   * Await this at the beginning of a handshake. While the database is unavailable, the loaded challenges stay
   * in use.
   */
  async refresh(): Promise<void> {
    if (!this.#reading.isRunning && performance.now() - this.#readMs < KEEP_MS) return;
    await this.#reading.run();
  }

  /** Node gives `false` for a client that sent no server name. */
  find(name: string | false | undefined): SecureContext | undefined {
    if (typeof name !== 'string') return undefined;
    return this.#contexts.get(name.toLowerCase())?.context;
  }

  async #read(): Promise<void> {
    this.#readMs = performance.now();
    const open = await openChallenges(this.#db).catch(() => null);
    if (open === null) return;
    this.#contexts = new Map(
      open.map(({ name, key_authorization: authorization }) => {
        const known = this.#contexts.get(name);
        const isKnown = known !== undefined && known.authorization === authorization;
        return [name, isKnown ? known : { authorization, context: this.#contextOf(name, authorization) }];
      }),
    );
  }

  #contextOf(name: string, authorization: string): SecureContext {
    return createSecureContext({ ...challengeCertificate(name, authorization, this.#clock.nowMs()) });
  }
}
