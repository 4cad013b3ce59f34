/** Holds over HTTP: permissions to place and end them, and their visibility. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { executeEndingHolds } from '../../src/interventions/holds/end-holds.ts';
import { placeHold } from '../../src/interventions/holds/store.ts';
import { join, type Person, signUpOwner } from '../accounts/people.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { countsDiffer } from '../support/counts.ts';
import { letter } from '../support/emails.ts';
import { newWorker } from '../support/outbox.ts';
import { seedMail } from '../support/seed-mail.ts';

const REASON = 'Wrong prices';

let server: TestApi;
let first: TestOrganization;
let operator: Person;
let reader: Person;

beforeAll(async () => {
  server = await startApi();
  first = await server.createOrganization('First');
  operator = await signUpOwner(server);
  reader = await join(server, operator, 'reader@example.org', 'read_only');
  await newWorker(server.db);
  await server.db.exec(
    adHoc(
      `INSERT INTO site_domains (domain, site, provider) VALUES ('gmail.test', 'mx.gmail.test', 'gmail')`,
    ),
  );
});
afterAll(() => server.stop());

const place = (body: unknown, key = first.key) => server.api('POST', '/holds', body, key);
const end = (id: string, verb: 'release' | 'discard', key: string) =>
  server.api('POST', `/holds/${id}/${verb}`, verb === 'discard' ? { reason: REASON } : undefined, key);
const carryOut = () => executeEndingHolds({ db: server.db, nowMs: Date.now }, AbortSignal.timeout(10_000));

describe('placing a hold', () => {
  it('says what it stops, who placed it, and how much mail it holds', async () => {
    const { id: organizationId, key } = await server.createOrganization();
    await seedMail(server.db, { organizationId, domain: 'a.test', count: 2, dueInMs: -60_000 });
    await seedMail(server.db, { organizationId, domain: 'a.test', count: 1, dueInMs: 3_600_000 });
    const { status, body } = await place({ scope: 'organization', reason: REASON }, key);
    expect(status).toBe(201);
    const mail = { held: 2, expired: 0, later: 1, oldest_at: expect.any(String) };
    expect(body.data).toMatchObject({
      ...{ mail, scope: 'organization', value: null, reason: REASON, state: 'in_force', by_operator: false },
      ...{ organization_id: organizationId, placed_by: 'test', decision: null, ended_at: null },
    });
    const read = await server.api('GET', `/holds/${body.data.id}`, undefined, key);
    expect(read.body.data).toEqual(body.data);
  });

  it('counts only what it covers', async () => {
    const { id: organizationId, key, domain } = await server.createOrganization();
    const template = await server.api(
      'POST',
      '/templates',
      { name: 'T', subject: 'S', html: '<p>x</p>' },
      key,
    );
    const templateId = template.body.data.id;
    const from = { email: `a@${domain}` };
    const to = [{ email: 'b@gmail.test' }];
    await server.api('POST', '/emails/send', { from, to, subject: 'S', template_id: templateId }, key);
    const tags = [{ name: 'kind', value: 'news' }];
    await server.api('POST', '/emails/send', { from, to, subject: 'S', text: 't', tags }, key);
    const own = (body: object) => place(body, key);
    const held = async (target: object, by: (body: object) => ReturnType<typeof place>) => {
      const { id } = (await by({ ...target, reason: REASON })).body.data;
      const read =
        by === own ? server.api('GET', `/holds/${id}`, undefined, key) : operator.api('GET', `/holds/${id}`);
      return (await read).body.data.mail.held;
    };
    expect(await held({ scope: 'template', value: templateId }, own)).toBe(1);
    expect(await held({ scope: 'tag', value: 'kind' }, own)).toBe(1);
    expect(await held({ scope: 'tag', value: 'kind:news' }, own)).toBe(1);
    expect(await held({ scope: 'tag', value: 'kind:other', ahead: true }, own)).toBe(0);
    expect(await held({ scope: 'domain', value: domain.toUpperCase() }, own)).toBe(2);
    const byOperator = (body: object) => operator.api('POST', '/holds', body);
    expect(await held({ scope: 'provider', value: 'gmail' }, byOperator)).toBe(2);
    expect(await held({ scope: 'provider', value: 'mx.gmail.test' }, byOperator)).toBe(2);
    expect(organizationId).not.toBe(first.id);
  });

  it('of the tag message-stream keeps the mail of that stream', async () => {
    const org = await server.createOrganization();
    for (const stream of ['bulk', 'transactional'])
      await server.api('POST', '/emails/send', letter(org, { stream }), org.key);
    const held = async (value: string) => {
      const { id } = (await place({ scope: 'tag', value, reason: REASON }, org.key)).body.data;
      return (await server.api('GET', `/holds/${id}`, undefined, org.key)).body.data.mail.held;
    };
    expect(await held('message-stream:bulk')).toBe(1);
    expect(await held('message-stream')).toBe(1);
    expect(await held('message-stream:transactional')).toBe(1);
    const unused = { scope: 'tag', value: 'message-stream:news', reason: REASON };
    expect((await place(unused, org.key)).status).toBe(400);
  });

  it.each([
    [{ scope: 'template', reason: REASON }, 'must say which template'],
    [{ scope: 'template', value: 'tmpl_none', reason: REASON }, 'is not a template of this organization'],
    [{ scope: 'domain', value: 'other.example', reason: REASON }, 'is not a domain of this organization'],
    [{ scope: 'domain', value: 'no domain', reason: REASON }, 'which no domain name can'],
    [{ scope: 'organization', value: 'x', reason: REASON }, 'must be left out'],
    [{ scope: 'tag', value: ':x', reason: REASON }, '`name` or `name:value`'],
    [{ scope: 'tag', value: 'nobodys', reason: REASON }, 'that no mail of this organization has'],
    [{ scope: 'key', value: 'key_none', reason: REASON }, 'is not the id of an API key of this organization'],
  ])('is refused where it could stop nothing: %j', async (body, words) => {
    const answer = await place(body);
    expect([answer.status, answer.body.error.details[0].field]).toEqual([400, 'value']);
    expect(answer.body.error.message).toContain(words);
  });

  it('needs a reason, and a known scope', async () => {
    expect((await place({ scope: 'organization' })).body.error.details[0].field).toBe('reason');
    expect((await place({ scope: 'organization', reason: '  ' })).status).toBe(400);
    expect((await place({ scope: 'everything', reason: REASON })).body.error.details[0].field).toBe('scope');
  });

  it('is refused twice', async () => {
    const { key } = await server.createOrganization();
    const body = { scope: 'tag', value: 'twice', ahead: true, reason: REASON };
    expect((await place(body, key)).status).toBe(201);
    const again = await place(body, key);
    expect([again.status, again.body.error.code]).toEqual([409, 'CONFLICT']);
  });

  it('of everything, or of a provider, is for operators', async () => {
    for (const body of [
      { scope: 'all', reason: REASON },
      { scope: 'provider', value: 'gmail', reason: REASON },
    ]) {
      expect((await place(body)).body.error.code).toBe('FORBIDDEN');
    }
    const { status, body } = await operator.api('POST', '/holds', { scope: 'all', reason: REASON });
    expect([status, body.data.by_operator, body.data.organization_id]).toEqual([201, true, null]);
    expect((await server.api('GET', `/holds/${body.data.id}`, undefined, first.key)).status).toBe(404);
    const { id } = body.data;
    expect((await operator.api('POST', `/holds/${id}/release`)).body.data.state).toBe('releasing');
    await carryOut();
    expect((await operator.api('GET', `/holds/${id}`)).body.data.state).toBe('released');
  });

  it('is not for those who may only read', async () => {
    const body = { scope: 'organization', reason: REASON };
    expect((await reader.api('POST', '/holds', body)).status).toBe(403);
    expect((await reader.api('GET', '/holds')).status).toBe(200);
    const key = await server.createKey(first.id, { scope: 'read' });
    expect((await place(body, key)).status).toBe(403);
  });
});

describe('the list', () => {
  it('shows an organization its own, those in force first, and operators what operators placed', async () => {
    const { key } = await server.createOrganization();
    const ids: string[] = [];
    for (const value of ['a', 'b']) {
      ids.push((await place({ scope: 'tag', value, ahead: true, reason: REASON }, key)).body.data.id);
    }
    await end(ids[1] as string, 'release', key);
    const { body } = await server.api('GET', '/holds', undefined, key);
    expect(body.data.map((one: { id: string }) => one.id)).toEqual(ids);
    expect(body.pagination.total_count).toBe(2);
    expect((await server.api('GET', '/holds?view=installation', undefined, key)).status).toBe(403);
    const { body: placed } = await operator.api('POST', '/holds', { scope: 'all', reason: REASON });
    const { data } = (await operator.api('GET', '/holds?view=installation&limit=100')).body;
    expect(data.map((one: { id: string }) => one.id)).toContain(placed.data.id);
    expect(data.every((one: { by_operator: boolean }) => one.by_operator)).toBe(true);
    await operator.api('POST', `/holds/${placed.data.id}/release`);
    await carryOut();
  });

  it('of another organization is nobody’s, not even an operator’s', async () => {
    const { key } = await server.createOrganization();
    const { id } = (await place({ scope: 'organization', reason: REASON }, key)).body.data;
    expect((await operator.api('GET', `/holds/${id}`)).status).toBe(404);
    expect((await operator.api('POST', `/holds/${id}/release`)).status).toBe(404);
  });
});

describe('ending a hold', () => {
  it('that an operator placed is for operators', async () => {
    const { id: organizationId, key } = await server.createOrganization();
    const hold = await placeHold(server.db, { scope: 'organization', organizationId, reason: 'Abuse' });
    const { id = '' } = hold ?? {};
    expect((await server.api('GET', `/holds/${id}`, undefined, key)).body.data.by_operator).toBe(true);
    expect((await end(id, 'release', key)).body.error.code).toBe('FORBIDDEN');
    expect((await operator.api('POST', `/holds/${id}/release`)).status).toBe(200);
  });

  it('is decided once', async () => {
    const { key } = await server.createOrganization();
    const { id } = (await place({ scope: 'organization', reason: REASON }, key)).body.data;
    expect((await end(id, 'release', key)).status).toBe(200);
    expect((await end(id, 'discard', key)).body.error.code).toBe('CONFLICT');
  });

  it('by discarding ends every recipient as failed, counts exactly, and is in the audit log', async () => {
    const { body: placed } = await operator.api('POST', '/holds', { scope: 'organization', reason: REASON });
    const to = [{ email: 'a@x.test' }, { email: 'b@x.test' }];
    const mail = { from: { email: `a@${first.domain}` }, to, subject: 'S', text: 't' };
    const sent = await server.api('POST', '/emails/send', mail, first.key);
    const later = { ...mail, scheduled_at: new Date(Date.now() + 3_600_000).toISOString() };
    await server.api('POST', '/emails/send', later, first.key);
    const { id } = placed.data;
    const { body } = await operator.api('POST', `/holds/${id}/discard`, { reason: 'Sent by mistake' });
    expect(body.data).toMatchObject({
      state: 'discarding',
      decision: { kind: 'discard', reason: 'Sent by mistake', by: operator.email },
    });
    await carryOut();
    expect((await operator.api('GET', `/holds/${id}`)).body.data).toMatchObject({
      ...{ state: 'discarded', discarded: 4, released: 0, mail: { held: 0, later: 0, oldest_at: null } },
    });
    const email = (await server.api('GET', `/emails/${sent.body.data.message_id}`, undefined, first.key)).body
      .data;
    expect([email.status, email.events.at(-1).type, email.events.at(-1).reason]).toEqual([
      ...['failed', 'rejected', 'hold_discarded'],
    ]);
    const wrong = await countsDiffer(server.db);
    expect(wrong.filter((one) => one.organization_id === first.id)).toEqual([]);
    const log = (await operator.api('GET', '/audit-log?limit=2')).body.data;
    expect(log).toMatchObject([
      {
        action: 'hold.discarded',
        target: { id, name: 'organization' },
        details: { reason: 'Sent by mistake' },
      },
      { action: 'hold.placed', target: { id }, details: { scope: 'organization', reason: REASON } },
    ]);
  });
});

describe('explaining a mail', () => {
  it('says who holds it, since when and why, and what to do', async () => {
    const { key, domain } = await server.createOrganization();
    const { id } = (await place({ scope: 'domain', value: domain, reason: REASON }, key)).body.data;
    const mail = { from: { email: `a@${domain}` }, to: [{ email: 'b@c.test' }], subject: 'S', text: 't' };
    const sent = await server.api('POST', '/emails/send', mail, key);
    const { body } = await server.api('GET', `/emails/${sent.body.data.message_id}/explain`, undefined, key);
    const [recipient] = body.data.recipients;
    expect(recipient).toMatchObject({
      status: 'queued',
      next_attempt_at: null,
      hold: { id, scope: 'domain', value: domain, reason: REASON, by_operator: false },
      problem: {
        reason: 'held',
        responsible: 'sender',
        advice: expect.stringContaining(`/holds/${id}/release`),
      },
      wait: { expected_at: null },
    });
    expect(recipient.problem.meaning).toMatch(
      /^The email has been held by your organization since .* UTC: Wrong prices$/,
    );
    expect(recipient.wait.message).toBe(recipient.problem.meaning);
  });
});
