/** The answer to a send request names the hold that will keep the email. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { GUARD } from '../../src/interventions/holds/guard-findings.ts';
import { placeHold } from '../../src/interventions/holds/store.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { letter } from '../support/emails.ts';
import { until } from '../support/until.ts';

let server: TestApi;
let free: TestOrganization;
let held: TestOrganization;
let holdId: string;
beforeAll(async () => {
  server = await startApi();
  free = await server.createOrganization('Free');
  held = await server.createOrganization('Held');
  const hold = { scope: 'organization', reason: 'Wrong prices.' };
  holdId = (await server.api('POST', '/holds', hold, held.key)).body.data.id;
});
afterAll(() => server.stop());

const send = (org: TestOrganization, changes: Record<string, unknown> = {}) =>
  server.api('POST', '/emails/send', letter(org, changes), org.key);

const expectedHold = () => ({
  id: holdId,
  reason: 'Wrong prices.',
  placed_by: expect.any(String),
  placed_at: expect.any(String),
});

describe('the answer to a send', () => {
  it('has the state held and the hold, with the same status as ever', async () => {
    const { status, body } = await send(held);
    expect(status).toBe(201);
    expect(body.data).toEqual({
      message_id: expect.any(String),
      status: 'queued',
      queued_at: expect.any(String),
      state: 'held',
      hold: expectedHold(),
    });
  });

  it('has no new field where no hold keeps the email', async () => {
    const { body } = await send(free);
    expect(Object.keys(body.data).toSorted()).toEqual(['message_id', 'queued_at', 'status']);
  });

  it('has no hold for an email that is scheduled: the hold may have ended by then', async () => {
    const { body } = await send(held, { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() });
    expect(body.data).not.toHaveProperty('hold');
  });

  it('is the same when it is repeated with an Idempotency-Key', async () => {
    const keyed = async () => {
      const headers = {
        authorization: `Bearer ${held.key}`,
        'content-type': 'application/json',
        'idempotency-key': 'held once',
      };
      const body = JSON.stringify(letter(held));
      return fetch(`${server.url}/api/v1/emails/send`, { method: 'POST', headers, body });
    };
    const first = (await (await keyed()).json()) as { data: { hold: unknown } };
    const again = await keyed();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await again.json()).toEqual(first);
    expect(first.data.hold).toEqual(expectedHold());
  });

  it('names the guard where a lane is held', async () => {
    const org = await server.createOrganization('Lane');
    await server.db.exec(
      adHoc(
        `INSERT INTO site_domains (domain, site, provider) VALUES ('customer.example', 'mx.example', 'google')`,
      ),
    );
    const value = `${org.domain} to google`;
    const reason = 'google refused 16 of the last 16 emails of this lane.';
    await placeHold(server.db, {
      scope: 'lane',
      value,
      organizationId: org.id,
      reason,
      by: GUARD,
      byOperator: false,
    });
    const { body } = await until(
      () => send(org, { to: [{ email: 'ada@customer.example' }] }),
      (answer) => answer.body.data.hold !== undefined,
    );
    expect(body.data.hold).toMatchObject({ reason, placed_by: 'guard' });
    const other = await send(org, { to: [{ email: 'ada@elsewhere.example' }] });
    expect(other.body.data).not.toHaveProperty('hold');
  });
});

describe('the answer to a batch', () => {
  const batch = async (org: TestOrganization) => {
    const template = { name: 'News', subject: 'News', text: 'Hello' };
    const { id } = (await server.api('POST', '/templates', template, org.key)).body.data;
    const recipients = ['one', 'two'].map((name) => ({ to: { email: `${name}@customer.example` } }));
    const request = { from: { email: `hello@${org.domain}` }, template_id: id, recipients };
    return (await server.api('POST', '/emails/batch', request, org.key)).body.data;
  };

  it('counts the accepted emails that a hold keeps, and names the hold', async () => {
    expect(await batch(held)).toMatchObject({ accepted: 2, held: 2, hold: expectedHold() });
    expect(await batch(free)).not.toHaveProperty('hold');
  });

  it('has the hold of each email where the emails differ', async () => {
    const { body } = await server.api('POST', '/emails/batch/mixed', { emails: [letter(held)] }, held.key);
    expect(body.data.results[0]).toMatchObject({ state: 'held', hold: expectedHold() });
  });
});
