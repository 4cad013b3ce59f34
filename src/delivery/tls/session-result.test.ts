import { expect, it } from 'vitest';
import type { StsPolicy } from '../../protocols/dns/mta-sts-policy.ts';
import type { SmtpFacts, SmtpTarget } from '../../protocols/smtp/facts.ts';
import { resultOf, type SessionResult } from './session-result.ts';

const TARGET: SmtpTarget = {
  host: 'mx.example.org',
  address: '192.0.2.1',
  port: 25,
  tls: 'opportunistic',
  tlsPolicy: 'opportunistic',
  ehloName: 'us.test',
};
const SESSION = { host: TARGET.host, address: TARGET.address, port: 25, reused: false, transcript: [] };
const TESTING: StsPolicy = { mode: 'testing', mx: ['mx.example.org'], maxAgeMs: 1000 };
const REPLY = { code: 250, enhanced: null, text: 'ok' };

const certificate = (problem: string | null) => ({
  verified: problem === null,
  policy: 'opportunistic' as const,
  issuer: null,
  sha256: null,
  problem,
});
const taken = (more: Partial<SmtpFacts> = {}): SmtpFacts =>
  ({
    kind: 'accepted',
    reply: REPLY,
    ...SESSION,
    tls: 'TLSv1.3',
    certificate: certificate(null),
    ...more,
  }) as SmtpFacts;
const broken = (detail: string): SmtpFacts => ({
  kind: 'broken',
  phase: 'tls',
  failure: 'tls',
  detail,
  afterDot: false,
  ...SESSION,
  tls: null,
});

const look = (facts: SmtpFacts, tlsPolicy: SmtpTarget['tlsPolicy'], policy: StsPolicy | null = null) =>
  resultOf({ ...TARGET, ...(tlsPolicy === undefined ? {} : { tlsPolicy }) }, facts, policy);

it.each<[string, SmtpFacts, SmtpTarget['tlsPolicy'], SessionResult['policyType'], SessionResult['failure']]>([
  ['a session with TLS', taken(), 'opportunistic', 'no-policy-found', null],
  ['a session without', taken({ tls: null }), 'opportunistic', 'no-policy-found', 'starttls-not-supported'],
  [
    'a session that went on in clear',
    taken({ tls: null, tlsProblem: 'handshake failure' }),
    'opportunistic',
    'no-policy-found',
    'validation-failure',
  ],
  ['a provider that demands TLS', taken(), 'provider', 'no-policy-found', null],
  ['the certificate in DNS', taken(), 'dane', 'tlsa', null],
  [
    'another one than in DNS',
    broken('the certificate is not the one in DNS (DANE)'),
    'dane',
    'tlsa',
    'validation-failure',
  ],
  ['an expired one', broken('certificate has expired'), 'mta_sts', 'sts', 'certificate-expired'],
  [
    'one of another name',
    broken("Hostname/IP does not match certificate's altnames"),
    'mta_sts',
    'sts',
    'certificate-host-mismatch',
  ],
  ['one that nobody signed', broken('self-signed certificate'), 'mta_sts', 'sts', 'certificate-not-trusted'],
])('counts %s', (_, facts, tlsPolicy, policyType, failure) => {
  expect(look(facts, tlsPolicy)).toMatchObject({ policyType, failure });
});

it('counts a delivery that a policy in testing mode would have refused', () => {
  expect(look(taken(), 'opportunistic', TESTING)).toMatchObject({ policyType: 'sts', failure: null });
  const expired = taken({ certificate: certificate('expired') });
  expect(look(expired, 'opportunistic', TESTING)).toMatchObject({ failure: 'certificate-expired' });
  const elsewhere = { ...TESTING, mx: ['mx.elsewhere.test'] };
  expect(look(taken(), 'opportunistic', elsewhere)).toMatchObject({ failure: 'validation-failure' });
});

it.each<[string, SmtpFacts, SmtpTarget['tlsPolicy']]>([
  ['a further mail on an open connection', taken({ reused: true }), 'opportunistic'],
  ['a relay of ours', taken(), 'relay'],
  [
    'a connection that was never made',
    { ...broken('refused'), phase: 'connect', failure: 'refused' } as SmtpFacts,
    'dane',
  ],
])('does not count %s', (_, facts, tlsPolicy) => {
  expect(look(facts, tlsPolicy)).toBeNull();
});
