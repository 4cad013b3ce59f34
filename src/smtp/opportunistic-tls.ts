/**
 * TLS that is taken where it works. A server that offers STARTTLS and then fails at the handshake gets the message in
 * clear, on a new connection and at once: in clear is how it would have got it without the offer. Only for targets
 * whose mode is `opportunistic`; where TLS is required nothing here applies.
 *
 * Owns a map of hosts whose TLS is broken, of at most MAX_HOSTS, the longest known dropped first. A host stays in it
 * for BROKEN_FOR_MS and is then tried with TLS again.
 */
import type { Clock } from '../runtime/clock.ts';
import type { Envelope, SmtpFacts, SmtpTarget } from './facts.ts';
import type { SmtpPool } from './pool.ts';

type Sender = Pick<SmtpPool, 'send' | 'warmest'>;

const BROKEN_FOR_MS = 3 * 24 * 3_600_000;
const MAX_HOSTS = 10_000;

export class OpportunisticTls implements Sender {
  readonly #pool: Sender;
  readonly #clock: Clock;
  /** Until when each host is spoken to in clear. */
  readonly #broken = new Map<string, number>();

  constructor(pool: Sender, clock: Clock) {
    this.#pool = pool;
    this.#clock = clock;
  }

  async send(target: SmtpTarget, envelope: Envelope, wire: Buffer): Promise<SmtpFacts> {
    const first = await this.#pool.send(this.#adapt(target), envelope, wire);
    if (target.tls !== 'opportunistic' || !isBrokenTls(first)) return first;
    this.#remember(target.host);
    const second = await this.#pool.send(inClear(target), envelope, wire);
    return { ...second, transcript: [...first.transcript, CLEAR_NOTE, ...second.transcript] };
  }

  warmest(targets: readonly SmtpTarget[]): SmtpTarget | undefined {
    const adapted = targets.map((target) => this.#adapt(target));
    const warm = this.#pool.warmest(adapted);
    return warm === undefined ? undefined : targets[adapted.indexOf(warm)];
  }

  #adapt(target: SmtpTarget): SmtpTarget {
    if (target.tls !== 'opportunistic' || this.#broken.size === 0) return target;
    const untilMs = this.#broken.get(target.host);
    if (untilMs === undefined) return target;
    if (untilMs > this.#clock.nowMs()) return inClear(target);
    this.#broken.delete(target.host);
    return target;
  }

  #remember(host: string): void {
    this.#broken.delete(host);
    this.#broken.set(host, this.#clock.nowMs() + BROKEN_FOR_MS);
    if (this.#broken.size <= MAX_HOSTS) return;
    const oldest = this.#broken.keys().next().value;
    if (oldest !== undefined) this.#broken.delete(oldest);
  }
}

const CLEAR_NOTE = '- the handshake failed; once more in clear, on a new connection';

/** Bytes injected behind the answer to STARTTLS are somebody's doing, and must not earn him the message in clear. */
function isBrokenTls(facts: SmtpFacts): boolean {
  if (facts.kind !== 'broken' || facts.phase !== 'tls') return false;
  return facts.trouble !== 'injection' && facts.trouble !== 'stopped';
}

function inClear(target: SmtpTarget): SmtpTarget {
  return { ...target, tls: 'never' };
}
