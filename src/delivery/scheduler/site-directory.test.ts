import { expect, it } from 'vitest';
import type { Database } from '../../database/database.ts';
import { createLog } from '../../runtime/log.ts';
import type { HomeSite } from './site.ts';
import { SiteDirectory } from './site-directory.ts';

it('an unexpected error of a lookup fails that lookup alone', async () => {
  const gates: (() => void)[] = [];
  const directory = new SiteDirectory({
    db: {} as Database,
    log: createLog('test', 'silent'),
    nowMs: () => 0,
    delivered: { learn: () => {}, takeUnwritten: () => new Map() },
    siteOf: (domain) => {
      if (domain === 'bad.test') throw new Error('nobody foresaw this');
      return new Promise((resolve) => gates.push(() => resolve({ name: domain } as HomeSite)));
    },
  });
  const found: string[] = [];
  const find = (domain: string) =>
    void directory.find(domain).then((site) => {
      if (site !== null) found.push(site.name);
    });
  // The largest number of lookups at once; more lookups wait for their turn.
  const first = Array.from({ length: 100 }, (_, i) => `d${i}.test`);
  for (const domain of first) find(domain);
  for (const domain of ['bad.test', 'later.test']) find(domain);
  const openAll = () => {
    for (const open of gates.splice(0)) open();
  };
  await expect.poll(() => gates.length).toBe(first.length);
  openAll();
  await expect.poll(() => gates.length).toBe(1);
  openAll();
  await expect.poll(() => found).toEqual([...first, 'later.test']);
});
