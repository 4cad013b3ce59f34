/** Acceptance of many emails at once, in few transactions, each email completely or not at all. */
import { once } from 'node:events';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { adHoc, type Statement } from '../../src/database/sql.ts';
import type { NewEmail } from '../../src/emails/email.ts';
import { refusalError } from '../../src/emails/http/refusal-errors.ts';
import { toDraft } from '../../src/emails/http/send-request.ts';
import { applyOutcomes } from '../../src/emails/outcomes.ts';
import type { SendBody } from '../../src/emails/schema.ts';
import type { RecipientState } from '../../src/emails/status.ts';
import { setDailyLimit } from '../../src/organizations/store.ts';
import { createLifetime } from '../../src/outbox/lifetime.ts';
import { lanesIn, WAKE_CHANNEL, Waker } from '../../src/outbox/wake.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { Acceptor } from '../../src/submission/accept.ts';
import { NO_SETTINGS } from '../../src/submission/defaults.ts';
import { LinkedFiles } from '../../src/submission/linked-files.ts';
import type { Refused } from '../../src/submission/refused.ts';
import { SLICE_EMAILS } from '../../src/submission/slices.ts';
import { submit } from '../../src/submission/submit.ts';
import { TemplateLibrary } from '../../src/templates/library.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { holding } from '../support/database.ts';
import { countersOf, letter, newEmailOf, sendLetter, storedRows } from '../support/emails.ts';

const WEEK_MS = 7 * 86_400_000;

let server: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization();
});
afterAll(() => server.stop());

const SILENT = { wake: () => undefined, withCommit: () => null };

const newAcceptor = (db = server.db, waker: Pick<Waker, 'wake' | 'withCommit'> = SILENT) =>
  new Acceptor({ db, mode: 'live', lifetimeMs: createLifetime(1), waker });

/** Wraps the database, and records the names of statements outside transactions. */
function listening(db: Database, statements: string[]): Database {
  return new Proxy(db, {
    get(target, name) {
      const member = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) => {
        statements.push(name === 'transaction' ? 'BEGIN' : (given[0] as Statement<unknown>).name);
        return member.apply(target, given);
      };
    },
  });
}

function newEmail(changes: Record<string, unknown> = {}, to: TestOrganization = org): NewEmail {
  return newEmailOf(to.id, letter(to, changes));
}

const transactionsOf = async (organizationId: string) =>
  (
    await server.db.one(
      adHoc<{ count: number }>('SELECT count(DISTINCT xmin::text) FROM emails WHERE organization_id = $1'),
      [organizationId],
    )
  ).count;

const isStored = async (email: NewEmail) =>
  (await server.db.many(adHoc('SELECT 1 FROM emails WHERE id = $1'), [email.id])).length === 1;

/** The database gives up on a commit that waits for ten seconds. */
const LONGEST_WAIT_MS = 3_000;

/**
 * Begins while no transaction can move a counter, and allows it once the first commit waits for that and the server has had time for
 * many later requests: the other sends have gathered by then.
 */
