/** Mail that waits for a connection while its organization moves: the cell that it has left neither takes nor judges it. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isUnavailable } from '../../src/database/errors.ts';
import { adHoc, type Sql } from '../../src/database/sql.ts';
import { insertDomain } from '../../src/domains/store.ts';
import { ReceivedIntake } from '../../src/inbound/received/intake.ts';
import { endInCells, placeInCells } from '../../src/interventions/holds/holds-in-cells.ts';
import { findHold } from '../../src/interventions/holds/store.ts';
import { createLifetime } from '../../src/outbox/lifetime.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { DAY_MS } from '../../src/runtime/durations.ts';
import { newId } from '../../src/runtime/ids.ts';
import { createLog } from '../../src/runtime/log.ts';
import { Acceptor } from '../../src/submission/accept.ts';
import type { Submission } from '../../src/submission/email-acceptor.ts';
import { domainName } from '../support/addresses.ts';
import { letter, newEmailOf } from '../support/emails.ts';
import { failureOf, NarrowCell } from '../support/narrow-cell.ts';
import { mailOf } from '../support/receiving.ts';

/** Beyond what goes in one statement. */
const MANY = 21;

let cell: NarrowCell;
let org: string;
let stayer: string;
beforeAll(async () => {
  cell = await NarrowCell.create();
});
afterAll(() => cell.drop());
beforeEach(async () => {
  cell.open();
  org = await cell.createOrganization('Mover');
  stayer = await cell.createOrganization('Stayer');
  await cell.refreshDirectory();
});
afterEach(() => cell.close());

const domainOf = (organizationId: string) => `${organizationId.replace('_', '-')}.test`;

async function verify(db: Sql, organizationId: string): Promise<void> {
  const now = new Date();
  await insertDomain(db, {
    id: newId('dom'),
    organization_id: organizationId,
    domain: domainName(domainOf(organizationId)),
    spf_verified: true,
    dkim_verified: true,
    verified_at: now,
    next_check_at: new Date(now.getTime() + DAY_MS),
    created_at: now,
  });
}

const submissionOf = (organizationId: string, number = 1): Submission => ({
  emails: Array.from({ length: number }, () =>
    newEmailOf(organizationId, letter({ domain: domainOf(organizationId) })),
  ),
  completion: null,
});

/** As it is for each cell by itself. */
const acceptor = () =>
  new Acceptor({
    db: cell.db.of(stayer),
    mode: 'live',
    lifetimeMs: createLifetime(1),
    waker: { wake: () => undefined, withCommit: () => null },
  });

async function storedIn(db: Sql, table: string, organizationId: string): Promise<number> {
  const text = `SELECT count(*) FROM ${table} WHERE organization_id = $1`;
  return (await db.one(adHoc<{ count: number }>(text), [organizationId])).count;
}

describe.each([
  ['an email without a key for repetitions', 1],
  ['a request with many emails', MANY],
])('%s, whose organization moved while it waited', (_what, number) => {
  it('is not said to come from a domain that is not verified', async () => {
    await verify(cell.main.db, org);
    const error = await failureOf(
      cell.waitedFor(
        () => acceptor().accept(submissionOf(org, number)),
        () => cell.assignCell(org, 'main'),
      ),
    );
    expect(isUnavailable(error)).toBe(true);
  });

  it('is not written where the organization was', async () => {
    for (const { db } of [cell.main, cell.two]) await verify(db, org);
    const error = await failureOf(
      cell.waitedFor(
        () => acceptor().accept(submissionOf(org, number)),
        () => cell.assignCell(org, 'main'),
      ),
    );
    expect(isUnavailable(error)).toBe(true);
    expect(await storedIn(cell.two.db, 'emails', org)).toBe(0);
  });

  it('is accepted where nobody has moved', async () => {
    await verify(cell.two.db, org);
    const results = await cell.waitedFor(
      () => acceptor().accept(submissionOf(org, number)),
      async () => undefined,
    );
    expect(results).toEqual(Array.from({ length: number }, () => ({ kind: 'accepted' })));
  });
});

describe('emails of several organizations that waited together', () => {
  it('are accepted but for those of the one that moved', async () => {
    for (const id of [org, stayer]) await verify(cell.two.db, id);
    const accepts = acceptor();
    const key = { organizationId: stayer, key: 'once', run: null };
    const completion = { key, answer: () => ({ status: 201, body: {} }) };
    const [stayed, moved] = await cell.waitedFor(
      () =>
        Promise.allSettled([
          accepts.accept({ ...submissionOf(stayer), completion }),
          accepts.accept(submissionOf(org)),
        ]),
      () => cell.assignCell(org, 'main'),
    );
    expect(stayed).toEqual({ status: 'fulfilled', value: [{ kind: 'accepted' }] });
    expect(moved.status === 'rejected' && isUnavailable(moved.reason)).toBe(true);
    expect(await storedIn(cell.two.db, 'emails', org)).toBe(0);
  });
});

describe('received mail of two organizations, of which the second moved while it waited', () => {
  it('is stored for neither, and its sender comes back', async () => {
    const intake = new ReceivedIntake({
      db: cell.db.of(stayer),
      clock: systemClock,
      log: createLog('test', 'silent'),
      onStored: () => undefined,
    });
    const receivers = [stayer, org].map((organizationId) => ({
      organizationId,
      address: `support@${domainOf(organizationId)}`,
      routeId: null,
      emailId: null,
    }));
    const raw = Buffer.from(mailOf({}, 'Hello'));
    const envelope = { mailFrom: 'ada@example.org', remoteAddress: '127.0.0.1', helo: 'example.org' };
    const stored = await cell.waitedFor(
      () => intake.store({ receivers, ...envelope, secured: false, raw }),
      () => cell.assignCell(org, 'main'),
    );
    expect(stored).toBe('failed');
    for (const id of [stayer, org]) expect(await storedIn(cell.two.db, 'received_emails', id)).toBe(0);
  });
});

describe('the end of a hold of an organization that moved while it waited', () => {
  it('is not decided where the organization was', async () => {
    const hold = await placeInCells(cell.db, { scope: 'organization', organizationId: org, reason: 'test' });
    if (hold === undefined) throw new Error('there was such a hold');
    const ending = { how: 'release', reason: null, by: 'a test' } as const;
    const error = await failureOf(
      cell.waitedFor(
        () => endInCells(cell.db, hold, ending),
        () => cell.assignCell(org, 'main'),
      ),
    );
    expect(isUnavailable(error)).toBe(true);
    expect(await findHold(cell.two.db, hold.id)).toMatchObject({ ending: null });
  });
});
