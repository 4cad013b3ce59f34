import { describe, expect, it } from 'vitest';
import { type KeyRequest, parseKeyRequest } from './validate-key.ts';

const NOW = Date.parse('2026-05-01T12:00:00Z');
const asked = (more: Partial<KeyRequest>): KeyRequest => ({ name: 'CI', scope: 'send', ...more });

function problemsOf(more: Partial<KeyRequest>): string[] {
  const parsed = parseKeyRequest(asked(more), NOW);
  return parsed.ok ? [] : parsed.problems.map((one) => one.field);
}

describe('the request for a key', () => {
  it('needs neither domain nor expiry', () => {
    const parsed = parseKeyRequest(asked({}), NOW);
    expect(parsed).toEqual({
      ok: true,
      key: { name: 'CI', scope: 'send', domain: null, expiresAt: null, policy: null },
    });
  });

  it('stores the domain in its canonical form', () => {
    const parsed = parseKeyRequest(asked({ domain: 'Müller.Example' }), NOW);
    expect(parsed).toMatchObject({ ok: true, key: { domain: 'xn--mller-kva.example' } });
  });

  it('keeps a key alive to the end of a bare date', () => {
    const parsed = parseKeyRequest(asked({ expires_at: '2026-05-01' }), NOW);
    expect(parsed).toMatchObject({ ok: true, key: { expiresAt: new Date('2026-05-01T23:59:59.999Z') } });
  });

  it('refuses an expiry in the past or at the current moment', () => {
    expect(problemsOf({ expires_at: '2026-04-30' })).toEqual(['expires_at']);
    expect(problemsOf({ expires_at: '2026-05-01T12:00:00Z' })).toEqual(['expires_at']);
    expect(problemsOf({ expires_at: '2026-05-01T12:00:00.001Z' })).toEqual([]);
  });

  it('refuses names that are blank, too long or contain unprintable characters', () => {
    expect(problemsOf({ name: ' \t ' })).toEqual(['name']);
    expect(problemsOf({ name: 'é'.repeat(201) })).toEqual(['name']);
    expect(problemsOf({ name: '📮'.repeat(200) })).toEqual([]);
    expect(problemsOf({ name: 'a\u0000b' })).toEqual(['name']);
    expect(problemsOf({ name: 'a\ud800' })).toEqual(['name']);
  });

  it('reports every problem together', () => {
    expect(problemsOf({ name: '', domain: 'localhost', expires_at: 'soon' })).toEqual([
      'name',
      'domain',
      'expires_at',
    ]);
  });
});
