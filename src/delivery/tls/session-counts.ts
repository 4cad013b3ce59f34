/**
 * Counts the TLS results of sessions by day and domain, for reports. Once a minute the counts of domains that want reports are
 * written to the database. Counts since the last write are lost with the process.
 *
 * Owns the counts since the last write, at most MAX_COUNTS. Further combinations are not counted.
 */
import type { StsPolicies } from '../../protocols/dns/mta-sts.ts';
import type { StsPolicy } from '../../protocols/dns/mta-sts-policy.ts';
import { halvesOf } from '../../protocols/message/address.ts';
import type { Envelope, MayEnd, SmtpFacts, SmtpTarget } from '../../protocols/smtp/facts.ts';
import type { SmtpPool } from '../../protocols/smtp/pool.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type PolicyType, policyLines, resultOf, type SessionResult, tlsaLine } from './session-result.ts';

type Sending = Pick<SmtpPool, 'send' | 'warmest'>;

export interface TlsSessionCount {
  readonly day: string;
  readonly domain: string;
  readonly policyType: PolicyType;
  readonly policy: readonly string[];
  readonly mxHost: string;
  readonly mxAddress: string | null;
  /** Empty for a success. */
  readonly failure: string;
  readonly reason: string | null;
  sessions: number;
}

interface TlsSessionCountsOptions {
  readonly clock: Clock;
  readonly sts: Pick<StsPolicies, 'policyFor'>;
}

const MAX_COUNTS = 20_000;
/** More lines than real policies have. The database accepts no more. */
const MAX_POLICY_LINES = 20;
const MAX_LINE_CHARS = 1_000;

export class TlsSessionCounts {
  readonly #options: TlsSessionCountsOptions;
  #counts = new Map<string, TlsSessionCount>();

  constructor(options: TlsSessionCountsOptions) {
    this.#options = options;
  }

  /** Wraps `smtp` to count the results of its sessions. Sessions of mail with optional TLS, such as reports, are not counted. */
  counting(smtp: Sending): Sending {
    return {
      warmest: (targets) => smtp.warmest(targets),
      send: async (target: SmtpTarget, envelope: Envelope, wire: Buffer, mayEnd?: MayEnd) => {
        const facts = await smtp.send(target, envelope, wire, mayEnd);
        if (envelope.tls !== 'optional') this.#session(halvesOf(envelope.to).domain, target, facts);
        return facts;
      },
    };
  }

  /** Counts a failure before the connection, caused by DNS or by the policy. */
  unsecured(domain: string, { policyType, failure, reason }: SessionResult): void {
    this.#add(domain, { policyType, failure, reason }, '', null, () => this.#policyOf(domain, policyType));
  }

  /** Returns and clears the counts since the last call. */
  take(): TlsSessionCount[] {
    const taken = [...this.#counts.values()];
    this.#counts = new Map();
    return taken;
  }

  #session(domain: string, target: SmtpTarget, facts: SmtpFacts): void {
    const result = resultOf(target, facts, this.#stsPolicy(domain));
    if (result === null) return;
    const lines = () =>
      target.dane === undefined
        ? this.#policyOf(domain, result.policyType)
        : target.dane.records.map(tlsaLine);
    this.#add(domain, result, target.host, target.address, lines, target.dane?.key);
  }

  #add(
    domain: string,
    { policyType, failure, reason }: SessionResult,
    mxHost: string,
    mxAddress: string | null,
    lines: () => readonly string[],
    policyKey = '',
  ): void {
    const day = new Date(this.#options.clock.nowMs()).toISOString().slice(0, 10);
    const key = [day, domain, policyType, policyKey, mxHost, failure].join('\t');
    const known = this.#counts.get(key);
    if (known !== undefined) known.sessions += 1;
    else if (this.#counts.size < MAX_COUNTS) {
      const policy = lines()
        .slice(0, MAX_POLICY_LINES)
        .map((line) => line.slice(0, MAX_LINE_CHARS));
      const about = { day, domain, policyType, policy, mxHost, mxAddress, failure: failure ?? '', reason };
      this.#counts.set(key, { ...about, sessions: 1 });
    }
  }

  #policyOf(domain: string, type: PolicyType): readonly string[] {
    const policy = type === 'sts' ? this.#stsPolicy(domain) : null;
    return policy === null ? [] : policyLines(policy);
  }

  /** Normally cached, because the router has just looked the policy up; null otherwise. */
  #stsPolicy(domain: string): StsPolicy | null {
    const known = this.#options.sts.policyFor(domain);
    return known instanceof Promise ? null : known;
  }
}
