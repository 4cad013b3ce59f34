/** Waits of benches have deadlines, and errors that say what is missing. */
import { fork } from 'node:child_process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeQueue } from '../../bench/support/queue.ts';
import { firstMessage, waitFor, waitUntilDone, within } from '../../bench/support/wait.ts';
import { adHoc } from '../../src/database/sql.ts';
import { placeHold } from '../../src/interventions/holds/store.ts';
import { createTestDatabase } from '../support/database.ts';
import { seedMail } from '../support/seed-mail.ts';

describe('a wait', () => {
  it('ends with the value that holds', async () => {
    let reads = 0;
    expect(
      await waitFor(
        'the third read',
        () => ++reads,
        (n) => n === 3,
      ),
    ).toBe(3);
  });

  it('fails at its deadline with what it waited for', async () => {
    const wait = waitFor('a thing that never comes', () => false, Boolean, 10);
    await expect(wait).rejects.toThrow('Waited for a thing that never comes, 0 s in vain.');
  });

  it('goes on for as long as the number that is left changes', async () => {
    let left = 3;
    const take = () => {
      left -= 1;
      return left;
    };
    await waitUntilDone({ what: 'all', isDone: () => left === 0, left: take, timeoutMs: 1_500, everyMs: 5 });
    expect(left).toBe(0);
  });

  it('fails with the number that is left once that no longer changes', async () => {
    const about = async () => '5 of them are held.';
    const wait = waitUntilDone({
      what: '9 mails',
      isDone: () => false,
      left: () => 7,
      about,
      timeoutMs: 500,
    });
    await expect(wait).rejects.toThrow(
      'Waited for 9 mails: 7 are left, and for 0.5 s nothing happened. 5 of them are held.',
    );
  });

  it('for a promise fails at its deadline', async () => {
    await expect(within('a reply', new Promise(() => {}), 100)).rejects.toThrow(
      'Waited for a reply, 0.1 s in vain.',
    );
  });

  it('for a process fails when that process ends without a word', async () => {
    const child = fork('/dev/null', { stdio: 'ignore' });
    await expect(firstMessage('a word', child)).rejects.toThrow(
      'Waited for a word, but its process ended with 0.',
    );
  });
});

describe('the description of a queue', () => {
  it('counts deliveries that are queued, held and due later, and names the holds', async () => {
    const { db, drop } = await createTestDatabase();
    onTestFinished(drop);
    const organizationId = 'org_0000000000001';
    await db.exec(adHoc(`INSERT INTO organizations (id, name) VALUES ($1, 'Bench')`), [organizationId]);
    await seedMail(db, { organizationId, domain: 'a.test', count: 3 });
    await seedMail(db, { organizationId, domain: 'b.test', count: 1, dueInMs: 60_000 });
    const hold = {
      organizationId,
      scope: 'recipient',
      value: 'r1@a.test',
      reason: 'a loop',
      by: 'guard',
    } as const;
    const placed = await db.transaction((tx) => placeHold(tx, hold));
    await db.exec(adHoc(`UPDATE outbox SET hold_id = $1 WHERE domain = 'a.test' AND position = 0`), [
      placed?.id,
    ]);
    expect(await describeQueue(db)).toBe(
      'In the queue: 4 deliveries, of which 3 are held and 1 are due later; 0 webhooks are pending. 1 holds by guard on recipient (r1@a.test).',
    );
  });
});
