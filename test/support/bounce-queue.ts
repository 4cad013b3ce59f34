/** Ends everything that is due as a provider does whose directory is broken. */
import { expect } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { adHoc } from '../../src/database/sql.ts';
import type { Finished } from '../../src/delivery/attempt/delivery-record.ts';
import { settle } from '../../src/delivery/attempt/record.ts';
import type { EmailAddress } from '../../src/protocols/message/address.ts';
import { claimDue, newWorker } from './outbox.ts';

const VERDICT: Finished['verdict'] = {
  ...{ kind: 'bounced', reason: 'unknown_recipient', smtpCode: 550, enhancedCode: '5.1.1' },
  ...{ smtpMessage: '5.1.1 User unknown', mxHost: 'mx.broken.test', tls: null },
};

/** `count`: the deliveries that are expected to be due. */
export async function bounceQueue(db: Database, count: number): Promise<void> {
  const epoch = await newWorker(db);
  const found = await db.many(
    adHoc<{ email_id: string; address: EmailAddress }>('SELECT email_id, address FROM recipients'),
  );
  const addresses = new Map(found.map((row) => [row.email_id, row.address]));
  const claimed = await claimDue(db, epoch, count);
  expect(claimed).toHaveLength(count);
  const records = claimed.map((delivery) => ({
    ...({ kind: 'finished', signal: 'hard_bounce', atMs: Date.now() } as const),
    ...{ delivery, verdict: VERDICT, recipient: addresses.get(delivery.emailId) ?? ('' as const) },
  }));
  await settle(db, epoch, records, true);
  await db.exec(adHoc('DELETE FROM workers WHERE epoch = $1'), [epoch]);
}
