import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { newId } from '../../src/runtime/ids.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { newDelivery, SandboxFixture } from '../support/sandbox.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(async () => {
  await database?.drop();
});

const kept = adHoc<{ subject: string }>(
  'SELECT subject FROM sandbox_messages WHERE organization_id = $1 ORDER BY id DESC',
);

async function sendMany(
  fixture: SandboxFixture,
  organizationId: string,
  from: number,
  to: number,
): Promise<void> {
  const numbers = Array.from({ length: to - from }, (_, i) => from + i);
  const results = await Promise.all(
    numbers.map((n) => fixture.send(newDelivery(organizationId), 'a@b.test', `Subject: ${n}\r\n\r\nx\r\n`)),
  );
  expect(results.every((facts) => facts.kind === 'accepted')).toBe(true);
}

describe('the sandbox inbox', () => {
  it('keeps the last 1,000 messages of each organization, and nobody else pays for a busy one', async () => {
    const busy = newId('org');
    const quiet = newId('org');
    const fixture = new SandboxFixture(database.db);
    await fixture.start();
    await sendMany(fixture, quiet, 0, 3);
    for (let from = 0; from < 1_400; from += 200) {
      await sendMany(fixture, busy, from, from + 200);
      expect((await database.db.many(kept, [busy])).length).toBeLessThanOrEqual(1_100);
    }
    await fixture.stop();

    const subjects = (await database.db.many(kept, [busy])).map((row) => Number(row.subject));
    expect(subjects.length).toBeGreaterThanOrEqual(1_000);
    expect(subjects.length).toBeLessThanOrEqual(1_100);
    // Messages of one round race each other, whole rounds do not.
    expect(new Set(subjects.slice(0, 1_000).map((n) => Math.floor(n / 200)))).toEqual(
      new Set([6, 5, 4, 3, 2]),
    );
    expect((await database.db.many(kept, [quiet])).length).toBe(3);
  });

  it('is trimmed by the first message after a restart', async () => {
    const organizationId = newId('org');
    const fill = adHoc(
      `INSERT INTO sandbox_messages (organization_id, id, email_id, position, size, received_at, mail_from, rcpt_to,
                                     from_email, subject, raw)
       SELECT $1, uuid_v7_floor(now() - n * interval '1 second'), gen_random_uuid(), 0, 1, now(), 'f', 't', 'f', n, 'x'
       FROM generate_series(1, 1500) AS n`,
    );
    await database.db.exec(fill, [organizationId]);
    const fixture = new SandboxFixture(database.db);
    await fixture.start();
    await sendMany(fixture, organizationId, 0, 1);
    await fixture.stop();

    const subjects = (await database.db.many(kept, [organizationId])).map((row) => Number(row.subject));
    expect(subjects).toEqual(Array.from({ length: 1_000 }, (_, n) => n));
  });
});
