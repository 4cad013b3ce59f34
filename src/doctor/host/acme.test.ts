import { expect, it } from 'vitest';
import type { CertificateState } from '../../certificates/store.ts';
import { DAY_MS } from '../../runtime/durations.ts';
import { judgeAcme } from './acme.ts';
import { judgeProxy } from './public-url.ts';

const NOW_MS = Date.parse('2026-11-19T00:00:00Z');
const NAME = 'mail.example.org';

function certificate(more: Partial<CertificateState>): CertificateState {
  return {
    ...{ name: NAME, directory_url: 'https://acme.example/dir', wanted: true, failures: 0 },
    ...{ issued_at: new Date(NOW_MS - DAY_MS), expires_at: new Date(NOW_MS + 89 * DAY_MS) },
    ...{ due_at: new Date(NOW_MS + 60 * DAY_MS), last_error: null, failed_at: null },
    ...more,
  };
}

function judge(...certificates: CertificateState[]) {
  return judgeAcme({ names: [NAME], certificates, nowMs: NOW_MS }).map(
    ({ level, seen }) => `${level}: ${seen}`,
  );
}

it('is ok when every certificate is valid and the last attempt did not fail', () => {
  expect(judge(certificate({}))).toEqual(['ok: 1 certificate by ACME is valid.']);
});

it('warns of a certificate that could not be renewed, with the reason', () => {
  const [found] = judge(certificate({ last_error: 'no route', failures: 2 }));
  expect(found).toMatch(
    /^warn: The certificate of mail\.example\.org expires on 2027-02-16, and could not be renewed\..*no route/,
  );
});

it('reports an expired certificate as bad', () => {
  const expired = certificate({ expires_at: new Date(NOW_MS - DAY_MS), last_error: 'no route' });
  expect(judge(expired)[0]).toMatch(/^bad: The certificate of mail\.example\.org expired on 2026-11-18\./);
});

it('warns of a name without a certificate, and of one that was never tried', () => {
  const failed = certificate({ issued_at: null, expires_at: null, last_error: 'no route' });
  expect(judge(failed)[0]).toMatch(/^warn: mail\.example\.org has no certificate yet\./);
  expect(judge()[0]).toBe('warn: No certificate was ordered for mail.example.org yet.');
});

it('reports that no name is public, or that ACME is off', () => {
  expect(judgeAcme({ names: [], certificates: [], nowMs: NOW_MS })[0]?.level).toBe('warn');
  expect(judgeAcme(null)[0]?.level).toBe('ok');
});

it('expects no proxy when the API listens with TLS', () => {
  const settings = { host: '127.0.0.1', publicUrl: 'https://mail.example.org', trustProxy: false };
  expect(judgeProxy({ ...settings, hasTls: true })[0]?.level).toBe('ok');
  expect(judgeProxy(settings)[0]?.level).toBe('warn');
});
