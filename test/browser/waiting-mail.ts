/** Mail that waits for a site. The worker of the fixture sends only the sandbox's mail. */

import { adHoc } from '../../src/database/sql.ts';
import type { SiteCondition } from '../../src/delivery/scheduler/site-condition.ts';
import { pauseSite, saveSite } from '../../src/delivery/scheduler/site-store.ts';
import { seedMail } from '../support/seed-mail.ts';
import { until } from '../support/until.ts';
import type { BrowserFixture } from './fixture.ts';

export interface Waiting {
  readonly domain: string;
  readonly site: string;
  readonly condition: SiteCondition | 'paused';
  readonly count?: number;
}

const MINUTES_DUE = 10;

const firstOf = adHoc<{ id: string }>('SELECT email_id AS id FROM outbox WHERE domain = $1 LIMIT 1');

/** Resolves with the id of one of the emails. */
export async function letMailWait(
  { api: { db }, organization }: BrowserFixture,
  waiting: Waiting,
): Promise<string> {
  const { domain, site, condition, count = 3 } = waiting;
  if (condition === 'paused') await pauseSite(db, site);
  else await saveSite(db, site, condition);
  await seedMail(db, { organizationId: organization.id, domain, count, dueInMs: -MINUTES_DUE * 60_000 });
  // The worker writes down once that the domain is at the sandbox's own site, as everything is there.
  const moved = adHoc('UPDATE site_domains SET site = $2, provider = $3 WHERE domain = $1');
  await until(() => db.exec(moved, [domain, site, 'other']));
  return (await db.one(firstOf, [domain])).id;
}