async function whileACommitWaits<T>(begin: () => Promise<T>): Promise<T> {
  const waiting = adHoc<{ count: number }>(
    `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  let begun: Promise<T> | undefined;
  await holding(server.db, async (tx) => {
    await tx.exec(adHoc('LOCK TABLE email_counts IN EXCLUSIVE MODE'));
    begun = begin();
    // One, or two where enough came before it did.
    const commits = async () => (await server.db.one(waiting)).count;
    await expect.poll(commits, { timeout: 10_000 }).toBeGreaterThan(0);
    const endMs = performance.now() + LONGEST_WAIT_MS;
    for (let later = 0; later < 200 && performance.now() < endMs; later += 1)
      await (await fetch(`${server.url}/healthz`)).text();
  });
  return begun as Promise<T>;
}

describe('200 sends at the same moment', () => {
  it('are each stored once, with all that belongs to them, in far fewer transactions', async () => {
    const busy = await server.createOrganization('Busy');
    const before = await storedRows(server.db);
    const sent = await whileACommitWaits(() =>
      Promise.all(
        Array.from({ length: 200 }, (_, i) =>
          sendLetter(server, busy, {
            subject: `No. ${i}`,
            cc: [{ email: `cc${i}@example.org` }],
            attachments: [
              { filename: `${i}.txt`, content: Buffer.from(`file ${i}`).toString('base64') },
              { filename: 'empty', content: '' },
            ],
          }),
        ),
      ),
    );
    expect(new Set(sent).size).toBe(200);
    const after = await storedRows(server.db);
    expect(after).toEqual({
      ...before,
      emails: before.emails + 200,
      email_contents: before.email_contents + 200,
      email_attachments: before.email_attachments + 400,
      recipients: before.recipients + 400,
      events: before.events + 400,
      outbox: before.outbox + 400,
      counted: before.counted + 200,
    });
    expect(await transactionsOf(busy.id)).toBeLessThan(60);

    // No email has content of another email.
    const rows = await server.db.many(
      adHoc<{ id: string; subject: string; cc: string; content: Buffer }>(
        `SELECT e.id, e.subject, r.address AS cc, a.content FROM emails e
         JOIN recipients r ON r.email_id = e.id AND r.position = 1
         JOIN email_attachments a ON a.email_id = e.id AND a.position = 0
         WHERE e.organization_id = $1`,
      ),
      [busy.id],
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    sent.forEach((id, i) => {
      expect(byId.get(id)).toEqual({
        id,
        subject: `No. ${i}`,
        cc: `cc${i}@example.org`,
        content: Buffer.from(`file ${i}`),
      });
    });
  });
});

async function acceptOne(acceptor: Acceptor, email: NewEmail) {
  const [result] = await acceptor.accept({ emails: [email], completion: null });
  if (!result) throw new Error('An email got no result.');
  return result;
}

describe('an email accepted alone', () => {
  it('wakes the workers with its commit, in one statement', async () => {
    const listener = new pg.Client({ connectionString: server.database.url });
    await listener.connect();
    await listener.query(`LISTEN ${WAKE_CHANNEL}`);
    const notified = once(listener, 'notification');
    const statements: string[] = [];
    const db = listening(server.db, statements);
    const quiet = await server.createOrganization('Quiet');
    await acceptOne(newAcceptor(db, new Waker(db)), newEmail({ to: [{ email: 'ada@quiet.test' }] }, quiet));
    const [{ payload }] = await notified;
    await listener.end();
    expect(lanesIn(payload)).toEqual([{ domain: 'quiet.test', organizationId: quiet.id, priority: 1 }]);
    expect(statements).toEqual(['emails.accept']);
  });

  it('wakes the workers by itself where others are being accepted', async () => {
    const statements: string[] = [];
    const db = listening(server.db, statements);
    const acceptor = newAcceptor(db, new Waker(db));
    await Promise.all([acceptOne(acceptor, newEmail()), acceptOne(acceptor, newEmail())]);
    expect(statements).toEqual(['emails.accept', 'outbox.notify']);
  });

  it('wakes nobody when it is refused', async () => {
    const calls: string[] = [];
    const waker = { wake: () => void calls.push('wake'), withCommit: () => null };
    await acceptOne(newAcceptor(server.db, waker), newEmail({ from: { email: 'a@unverified.example' } }));
    expect(calls).toEqual([]);
  });
});

describe('emails accepted together', () => {
  it('share one transaction', async () => {
    const one = await server.createOrganization('One');
    const acceptor = newAcceptor();
    const emails = Array.from({ length: 20 }, () => newEmail({}, one));
    const results = await Promise.all(emails.map((email) => acceptOne(acceptor, email)));
    expect(results).toEqual(Array(20).fill({ kind: 'accepted' }));
    expect(await transactionsOf(one.id)).toBe(1);
  });

  it('may come from different organizations', async () => {
    const acceptor = newAcceptor();
    const others = [await server.createOrganization('A'), await server.createOrganization('B')];
    await Promise.all(others.map((other) => acceptOne(acceptor, newEmail({}, other))));
    for (const { id } of others) expect(await countersOf(server.db, id)).toEqual({ queued: 1 });
  });

  it('take one statement, and one more where somebody is refused', async () => {
    const statements: string[] = [];
    const acceptor = newAcceptor(listening(server.db, statements));
    await Promise.all([acceptOne(acceptor, newEmail()), acceptOne(acceptor, newEmail())]);
    expect(statements).toEqual(['emails.accept']);
    const bad = newEmail({ from: { email: 'a@unverified.example' } });
    await Promise.all([acceptOne(acceptor, bad), acceptOne(acceptor, newEmail())]);
    expect(statements).toEqual(['emails.accept', 'emails.accept', 'emails.accept']);
  });

  it('do not suffer from one that is refused', async () => {
    const acceptor = newAcceptor();
    const good = [newEmail(), newEmail()];
    const bad = newEmail({ from: { email: 'a@unverified.example' } });
    const results = await Promise.all(
      [good[0], bad, good[1]].map((email) => acceptOne(acceptor, email as NewEmail)),
    );
    expect(results.map((one) => one.kind)).toEqual(['accepted', 'domain_not_verified', 'accepted']);
    expect(await Promise.all([...good, bad].map(isStored))).toEqual([true, true, false]);
  });

  it('are refused for suppressed recipients, but for those that want them reported', async () => {
    const stopped = { email: 'stopped@example.org' };
    await server.api('POST', '/suppressions', { ...stopped, reason: 'manual' }, org.key);
    const acceptor = newAcceptor();
    const toStopped = newEmail({ to: [{ email: 'ada@example.org' }, stopped] });
    const reporting: NewEmail = { ...newEmail({ to: [stopped] }), onSuppressed: 'report' };
    const emails = [reporting, newEmail(), toStopped];
    const results = await Promise.all(emails.map((email) => acceptOne(acceptor, email)));
    expect(results).toMatchObject([
      { kind: 'accepted' },
      { kind: 'accepted' },
      { kind: 'recipients_suppressed', recipients: [{ at: { list: 'to', index: 1 }, ...stopped }] },
    ]);
    expect(await Promise.all(emails.map(isStored))).toEqual([true, true, false]);
  });

  it('do not suffer from one that the database cannot take', async () => {
    const acceptor = newAcceptor();
    const good = [newEmail(), newEmail()];
    const twin = { ...newEmail(), id: (good[0] as NewEmail).id };
    const before = await storedRows(server.db);
    const results = await Promise.allSettled([...good, twin].map((email) => acceptOne(acceptor, email)));
    expect(results.map((one) => one.status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect((await storedRows(server.db)).emails).toBe(before.emails + 2);
  });

  it('are on disk for everyone when they are answered', async () => {
    const email = newEmail();
    await acceptOne(newAcceptor(), email);
    expect(await isStored(email)).toBe(true);
  });
});

describe('a submission of many emails', () => {
  const SEVERAL_SLICES = 9 * SLICE_EMAILS;
  const many = (count: number, to: TestOrganization) =>
    Array.from({ length: count }, (_, i) => newEmail({ subject: `No. ${i}` }, to));

  it('is stored whole in one transaction, although its rows go in slices', async () => {
    const own = await server.createOrganization('Whole');
    const emails = many(SEVERAL_SLICES, own);
    const results = await newAcceptor().accept({ emails, completion: null });
    expect(results.every((result) => result.kind === 'accepted')).toBe(true);
    expect(await transactionsOf(own.id)).toBe(1);
    expect(
      await Promise.all(
        [0, SLICE_EMAILS - 1, SLICE_EMAILS, SEVERAL_SLICES - 1].map((i) => isStored(emails[i] as NewEmail)),
      ),
    ).toEqual([true, true, true, true]);
  });

  it.each([SLICE_EMAILS, SEVERAL_SLICES - 1])(
    'leaves nothing behind when the database cannot take No. %d',
    async (bad) => {
      const own = await server.createOrganization('Nothing');
      const before = await storedRows(server.db);
      const emails = many(SEVERAL_SLICES, own);
      emails[bad] = { ...(emails[bad] as NewEmail), id: (emails[0] as NewEmail).id };
      await expect(newAcceptor().accept({ emails, completion: null })).rejects.toMatchObject({
        code: '23505',
      });
      expect(await storedRows(server.db)).toEqual(before);
    },
  );

  it('does not get into the way of others of the same organization', async () => {
    const own = await server.createOrganization('Crowded');
    const acceptor = newAcceptor();
    const sizes = [300, 250, 1, 120, 1, 300];
    const results = await Promise.all(
      sizes.map((count) => acceptor.accept({ emails: many(count, own), completion: null })),
    );
    expect(results.map((group) => group.length)).toEqual(sizes);
    expect(results.flat().every((result) => result.kind === 'accepted')).toBe(true);
  });

  it('leaves nothing behind when it is over the limit, and says so', async () => {
    const own = await server.createOrganization('Limited');
    await setDailyLimit(server.db, own.id, SEVERAL_SLICES - 1);
    const before = await storedRows(server.db);
    const emails = many(SEVERAL_SLICES, own).map((email) => ({ ...email, batchId: 'batch_over' }));
    const results = await newAcceptor().accept({ emails, completion: null });
    expect(new Set(results.map((result) => result.kind))).toEqual(new Set(['limit_exceeded']));
    expect(await storedRows(server.db)).toEqual(before);
  });
});

describe('emails of several organizations, some of which reach their limits', () => {
  it('are each told whether they fit, at once and afterwards', async () => {
    const all = await Promise.all(['A', 'B', 'C'].map((name) => server.createOrganization(name)));
    const [a, b, c] = all as [TestOrganization, TestOrganization, TestOrganization];
    await setDailyLimit(server.db, a.id, 2);
    await setDailyLimit(server.db, b.id, 1);
    const acceptor = newAcceptor();
    const round = () =>
      Promise.all(
        [a, c, b, a, c, b, a, c].map(async (to) => {
          const [result] = await acceptor.accept({ emails: [newEmail({}, to)], completion: null });
          return result?.kind;
        }),
      );
    const [yes, no] = ['accepted', 'limit_exceeded'];
    expect(await round()).toEqual([yes, yes, yes, yes, yes, no, no, yes]);
    expect(await round()).toEqual([no, yes, no, no, yes, no, no, yes]);
  });
});

describe('the counters', () => {
  it('equal a full count, whatever happened', async () => {
    const { id } = await server.createOrganization('Counted');
    const acceptor = newAcceptor();
    const emails = Array.from({ length: 40 }, (_, i) => ({
      ...newEmail({ cc: [{ email: 'c@example.org' }] }),
      organizationId: id,
      createdAtMs: Date.now() - (i % 3) * 86_400_000,
    }));
    await server.addVerifiedDomain(id, org.domain);
    await Promise.all(emails.map((email) => acceptOne(acceptor, email)));
    const states: RecipientState[] = ['delivered', 'bounced', 'failed', 'deferred', 'opened'];
    await Promise.all(
      emails.flatMap((email, i) =>
        [0, 1].map((position) => {
          const state = states[(i * 3 + position) % states.length] as RecipientState;
          const outcome = {
            organizationId: id,
            emailId: email.id,
            position,
            state,
            attempts: 1,
            atMs: Date.now(),
          };
          return server.db.transaction((tx) => applyOutcomes(tx, [outcome], Date.now()));
        }),
      ),
    );
    const count = (text: string) => server.db.many(adHoc(text), [id]);
    const counted = await count(
      `SELECT day::text, status, count FROM email_counts WHERE organization_id = $1 AND count <> 0 ORDER BY 1, 2`,
    );
    expect(counted).toEqual(
      await count(
        `SELECT (created_at AT TIME ZONE 'UTC')::date::text AS day, status, count(*) FROM emails
         WHERE organization_id = $1 GROUP BY 1, 2 ORDER BY 1, 2`,
      ),
    );
    expect(counted.length).toBeGreaterThan(5);
  });
});

describe('an overloaded acceptor', () => {
  it('refuses at once with 503 and when to come back, and recovers', async () => {
    const acceptor = newAcceptor();
    const deps = {
      db: server.db,
      acceptor,
      templates: new TemplateLibrary(server.db),
      autoValidation: { isOn: async () => false, refusedAmong: async () => [] },
      ...NO_SETTINGS,
      streams: { of: async () => undefined, names: async () => [] },
      files: new LinkedFiles({ fetchFile: async () => ({ kind: 'no_room' }) }),
      clock: systemClock,
      hasDiskSpace: () => true,
    };
    const sender = { keyId: 'key_x', organizationId: org.id, tiedTo: null, policy: null };
    const draft = toDraft(letter(org, { html: 'x'.repeat(1_000) }) as SendBody, []);
    const send = () => submit(deps, sender, draft);
    const unverified = newEmail({ from: { email: 'a@unverified.example' } });
    const heavy = { ...unverified, html: 'x'.repeat(64 * 1024 * 1024 - 5_000) };
    let waiting: Promise<unknown> | undefined;
    await holding(server.db, async (tx) => {
      await tx.exec(adHoc('LOCK TABLE domains IN ACCESS EXCLUSIVE MODE'));
      waiting = Promise.all([unverified, heavy].map((email) => acceptOne(acceptor, email)));
      const refused = await send();
      expect(refused).toEqual({ kind: 'overloaded' });
      expect(refusalError(refused as Refused)).toMatchObject({
        code: 'UNAVAILABLE',
        statusCode: 503,
        retryAfterSeconds: 1,
      });
    });
    await waiting;
    expect(await send()).toMatchObject({ kind: 'accepted' });
  });
});

/** Last: ids never go back in time within a process. */
describe('when maintenance failed to make partitions', () => {
  it('accept makes those of the week itself, also for many at once', async () => {
    const clock = { nowMs: () => Date.now() + 20 * WEEK_MS };
    const future = await startApi({ clock, database: server.database });
    try {
      const later = await future.createOrganization('Later');
      const partitions = async () =>
        (
          await server.db.one(
            adHoc<{ count: number }>(`SELECT count(*) FROM pg_inherits WHERE inhparent = 'emails'::regclass`),
          )
        ).count;
      const before = await partitions();
      const sent = await Promise.all(Array.from({ length: 20 }, () => sendLetter(future, later)));
      expect(new Set(sent).size).toBe(20);
      expect(await partitions()).toBe(before + 1);
      const { body } = await future.api('GET', `/emails/${sent[7]}`, undefined, later.key);
      expect(body.data).toMatchObject({ id: sent[7], status: 'queued' });
      expect(body.data.events).toHaveLength(1);
    } finally {
      await future.stop();
    }
  });
});
