import { describe, expect, it } from 'vitest';
import { dmarcSetUp, needsPermission } from './service.ts';

const ADDRESS = 'dmarc+token@mail.postrider.example';
const NAME = '_dmarc.example.com';

function checks(found: readonly string[], name = NAME) {
  const status = 'pass' as const;
  return [{ record: 'dmarc' as const, status, type: 'TXT' as const, name, expected: '', found, message: '' }];
}

describe('the record that asks for DMARC reports', () => {
  it('is ours where there is none', () => {
    const value = `v=DMARC1; p=none; rua=mailto:${ADDRESS}`;
    const missing = { policy: null, is_published: false, record: { type: 'TXT', name: NAME, value } };
    expect(dmarcSetUp(null, 'example.com', ADDRESS)).toEqual(missing);
    expect(dmarcSetUp(checks([]), 'example.com', ADDRESS)).toEqual(missing);
  });

  it.each([
    ['v=DMARC1; p=reject', `v=DMARC1; p=reject; rua=mailto:${ADDRESS}`],
    ['v=DMARC1; p=reject; ', `v=DMARC1; p=reject; rua=mailto:${ADDRESS}`],
    [
      'v=DMARC1; p=none; rua=mailto:a@b.example; pct=5',
      `v=DMARC1; p=none; rua=mailto:a@b.example,mailto:${ADDRESS}; pct=5`,
    ],
    [
      'v=DMARC1;p=none;rua=mailto:a@b.example!10m',
      `v=DMARC1;p=none;rua=mailto:a@b.example!10m,mailto:${ADDRESS}`,
    ],
    [
      'v=DMARC1; p=none; ruf=mailto:a@b.example',
      `v=DMARC1; p=none; ruf=mailto:a@b.example; rua=mailto:${ADDRESS}`,
    ],
  ])('keeps what is there: %s', (found, value) => {
    expect(dmarcSetUp(checks([found]), 'example.com', ADDRESS)).toMatchObject({
      is_published: false,
      record: { name: NAME, value },
    });
  });

  it('is published when it names our address, in any case and with any size limit', () => {
    const text = `v=DMARC1; p=quarantine; rua=mailto:a@b.example, mailto:${ADDRESS.toUpperCase()}!5m`;
    expect(dmarcSetUp(checks([text]), 'example.com', ADDRESS)).toEqual({
      policy: 'quarantine',
      is_published: true,
      record: { type: 'TXT', name: NAME, value: text },
    });
  });

  it('of the organizational domain applies to subdomains, with its subdomain policy', () => {
    const found = checks(['v=DMARC1; p=reject; sp=none']);
    expect(dmarcSetUp(found, 'mail.example.com', ADDRESS)).toMatchObject({
      policy: 'none',
      record: { name: NAME },
    });
  });

  it('needs a permission record when the host belongs to somebody else', () => {
    expect(needsPermission('example.com', 'mail.example.com')).toBe(false);
    expect(needsPermission('example.com', 'mail.postrider.dev')).toBe(true);
  });
});
