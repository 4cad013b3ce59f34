/** Thousands of domains with one or two mails each, most of them with hosts of their own. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { newId } from '../../src/runtime/ids.ts';
import type { DnsRecords } from '../support/dns-zone.ts';
import { Live } from './live.ts';

const ORG = newId('org');
const DOMAINS = 700;
/** On a busy machine a lookup can time out: its mail is deferred, and the first retry is due after a minute. */
const TIME_FOR_A_RETRY_MS = 180_000;

let live: Live;
beforeAll(async () => {
  live = await Live.start({
    sites: { all: {} },
    zone: (sinks) => {
      const zone: Record<string, DnsRecords> = {};
      for (let i = 0; i < DOMAINS; i += 1) zone[`d${i}.test`] = { A: [sinks.all?.address ?? ''] };
      return zone;
    },
  });
  await live.seed('all', ORG, DOMAINS);
  await live.db.exec(
    adHoc(`UPDATE outbox SET domain = replace(split_part(r.address, '@', 1), 'r', 'd') || '.test'
           FROM recipients r WHERE r.email_id = outbox.email_id`),
  );
});
afterAll(() => live.stop());

it(
  'all get their mail, though more than one patrol is needed to find them',
  async () => {
    await live.startWorker();
    // The domain d700 does not exist, so its mail bounces.
    await live.sink('all').waitForMessages(DOMAINS - 1);
    await live.whenSent();
    expect(live.sink('all').messageCount).toBe(DOMAINS - 1);
  },
  TIME_FOR_A_RETRY_MS,
);
