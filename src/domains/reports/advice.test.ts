import { describe, expect, it } from 'vitest';
import { adviseOnDmarc, adviseOnTls, type DmarcFacts } from './advice.ts';

const OURS = { ip: '192.0.2.25', is_this_installation: true };
const FACTS: DmarcFacts = {
  policy: 'none',
  messages: 41_200,
  aligned: 41_192,
  firstDay: '2026-10-18',
  today: '2026-11-16',
  sources: [
    { ...OURS, messages: 41_192, aligned: 41_192 },
    { ip: '203.0.113.9', is_this_installation: false, messages: 8, aligned: 0 },
  ],
};

function failing(share: number, policy: DmarcFacts['policy'] = 'none'): DmarcFacts {
  const failed = Math.round(10_000 * share);
  return {
    ...FACTS,
    ...{ policy, messages: 10_000, aligned: 10_000 - failed },
    sources: [
      { ...OURS, messages: 10_000 - failed, aligned: 10_000 - failed },
      { ip: '203.0.113.9', is_this_installation: false, messages: failed, aligned: 0 },
    ],
  };
}

describe('advice on DMARC', () => {
  it('says when there are no reports', () => {
    expect(adviseOnDmarc({ ...FACTS, messages: 0, aligned: 0, firstDay: null, sources: [] })).toMatch(
      /^No reports yet/,
    );
  });

  it('recommends to wait for a week, and says until when', () => {
    expect(adviseOnDmarc({ ...FACTS, messages: 120, aligned: 120, firstDay: '2026-11-14' })).toBe(
      'Too few reports yet: 120 messages in 3 days; wait until 2026-11-20, so that weekly mail is among them.',
    );
    expect(adviseOnDmarc({ ...FACTS, firstDay: '2026-11-11' })).toMatch(/^Too few reports yet/);
    expect(adviseOnDmarc({ ...FACTS, firstDay: '2026-11-10' })).not.toMatch(/^Too few/);
  });

  it('recommends to wait for a hundred messages', () => {
    expect(adviseOnDmarc({ ...FACTS, messages: 99, aligned: 99 })).toBe(
      'Too few reports yet: 99 messages in 30 days; wait until there are 100.',
    );
    expect(adviseOnDmarc({ ...FACTS, messages: 100, aligned: 100 })).not.toMatch(/^Too few/);
    expect(adviseOnDmarc({ ...FACTS, messages: 1, aligned: 1 })).toContain('1 message in');
  });

  it('goes from none to quarantine to reject, one step at a time', () => {
    expect(adviseOnDmarc({ ...FACTS, policy: 'none' })).toBe(
      'p=quarantine is safe: 99.98% of 41,200 messages aligned.',
    );
    expect(adviseOnDmarc({ ...FACTS, policy: 'quarantine' })).toBe(
      'p=reject is safe: 99.98% of 41,200 messages aligned.',
    );
    expect(adviseOnDmarc({ ...FACTS, policy: 'reject' })).toBe(
      'Nothing to do: p=reject, and 99.98% of 41,200 messages aligned.',
    );
    expect(adviseOnDmarc({ ...FACTS, policy: null })).toMatch(/^Publish a DMARC record/);
  });

  it('calls a step safe from the threshold on', () => {
    expect(adviseOnDmarc(failing(0.02))).toMatch(/^p=quarantine is safe/);
    expect(adviseOnDmarc(failing(0.0201))).not.toMatch(/is safe/);
    expect(adviseOnDmarc(failing(0.01, 'quarantine'))).toMatch(/^p=reject is safe/);
    expect(adviseOnDmarc(failing(0.0101, 'quarantine'))).not.toMatch(/is safe/);
  });

  it('names the address that sends most of the failing mail', () => {
    expect(adviseOnDmarc(failing(0.18))).toBe(
      '18% from 203.0.113.9 fails both DKIM and SPF: if it is yours, sign there first; if not, a stricter policy stops it.',
    );
    expect(adviseOnDmarc(failing(0.18, 'reject'))).toContain('it is refused, as you asked');
  });

  it('mentions our own mail first, when more than a fiftieth of it fails', () => {
    const own = (failed: number) => ({
      ...failing(0.5),
      sources: [{ ...OURS, messages: 1_000, aligned: 1_000 - failed }],
    });
    expect(adviseOnDmarc(own(21))).toMatch(/^2% of what this installation sent fails/);
    expect(adviseOnDmarc(own(20))).not.toContain('this installation');
  });

  it('never rounds up to 100%', () => {
    expect(adviseOnDmarc({ ...FACTS, messages: 10_000_000, aligned: 9_999_999 })).toContain('99.99%');
    expect(adviseOnDmarc({ ...FACTS, messages: 1_000, aligned: 1_000 })).toContain('100%');
  });
});

describe('advice on TLS', () => {
  it('says when there are no reports, and when there are no failures', () => {
    expect(adviseOnTls({ sessions: 0, failed: 0, failures: [] })).toMatch(/^No reports yet/);
    expect(adviseOnTls({ sessions: 5_000, failed: 0, failures: [] })).toBe(
      'Nothing to do: all of 5,000 sessions were encrypted as they should be.',
    );
  });

  it('names the most frequent failure, its place and the remedy', () => {
    const failures = [{ failure: 'certificate-expired', mx_host: 'mx1.example.com', sessions: 100 }];
    expect(adviseOnTls({ sessions: 1_000, failed: 100, failures })).toBe(
      '10% of 1,000 sessions failed, most often at mx1.example.com because its certificate has expired: renew it.',
    );
  });

  it('repeats an unknown failure code', () => {
    const failures = [{ failure: 'odd-thing', mx_host: null, sessions: 1 }];
    expect(adviseOnTls({ sessions: 10, failed: 1, failures })).toBe(
      '10% of 10 sessions failed, most often because of "odd-thing".',
    );
  });
});
