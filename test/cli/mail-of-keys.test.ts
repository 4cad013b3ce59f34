/** `key revoke`, `hold key` and `events --key`: an operator whose key has leaked. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { runCommand } from '../support/command-line.ts';
import { sendLetter } from '../support/emails.ts';

let server: TestApi;
let org: TestOrganization;
let key: { readonly id: string; readonly key: string };
beforeAll(async () => {
  server = await sharedApi();
});
afterAll(() => server.stop());

beforeEach(async () => {
  org = await server.createOrganization();
  key = (await server.api('POST', '/api-keys', { name: 'Shop', scope: 'send' }, org.key)).body.data;
  await sendLetter(server, { ...org, key: key.key }, { to: [{ email: 'a@example.org' }] });
  const later = { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() };
  await sendLetter(server, { ...org, key: key.key }, { to: [{ email: 'b@example.org' }], ...later });
  await sendLetter(server, org, { to: [{ email: 'good@example.org' }] });
});

const run = (...argv: string[]) => runCommand(argv, { DATABASE_URL: server.database.url });
const queued = async () => {
  const text = `SELECT r.address FROM outbox o JOIN recipients r USING (organization_id, email_id, position)
                WHERE organization_id = $1 ORDER BY 1`;
  return (await server.db.many(adHoc<{ address: string }>(text), [org.id])).map((row) => row.address);
};
const isRevoked = async () =>
  (
    await server.db.one(adHoc<{ at: Date | null }>('SELECT revoked_at AS at FROM api_keys WHERE id = $1'), [
      key.id,
    ])
  ).at !== null;

describe('key revoke', () => {
  it('offers to hold or withdraw what the key has queued', async () => {
    const { code, out } = await run('key', 'revoke', key.id);
    expect(code).toBe(0);
    expect(out).toContain(
      'The key has 2 deliveries in the queue. Deliveries that are already due are still sent.',
    );
    expect(out).toContain(`npx postrider key revoke ${key.id} --mail hold`);
    expect((await run('key', 'revoke', key.id)).out).toContain('was revoked before, at ');
  });

  it('--mail hold keeps it from being sent, also where the key was revoked before', async () => {
    await run('key', 'revoke', key.id);
    const { code, out } = await run('key', 'revoke', key.id, '--mail', 'hold');
    expect([code, out]).toEqual([
      0,
      expect.stringContaining('The hold covers 2 deliveries in the queue now, 1 of them due later.'),
    ]);
    expect((await run('hold', 'list')).out).toContain(`key ${key.id}`);
    expect(await queued()).toHaveLength(3);
  });

  it('--mail withdraw says what would be lost before it does anything', async () => {
    const { code, err } = await run('key', 'revoke', key.id, '--mail', 'withdraw');
    expect([code, err]).toEqual([2, expect.stringContaining('would never be sent: 2.')]);
    expect(await isRevoked()).toBe(false);
  });

  it('--mail withdraw --yes ends it as failed, and leaves other mail alone', async () => {
    const { code, out } = await run('key', 'revoke', key.id, '--mail', 'withdraw', '--yes');
    expect([code, out]).toEqual([
      0,
      expect.stringContaining('Withdrawn: 2 deliveries that the key had queued.'),
    ]);
    expect([await isRevoked(), await queued()]).toEqual([true, ['good@example.org']]);
  });

  it('--mail withdraw says that the mail is held while a worker of an earlier release is running', async () => {
    const worker = await server.db.one(
      adHoc<{ epoch: number }>(
        `INSERT INTO workers (host, machine, pid) VALUES ('old', 'm', 1) RETURNING epoch`,
      ),
    );
    try {
      const { code, err } = await run('key', 'revoke', key.id, '--mail', 'withdraw', '--yes');
      expect([code, err]).toEqual([
        1,
        expect.stringContaining('The mail of the key was not withdrawn, and is held ('),
      ]);
      expect([await isRevoked(), await queued()]).toEqual([true, expect.objectContaining({ length: 3 })]);
    } finally {
      await server.db.exec(adHoc('DELETE FROM workers WHERE epoch = $1'), [worker.epoch]);
    }
  });

  it('refuses another word for --mail, and revokes nothing', async () => {
    expect((await run('key', 'revoke', key.id, '--mail', 'drop')).code).toBe(2);
    expect(await isRevoked()).toBe(false);
  });
});

describe('hold key', () => {
  it('finds the organization of the key automatically', async () => {
    const { code, out } = await run('hold', 'key', key.id, '--reason', 'leaked');
    expect([code, out]).toEqual([
      0,
      expect.stringContaining('The hold covers 2 deliveries in the queue now'),
    ]);
  });
});

describe('events --key', () => {
  it('shows what became of what the key sent', async () => {
    const { code, out } = await run('events', '--key', key.id);
    expect([code, out]).toEqual([0, expect.stringContaining('a@example.org')]);
    expect(out).not.toContain('good@example.org');
  });

  it('refuses a key that there is not', async () => {
    expect(await run('events', '--key', 'key_none')).toMatchObject({ code: 1, out: '' });
    const other = await server.createOrganization();
    expect((await run('events', '--key', key.id, '--org', other.id)).code).toBe(1);
  });
});
