/**
 * TLS that is taken where it works. A server that offers STARTTLS and then fails at the handshake gets the message in
 * clear, on a new connection and at once: in clear is how it would have got it without the offer. Only for targets
 * whose mode is `opportunistic`; where TLS is required nothing here applies.
 *
 * A handshake fails for many reasons that pass: a restart, a lost packet, somebody in between for a moment. So every
 * message tries TLS anew, until a machine has failed FAILURES times within MEMORY_MS and not worked once: for the next
 * MEMORY_MS it is spoken to in clear without asking, which saves the failing handshakes, and is then tried again.
 *
 * Owns a map of machines (a host's name with one of its addresses) that failed lately, of at most MAX_MACHINES, the
 * longest known dropped first.
 */
import type { Clock } from '../../runtime/clock.ts';
import { MINUTE_MS } from '../../runtime/durations.ts';
import { TtlCache } from '../../runtime/ttl-cache.ts';
import type { Envelope, MayEnd, SmtpBroken, SmtpFacts, SmtpTarget } from './facts.ts';
import type { SmtpPool } from './pool.ts';

type Sender = Pick<SmtpPool, 'send' | 'warmest'>;

const FAILURES = 3;
const MEMORY_MS = 10 * MINUTE_MS;
const MAX_MACHINES = 10_000;

export class OpportunisticTls implements Sender {
  readonly #pool: Sender;
  /** By machine. When the last failure expires, TLS is tried again. */
  readonly #failures: TtlCache<number>;

  constructor(pool: Sender, clock: Clock) {
    this.#pool = pool;
    this.#failures = new TtlCache({ keepMs: MEMORY_MS, max: MAX_MACHINES, clock });
  }

  async send(given: SmtpTarget, envelope: Envelope, wire: Buffer, mayEnd?: MayEnd): Promise<SmtpFacts> {
    const target = envelope.tls === 'optional' ? undemanding(given) : given;
    const first = await this.#pool.send(this.#adapt(target), envelope, wire, mayEnd);
    if (target.tls !== 'opportunistic') return first;
    if (first.tls !== null) this.#failures.delete(machineOf(target));
    if (!isBrokenTls(first)) return first;
    this.#failures.set(machineOf(target), this.#failuresOf(target) + 1);
    const second = await this.#pool.send(inClear(target), envelope, wire, mayEnd);
    const transcript = [...first.transcript, CLEAR_NOTE, ...second.transcript];
    return { ...second, transcript, tlsProblem: first.detail };
  }

  warmest(targets: readonly SmtpTarget[]): SmtpTarget | undefined {
    const adapted = targets.map((target) => this.#adapt(target));
    const warm = this.#pool.warmest(adapted);
    return warm === undefined ? undefined : targets[adapted.indexOf(warm)];
  }

  #adapt(target: SmtpTarget): SmtpTarget {
    if (target.tls !== 'opportunistic' || this.#failures.size === 0) return target;
    return this.#failuresOf(target) >= FAILURES ? inClear(target) : target;
  }

  #failuresOf(target: SmtpTarget): number {
    return this.#failures.get(machineOf(target)) ?? 0;
  }
}

function machineOf({ host, address, port }: SmtpTarget): string {
  return `${host} ${address} ${port}`;
}

const CLEAR_NOTE = '- the handshake failed; once more in clear, on a new connection';

/**
 * Treats the target as if the recipient's domain had no policy. For a relay, the operator may decide that.
 */
function undemanding({ dane: _, ...target }: SmtpTarget): SmtpTarget {
  if (target.tlsPolicy === 'relay' || target.tls === 'never') return target;
  return { ...target, tls: 'opportunistic', tlsPolicy: 'opportunistic', verifyCertificate: false };
}

/**
 * Bytes injected after the reply to STARTTLS are an attack, which must not lead to sending the message
 * without TLS.
 */
function isBrokenTls(facts: SmtpFacts): facts is SmtpFacts & SmtpBroken {
  if (facts.kind !== 'broken' || facts.phase !== 'tls') return false;
  return facts.failure !== 'injection' && facts.failure !== 'stopped';
}

function inClear(target: SmtpTarget): SmtpTarget {
  return { ...target, tls: 'never' };
}
