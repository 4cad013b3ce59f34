import { expect, it } from 'vitest';
import type { Sql, Statement } from '../database/sql.ts';
import { applyOutcomes } from './outcomes.ts';

const KEY = { organizationId: 'org_a', emailId: '01a1e301-0350-7041-a782-8efb76dc8605', position: 0 };
const ROW = { organization_id: KEY.organizationId, id: KEY.emailId };
const ANSWERS: Readonly<Record<string, readonly object[]>> = {
  'emails.lock': [{ ...ROW, status: 'queued', created_at: new Date(0) }],
  'emails.derive_status': [{ ...ROW, status: 'delivered' }],
};

/** Records which statements are pipelined: those that start before the first of them is answered. */
function noting() {
  const trips: string[][] = [];
  let answer: Promise<void> | null = null;
  const run = async ({ name }: Statement<unknown>) => {
    if (answer === null) {
      trips.push([]);
      answer = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        answer = null;
      });
    }
    trips.at(-1)?.push(name);
    await answer;
    return ANSWERS[name] ?? [];
  };
  const tx = { many: run, exec: async (statement: Statement<unknown>) => (await run(statement)).length };
  return { tx: tx as unknown as Sql, trips };
}

it('locks emails before it updates their recipients, in one round trip, and updates the counters last', async () => {
  const { tx, trips } = noting();
  await applyOutcomes(tx, [{ ...KEY, state: 'delivered', attempts: 1, atMs: 1 }], 1);
  expect(trips).toEqual([
    ['emails.lock', 'recipients.settle', 'emails.derive_status'],
    ['email_counts.move', 'hourly_counts.move'],
  ]);
});

it('updates further counters after those of emails, in the same round trip', async () => {
  const { tx, trips } = noting();
  const outcome = { ...KEY, state: 'delivered', attempts: 1, atMs: 1 } as const;
  await applyOutcomes(tx, [outcome], 1, async () => {
    await tx.exec({ name: 'others.move', text: '' });
  });
  expect(trips.at(-1)).toEqual(['email_counts.move', 'hourly_counts.move', 'others.move']);
});
