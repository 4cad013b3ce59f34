import { describe, expect, it } from 'vitest';
import { Passwords } from './password.ts';

const cheap = { ln: 4, r: 8, p: 1 };

describe('a stored password', () => {
  it('is recognised, and another is not', async () => {
    const passwords = new Passwords(cheap);
    const stored = await passwords.hash('correct horse');
    expect(await passwords.verify('correct horse', stored)).toEqual({ right: true, outdated: false });
    expect(await passwords.verify('correct horsf', stored)).toEqual({ right: false, outdated: false });
  });

  it('is salted and holds its parameters', async () => {
    const passwords = new Passwords(cheap);
    const [one, two] = await Promise.all([passwords.hash('same'), passwords.hash('same')]);
    expect(one).not.toBe(two);
    expect(one).toMatch(/^scrypt\$ln=4,r=8,p=1\$/);
    expect(one).not.toContain('same');
  });

  it('still opens after the parameters grew, and says that it is outdated', async () => {
    const stored = await new Passwords(cheap).hash('correct horse');
    const grown = new Passwords({ ln: 5, r: 8, p: 1 });
    expect(await grown.verify('correct horse', stored)).toEqual({ right: true, outdated: true });
    expect(await grown.verify('wrong', stored)).toEqual({ right: false, outdated: false });
  });

  it('is the same however the keyboard composes its accents', async () => {
    const passwords = new Passwords(cheap);
    const stored = await passwords.hash('caf\u00e9 au lait');
    expect((await passwords.verify('cafe\u0301 au lait', stored)).right).toBe(true);
  });

  it('of nobody is never right', async () => {
    expect(await new Passwords(cheap).verify('anything', null)).toEqual({ right: false, outdated: false });
  });

  it('that is damaged is an error, not a way in', async () => {
    await expect(new Passwords(cheap).verify('', 'plain')).rejects.toThrow(/damaged/);
  });

  it('waits its turn, and is refused where too many wait', async () => {
    const passwords = new Passwords(cheap);
    const all = await Promise.allSettled(Array.from({ length: 100 }, () => passwords.hash('x')));
    const refused = all.filter((one) => one.status === 'rejected');
    expect(refused).toHaveLength(100 - 2 - 64);
    expect(refused[0]).toMatchObject({ reason: { code: 'RATE_LIMITED', retryAfterSeconds: 2 } });
    expect(await passwords.hash('x')).toContain('scrypt$');
  });

  it('waits for no longer than it may', async () => {
    const passwords = new Passwords({ ln: 15, r: 8, p: 3 }, 1);
    const all = await Promise.allSettled(Array.from({ length: 3 }, () => passwords.hash('x')));
    expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(await passwords.hash('x')).toContain('scrypt$');
  });
});
