import { describe, expect, it } from 'vitest';
import { LocalSite } from './local-site.ts';
import { fixedPolicy, type HostSite } from './site.ts';
import { ALL_WELL } from './site-condition.ts';
import { SiteSlot } from './site-slot.ts';

const SITE: HostSite = {
  kind: 'hosts',
  name: 'mx.example.net',
  provider: 'other',
  policy: fixedPolicy(1, 'none'),
};
const ELSEWHERE: HostSite = { ...SITE, name: 'example.com at mx.example.net' };
const ATTEMPT = { facts: { kind: 'unroutable' }, outcome: { kind: 'delivered' } } as never;

function siteWithOneConnection() {
  const local = new LocalSite(SITE, ALL_WELL, { connections: 1, mayProbe: true, perMinute: null }, 1);
  const where = { place: SITE };
  const sites = { nowMs: () => 0, placeOf: () => where.place, learn: () => false };
  const slot = () => new SiteSlot(local, { domain: 'example.com', attempt: 1 }, sites);
  return { local, slot, where };
}

describe('a delivery at its site', () => {
  it('waits for the delivery before it to finish, then connects', async () => {
    const { slot } = siteWithOneConnection();
    const [first, second] = [slot(), slot()];
    expect(await first.acquire()).toBe(true);
    const order: string[] = [];
    const waiting = second.acquire().then((mayGo) => order.push(`second ${mayGo}`));
    order.push('first is through');
    first.finished(ATTEMPT, 'a@example.com');
    await waiting;
    expect(order).toEqual(['first is through', 'second true']);
  });

  it('is refused when the site closes while it waits', async () => {
    const { local, slot } = siteWithOneConnection();
    const [first, second] = [slot(), slot()];
    await first.acquire();
    const waiting = second.acquire();
    local.close();
    expect(await waiting).toBe(false);
  });

  it('gives its connection to the next delivery when its queue changed while it waited', async () => {
    const { slot, where } = siteWithOneConnection();
    const [first, second, third] = [slot(), slot(), slot()];
    await first.acquire();
    const waiting = second.acquire();
    where.place = ELSEWHERE;
    first.release();
    expect(await waiting).toBe(false);
    where.place = SITE;
    expect(await third.acquire()).toBe(true);
  });

  it('holds nothing after it was released once or several times', async () => {
    const { local, slot } = siteWithOneConnection();
    const one = slot();
    await one.acquire();
    one.release();
    one.release();
    expect([local.isIdle, local.busy]).toEqual([true, 0]);
  });

  it('cannot finish before it connects, or connect twice', async () => {
    const { slot } = siteWithOneConnection();
    const one = slot();
    expect(() => one.finished(ATTEMPT, 'a@example.com')).toThrow('in_hand');
    await one.acquire();
    await expect(one.acquire()).rejects.toThrow('sending');
  });
});
