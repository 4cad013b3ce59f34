import { describe, expect, it } from 'vitest';
import { Passwords } from './password.ts';

const HERE = '192.0.2.1';

const cheap = { ln: 4, r: 8, p: 1 };

describe('a stored password', () => {
  it('matches its own password and no other', async () => {
    const passwords = new Passwords(cheap);
    const stored = await passwords.hash('correct horse', HERE);
    expect(await passwords.verify('correct horse', stored, HERE)).toEqual({ right: true, outdated: false });
    expect(await passwords.verify('correct horsf', stored, HERE)).toEqual({ right: false, outdated: false });
  });

  it('is salted and contains its parameters', async () => {
    const passwords = new Passwords(cheap);
    const [one, two] = await Promise.all([passwords.hash('same', HERE), passwords.hash('same', HERE)]);
    expect(one).not.toBe(two);
    expect(one).toMatch(/^scrypt\$ln=4,r=8,p=1\$/);
    expect(one).not.toContain('same');
  });

  it('still matches after the parameters grew, and is reported as outdated', async () => {
    const stored = await new Passwords(cheap).hash('correct horse', HERE);
    const grown = new Passwords({ ln: 5, r: 8, p: 1 });
    expect(await grown.verify('correct horse', stored, HERE)).toEqual({ right: true, outdated: true });
    expect(await grown.verify('wrong', stored, HERE)).toEqual({ right: false, outdated: false });
  });

  it('is the same for every Unicode composition of its accents', async () => {
    const passwords = new Passwords(cheap);
    const stored = await passwords.hash('caf\u00e9 au lait', HERE);
    expect((await passwords.verify('cafe\u0301 au lait', stored, HERE)).right).toBe(true);
  });

  it('of an unknown user never matches', async () => {
    expect(await new Passwords(cheap).verify('anything', null, HERE)).toEqual({
      right: false,
      outdated: false,
    });
  });

  it('that is damaged causes an error and does not match', async () => {
    await expect(new Passwords(cheap).verify('', 'plain', HERE)).rejects.toThrow(/damaged/);
  });

  it('is queued, and refused when the queue is full', async () => {
    const passwords = new Passwords(cheap);
    const all = await Promise.allSettled(
      Array.from({ length: 100 }, (_, i) => passwords.hash('x', `192.0.2.${i}`)),
    );
    const refused = all.filter((one) => one.status === 'rejected');
    expect(refused).toHaveLength(100 - 2 - 64);
    expect(refused[0]).toMatchObject({ reason: { code: 'RATE_LIMITED', retryAfterSeconds: 2 } });
    expect(await passwords.hash('x', HERE)).toContain('scrypt$');
  });

  it('is refused for an address with eight waiting, and queued for another address', async () => {
    const passwords = new Passwords(cheap);
    const flood = Promise.allSettled(Array.from({ length: 100 }, () => passwords.hash('x', HERE)));
    const other = passwords.hash('x', '192.0.2.2');
    expect(await other).toContain('scrypt$');
    expect((await flood).filter((one) => one.status === 'rejected')).toHaveLength(100 - 2 - 8);
  });

  it('of another address is hashed before those of an address with a running hash', async () => {
    const passwords = new Passwords(cheap);
    const order: string[] = [];
    const note = async (name: string, caller: string) => {
      await passwords.hash('x', caller);
      order.push(name);
    };
    const flood = Array.from({ length: 10 }, () => note('flood', HERE));
    await Promise.all([...flood, note('other', '192.0.2.2')]);
    expect(order.indexOf('other')).toBeLessThan(9);
  });

  it('is refused when the maximum waiting time is over', async () => {
    const passwords = new Passwords({ ln: 15, r: 8, p: 3 }, 1);
    const all = await Promise.allSettled(Array.from({ length: 3 }, () => passwords.hash('x', HERE)));
    expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(await passwords.hash('x', HERE)).toContain('scrypt$');
  });
});
