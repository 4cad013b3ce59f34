/** The TLS result of a session, in the terms of TLS reports (RFC 8460 section 4.3). Pure. */
import { allowsHost, type StsPolicy } from '../../protocols/dns/mta-sts-policy.ts';
import type { TlsaRecord } from '../../protocols/dns/tlsa.ts';
import type { SmtpFacts, SmtpTarget } from '../../protocols/smtp/facts.ts';

export type PolicyType = 'tlsa' | 'sts' | 'no-policy-found';

type SessionFailure =
  | 'starttls-not-supported'
  | 'certificate-host-mismatch'
  | 'certificate-expired'
  | 'certificate-not-trusted'
  | 'validation-failure'
  | 'dnssec-invalid';

export interface SessionResult {
  readonly policyType: PolicyType;
  /** Null for a success. */
  readonly failure: SessionFailure | null;
  /** The failure as text. */
  readonly reason: string | null;
}

const MAX_REASON = 200;

/** Null where the session does not count: it did not reach TLS, reused a connection, or was with our relay. */
export function resultOf(
  target: SmtpTarget,
  facts: SmtpFacts,
  policy: StsPolicy | null,
): SessionResult | null {
  const policyType = policyTypeOf(target, policy);
  if (policyType === null || facts.reused) return null;
  if (lacksStartTls(facts)) return { policyType, failure: 'starttls-not-supported', reason: NOT_OFFERED };
  const problem = tlsProblem(facts) ?? (policyType === 'sts' ? stsProblem(target, facts, policy) : null);
  if (problem !== null)
    return { policyType, failure: failureOf(problem), reason: problem.slice(0, MAX_REASON) };
  return facts.tls === null ? null : { policyType, failure: null, reason: null };
}

function policyTypeOf({ tlsPolicy }: SmtpTarget, policy: StsPolicy | null): PolicyType | null {
  if (tlsPolicy === 'dane') return 'tlsa';
  if (tlsPolicy === 'mta_sts') return 'sts';
  if (tlsPolicy !== 'opportunistic' && tlsPolicy !== 'provider') return null;
  return policy?.mode === 'testing' ? 'sts' : 'no-policy-found';
}

const NOT_OFFERED = 'STARTTLS is not offered';

function lacksStartTls(facts: SmtpFacts): boolean {
  if (facts.tlsProblem !== undefined || facts.tls !== null) return false;
  if (facts.kind === 'local') return facts.problem === 'starttls_not_offered';
  if (facts.kind === 'accepted') return true;
  const isBeforeTls = facts.kind === 'refused' && ['banner', 'ehlo', 'starttls'].includes(facts.phase);
  return facts.kind === 'refused' && !isBeforeTls;
}

function tlsProblem(facts: SmtpFacts): string | null {
  if (facts.tlsProblem !== undefined) return facts.tlsProblem;
  if (facts.kind === 'broken' && facts.phase === 'tls' && facts.failure !== 'stopped') return facts.detail;
  return facts.kind === 'refused' && facts.phase === 'starttls'
    ? `${facts.reply.code} ${facts.reply.text}`
    : null;
}

/** The reason why a policy in testing mode would have refused the session. */
function stsProblem({ host }: SmtpTarget, facts: SmtpFacts, policy: StsPolicy | null): string | null {
  if (policy?.mode !== 'testing' || facts.tls === null) return null;
  if (!allowsHost(policy, host)) return `the policy does not name ${host}`;
  return facts.certificate?.problem ?? null;
}

/** OpenSSL's failures reach the facts as text alone. Most specific first. */
const FAILURES: readonly (readonly [words: RegExp, failure: SessionFailure])[] = [
  [/expired|not valid yet|not yet valid/i, 'certificate-expired'],
  [/altnames|made out to/i, 'certificate-host-mismatch'],
  [/self.signed|issuer|authority|unable to verify/i, 'certificate-not-trusted'],
];

function failureOf(problem: string): SessionFailure {
  return FAILURES.find(([words]) => words.test(problem))?.[1] ?? 'validation-failure';
}

/** The lines of the policy, as in the domain's policy file. */
export function policyLines({ mode, mx, maxAgeMs }: StsPolicy): string[] {
  const hosts = mx.map((one) => `mx: ${one}`);
  return ['version: STSv1', `mode: ${mode}`, ...hosts, `max_age: ${maxAgeMs / 1000}`];
}

export function tlsaLine({ usage, selector, matching, data }: TlsaRecord): string {
  return `${usage} ${selector} ${matching} ${data.toString('hex')}`;
}
