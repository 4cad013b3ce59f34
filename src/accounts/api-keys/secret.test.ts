import { describe, expect, it } from 'vitest';
import { generateSecret, visiblePrefix } from './secret.ts';

describe('an API key', () => {
  it('is pr_ and 256 fresh random bits', () => {
    const secrets = Array.from({ length: 100 }, generateSecret);
    for (const secret of secrets) expect(secret).toMatch(/^pr_[A-Za-z0-9_-]{43}$/);
    expect(new Set(secrets).size).toBe(100);
  });

  it('shows ten characters, and fewer of a short key', () => {
    expect(visiblePrefix(`pr_${'a'.repeat(43)}`)).toBe('pr_aaaaaaa');
    expect(visiblePrefix('abcdefghijklmnopqrst')).toBe('abcde');
  });
});
