/** What nobody can use any more does not stay forever. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { databaseChores } from '../../src/operations/housekeeper.ts';
import { DAY_MS } from '../../src/runtime/durations.ts';
import { createLog } from '../../src/runtime/log.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { MovableClock, Person, signUpOwner } from './people.ts';

const clock = new MovableClock();
let server: TestApi;
let owner: Person;

beforeAll(async () => {
  server = await startApi({ clock });
  await server.createOrganization();
  owner = await signUpOwner(server);
});
afterAll(() => server.stop());

const left = () =>
  server.db.one(
    adHoc<Record<string, number>>(
      `SELECT (SELECT count(*) FROM sessions) AS sessions, (SELECT count(*) FROM invites) AS invites,
              (SELECT count(*) FROM account_links) AS resets`,
    ),
  );

async function tidy(): Promise<void> {
  const chores = databaseChores({ db: server.db, clock, log: createLog('test', 'silent') });
  const chore = chores.find(({ name }) => name === 'old sessions');
  await chore?.run(new AbortController().signal);
}

it('ended sessions, invites and links are removed, and those that still work stay', async () => {
  await owner.api('POST', '/members/invites', { email: 'old@example.org', role: 'member' });
  await server.db.exec(
    adHoc('INSERT INTO account_links (hash, user_id, created_at, expires_at) VALUES ($1, $2, $3, $4)'),
    [Buffer.alloc(32, 1), owner.id, new Date(clock.ms), new Date(clock.ms + 3_600_000)],
  );
  await tidy();
  expect(await left()).toEqual({ sessions: 1, invites: 1, resets: 1 });
  clock.ms += 10 * DAY_MS;
  const young = new Person(server, owner.email);
  await young.signIn();
  await young.api('POST', '/members/invites', { email: 'new@example.org', role: 'member' });
  clock.ms += 4 * DAY_MS;
  await tidy();
  expect(await left()).toEqual({ sessions: 1, invites: 1, resets: 0 });
  expect(await young.isSignedIn()).toBe(true);
  expect(await owner.isSignedIn()).toBe(false);
});
