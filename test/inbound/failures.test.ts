/**
 * PostgreSQL says no, in every way it has, while a report comes in or is recorded. Whoever brings it is told to come back;
 * what was taken is recorded once, and set aside for no trouble that passes.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { sendLetter } from '../support/emails.ts';
import { returnPathTo, startInbound, type TestInbound } from '../support/inbound.ts';
import { PASSING_STATES, Refusals } from '../support/refusals.ts';
import { deliveryReport, markDelivered, ReportSender } from '../support/reports.ts';

let server: TestApi;
let inbound: TestInbound;
let org: TestOrganization;
let refusals: Refusals;
const sender = new ReportSender();
beforeAll(async () => {
  server = await startApi();
  inbound = await startInbound(server.database);
  org = await server.createOrganization();
  refusals = await Refusals.of(server.db);
});
afterAll(async () => {
  await sender.stop();
  await inbound.stop();
  await server.stop();
});

async function delivered(): Promise<string> {
  const id = await sendLetter(server, org, { to: [{ email: `${crypto.randomUUID()}@example.org` }] });
  await markDelivered(server.db, org.id, id);
  return id;
}

const report = (emailId: string) =>
  sender.send(inbound.port, returnPathTo({ organizationId: org.id, emailId, position: 0 }), deliveryReport());

async function bounces(emailId: string): Promise<number> {
  const count = adHoc<{ count: number }>(
    `SELECT count(*) AS count FROM events WHERE email_id = $1 AND type = 'bounced'`,
  );
  return (await server.db.one(count, [emailId])).count;
}

async function stored(): Promise<{ state: string }[]> {
  return server.db.many(adHoc<{ state: string }>('SELECT state FROM inbound_messages'));
}

describe('a report that cannot be stored', () => {
  it.each([...PASSING_STATES, '22012'])('because of %s is brought again', async (state) => {
    const id = await delivered();
    await refusals.refuse(state, 1, { what: 'INSERT', table: 'inbound_messages' });
    expect(await report(id)).toMatchObject({ kind: 'refused', reply: { code: 451 } });
    expect(await report(id)).toMatchObject({ kind: 'accepted' });
    await expect.poll(() => bounces(id), { interval: 20 }).toBe(1);
  });
});

describe('a report that cannot be recorded at once', () => {
  it.each(PASSING_STATES)('because of %s is recorded later, once', async (state) => {
    const id = await delivered();
    await refusals.refuse(state, 2, { what: 'INSERT', table: 'events', when: `NEW.type = 'bounced'` });
    expect(await report(id)).toMatchObject({ kind: 'accepted' });
    await expect.poll(() => bounces(id), { interval: 20 }).toBe(1);
    expect(await stored()).toEqual([]);
  });

  it('because something breaks inside PostgreSQL does not hold up the others', async () => {
    const [bad, good] = [await delivered(), await delivered()];
    const when = `NEW.type = 'bounced' AND NEW.email_id = '${bad}'`;
    await refusals.refuse('XX000', 1_000, { what: 'INSERT', table: 'events', when });
    expect(await report(bad)).toMatchObject({ kind: 'accepted' });
    await expect.poll(() => refusals.asked(), { interval: 20 }).toBeGreaterThan(0);
    expect(await report(good)).toMatchObject({ kind: 'accepted' });
    await expect.poll(() => bounces(good), { interval: 20 }).toBe(1);
    expect(await stored()).toEqual([{ state: 'waiting' }]);
    await refusals.relent();
    await expect.poll(() => bounces(bad), { interval: 20 }).toBe(1);
    expect(await stored()).toEqual([]);
  });
});
