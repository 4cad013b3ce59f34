/** What deliveries teach, with time passed in. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { DAY_MS } from '../../src/runtime/durations.ts';
import { newId, uuidv7 } from '../../src/runtime/ids.ts';
import { applySignals, type SuppressionSignal } from '../../src/suppressions/automatic.ts';
import { deleteStaleMailboxFailures } from '../../src/suppressions/mailbox-failures.ts';
import { putAll } from '../../src/suppressions/store.ts';
import { countSuppressions, findByAddress } from '../../src/suppressions/store-read.ts';
import { mailboxStatesOf } from '../../src/suppressions/suppressed.ts';
import { entryKey, newSuppression, type Reason } from '../../src/suppressions/suppression.ts';
import { address } from '../support/addresses.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const START_MS = Date.UTC(2026, 0, 1);
const ADA = 'Ada@example.org';

let test: TestDatabase;
let organizationId: string;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());
beforeEach(() => {
  organizationId = newId('org');
});

function on(day: number, signal: SuppressionSignal, recipient = ADA, cause = 'some_reason') {
  const atMs = START_MS + day * DAY_MS;
  return { signal, organizationId, recipient: address(recipient).email, emailId: uuidv7(atMs), atMs, cause };
}

function teach(...signals: ReturnType<typeof on>[]): Promise<void> {
  return test.db.transaction((tx) => applySignals(tx, signals));
}

async function teachEach(days: readonly number[], signal: SuppressionSignal): Promise<void> {
  for (const day of days) await teach(on(day, signal));
}

function find(email = ADA) {
  return findByAddress(test.db, { organizationId, key: entryKey(address(email).key, null) });
}

async function failuresOf(): Promise<number> {
  const rows = await test.db.many(
    adHoc<{ failures: number }>('SELECT failures FROM mailbox_failures WHERE organization_id = $1'),
    [organizationId],
  );
  return rows[0]?.failures ?? 0;
}

describe('a hard bounce', () => {
  it('suppresses the recipient, and says which email showed it', async () => {
    const signal = on(3, 'hard_bounce', ADA, 'unknown_recipient');
    await teach(signal);
    expect(await find('ada@EXAMPLE.org')).toMatchObject({
      email: ADA,
      reason: 'hard_bounce',
      source: 'automatic',
      email_id: signal.emailId,
      cause: 'unknown_recipient',
    });
    expect(await countSuppressions(test.db, organizationId, 'hard_bounce')).toBe(1);
  });

  it.each(['complaint', 'unsubscribe', 'manual', 'soft_bounce'] as const)(
    'leaves an entry for %s as it is',
    async (reason: Reason) => {
      const entry = newSuppression(
        { ...address('ada@example.org'), organizationId },
        { reason, source: 'manual' },
        START_MS,
      );
      await test.db.transaction((tx) => putAll(tx, [entry]));
      await teach(on(1, 'hard_bounce'));
      expect(await find()).toMatchObject({ reason, source: 'manual', email_id: null });
      expect(await countSuppressions(test.db, organizationId, null)).toBe(1);
    },
  );

  it('twice in one batch makes one entry', async () => {
    await teach(on(1, 'hard_bounce'), on(1, 'hard_bounce', 'ADA@example.org'));
    expect(await countSuppressions(test.db, organizationId, null)).toBe(1);
  });
});

describe('a full mailbox', () => {
  it('is suppressed by the fifth failure when the first is fourteen days ago', async () => {
    await teachEach([0, 3, 6, 9], 'mailbox_full');
    expect(await find()).toBeUndefined();
    await teach(on(14, 'mailbox_full', ADA, 'mailbox_full'));
    expect(await find()).toMatchObject({ reason: 'soft_bounce', source: 'automatic', cause: 'mailbox_full' });
    expect(await failuresOf()).toBe(0);
  });

  it('is not suppressed by many failures within fourteen days, but by the first one after', async () => {
    await teachEach([0, 1, 2, 3, 4, 5, 6, 13.99], 'mailbox_full');
    expect(await find()).toBeUndefined();
    await teach(on(15, 'mailbox_full'));
    expect(await find()).toMatchObject({ reason: 'soft_bounce' });
  });

  it('is not suppressed by four failures, however far apart', async () => {
    await teachEach([0, 20, 40, 60], 'mailbox_full');
    expect(await find()).toBeUndefined();
  });

  it('counts every email of one batch', async () => {
    await teach(on(0, 'mailbox_full'), on(0, 'mailbox_full'), on(0, 'mailbox_full'));
    await teach(on(15, 'mailbox_full'), on(15, 'mailbox_full', 'ADA@example.org'));
    expect(await find()).toMatchObject({ reason: 'soft_bounce' });
  });

  it('starts anew when a delivery works', async () => {
    await teachEach([0, 3, 6, 9], 'mailbox_full');
    await teach(on(10, 'mailbox_works'));
    expect(await failuresOf()).toBe(0);
    await teach(on(15, 'mailbox_full'));
    expect(await find()).toBeUndefined();
  });

  it('starts anew when nobody wrote to it for a long time', async () => {
    await teachEach([0, 3, 6, 9], 'mailbox_full');
    await teach(on(100, 'mailbox_full'));
    expect(await find()).toBeUndefined();
    expect(await failuresOf()).toBe(1);
  });

  it('is known to the worker that sends to it next', async () => {
    const asked = [
      { organizationId, key: address('ada@example.org').key },
      { organizationId, key: address('grace@example.org').key },
    ];
    await teach(on(0, 'mailbox_full'));
    expect(await mailboxStatesOf(test.db, asked)).toEqual([
      { suppressed: false, mailboxWasFull: true },
      { suppressed: false, mailboxWasFull: false },
    ]);
  });

  it('is forgotten after a long time', async () => {
    await teach(on(0, 'mailbox_full'));
    await deleteStaleMailboxFailures(test.db, START_MS + 89 * DAY_MS);
    expect(await failuresOf()).toBe(1);
    await deleteStaleMailboxFailures(test.db, START_MS + 91 * DAY_MS);
    expect(await failuresOf()).toBe(0);
  });
});
