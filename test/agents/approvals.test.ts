/** Mail that waits for approval: what the people who decide see, and what becomes of it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endApprovals } from '../../src/interventions/approvals/service.ts';
import { DAY_MS } from '../../src/runtime/durations.ts';
import { until } from '../support/until.ts';
import { type AgentFixture, letter, startAgentFixture } from './agent-fixture.ts';

let fixture: AgentFixture;

beforeAll(async () => {
  fixture = await startAgentFixture();
});
afterAll(() => fixture.stop());

async function waiting(to: string, changes: object = {}): Promise<string> {
  const { body } = await fixture.send(fixture.keys.careful.key, { to: [{ email: to }], ...changes });
  return body.data.message_id;
}

const approve = (id: string, by = fixture.member) => by.api('POST', `/approvals/${id}/approve`);
const read = async (id: string) => (await fixture.owner.api('GET', `/emails/${id}`)).body.data;
const reasons = async (id: string) =>
  (await read(id)).events.map(({ type, reason }: { type: string; reason: string | null }) => [type, reason]);
const arrived = (to: string) =>
  until(
    () => fixture.left(),
    (left) => left.includes(to),
  );

describe('mail that waits for approval', () => {
  it('is accepted, says so, and is listed with what will be sent', async () => {
    const id = await waiting('list@team.example', { cc: [{ email: 'cc@team.example' }] });
    expect(await read(id)).toMatchObject({ status: 'queued', state: 'awaiting_approval' });
    const { body } = await fixture.reader.api('GET', '/approvals');
    const shown = body.data.find((one: { id: string }) => one.id === id);
    expect(shown).toMatchObject({
      ...{ state: 'waiting', subject: 'Hello', api_key_name: 'agent', decided_by: null, reason: null },
      ...{ to: [{ email: 'list@team.example', name: null }], cc: [{ email: 'cc@team.example', name: null }] },
    });
    expect(Date.parse(shown.expires_at) - Date.parse(shown.requested_at)).toBe(7 * DAY_MS);
    const list = await fixture.owner.api('GET', '/emails?state=awaiting_approval');
    expect(list.body.data.map((one: { id: string }) => one.id)).toContain(id);
    const explained = await fixture.owner.api('GET', `/emails/${id}/explain`);
    expect(explained.body.data.recipients[0].problem).toMatchObject({ reason: 'awaiting_approval' });
  });

  it('is sent once somebody approves it, and its events and the audit log say so', async () => {
    const id = await waiting('yes@team.example');
    const { status, body } = await approve(id);
    expect([status, body.data.state, body.data.decided_by_name]).toEqual([
      200,
      'approved',
      'member@example.org',
    ]);
    await arrived('yes@team.example');
    expect((await reasons(id)).slice(0, 3)).toEqual([
      ['queued', null],
      ['queued', 'awaiting_approval'],
      ['queued', 'approved'],
    ]);
    const log = await fixture.owner.api('GET', '/audit-log');
    expect(log.body.data[0]).toMatchObject({ action: 'approval.approved', target: { id, name: 'Hello' } });
  });

  it('is sent as it was when it was submitted, however its template is changed', async () => {
    const id = await waiting('pinned@team.example', {
      ...{ text: undefined, template_id: 'welcome', template_data: { name: 'Ann' }, subject: '{{name}}' },
    });
    const before = (await fixture.owner.api('GET', `/emails/${id}/content`)).body.data;
    await fixture.owner.api('PUT', `/templates/${fixture.templates.welcome}`, { html: '<p>Pay now</p>' });
    await approve(id);
    await arrived('pinned@team.example');
    const { body } = await fixture.owner.api('GET', '/sandbox/messages?to=pinned@team.example');
    const message = await fixture.owner.api('GET', `/sandbox/messages/${body.data[0].id}`);
    expect(message.body.data.html).toContain('welcome Ann');
    expect((await fixture.owner.api('GET', `/emails/${id}/content`)).body.data).toEqual(before);
  });

  it('is sent once, however many approve it at the same time', async () => {
    const id = await waiting('once@team.example');
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => approve(id, n % 2 === 0 ? fixture.member : fixture.owner)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)]);
    await arrived('once@team.example');
    expect((await fixture.left()).filter((to) => to === 'once@team.example')).toHaveLength(1);
  });

  it('is either approved or rejected where two decide at the same time', async () => {
    const id = await waiting('race@team.example');
    const answers = await Promise.all([
      approve(id),
      fixture.owner.api('POST', `/approvals/${id}/reject`, { reason: 'No' }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const { state } = (await fixture.owner.api('GET', `/approvals/${id}`)).body.data;
    const left = await fixture.left();
    expect(left.includes('race@team.example')).toBe(state === 'approved');
  });

  it('ends as failed when it is rejected, with who did it and why', async () => {
    const id = await waiting('no@team.example');
    await fixture.member.api('POST', `/approvals/${id}/reject`, { reason: 'Wrong price' });
    expect(await read(id)).toMatchObject({ status: 'failed', state: 'withdrawn' });
    expect((await reasons(id)).at(-1)).toEqual(['rejected', 'approval_rejected']);
    const { body } = await fixture.owner.api('GET', '/approvals?state=decided');
    expect(body.data[0]).toMatchObject({ id, state: 'rejected', reason: 'Wrong price' });
    expect(body.data[0].decided_by_name).toBe('member@example.org');
  });

  it('waits for the time it is scheduled for once it is approved', async () => {
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const id = await waiting('later@team.example', { scheduled_at: at });
    await approve(id);
    expect(await read(id)).toMatchObject({ state: 'scheduled', scheduled_at: at });
    await fixture.server.api('POST', `/emails/${id}/cancel`, undefined, fixture.org.key);
    expect(await fixture.left()).not.toContain('later@team.example');
  });

  it('is rejected automatically after a week without a decision', async () => {
    const id = await waiting('old@team.example');
    const clock = { nowMs: () => Date.now() + 8 * DAY_MS };
    await endApprovals({ db: fixture.server.db, clock }, AbortSignal.timeout(30_000));
    expect((await reasons(id)).at(-1)).toEqual(['rejected', 'approval_expired']);
    expect((await approve(id)).status).toBe(409);
    expect((await fixture.owner.api('GET', `/approvals/${id}`)).body.data.state).toBe('expired');
  });

  it('is sent from a batch email by email', async () => {
    const recipients = ['x1', 'x2'].map((name) => ({
      to: { email: `${name}@team.example` },
      data: { name },
    }));
    const body = { from: letter(fixture.org).from, template_id: 'other', recipients };
    const batch = await fixture.server.api('POST', '/emails/batch', body, fixture.keys.careful.key);
    expect(batch.body.data.accepted).toBe(2);
    const { body: list } = await fixture.owner.api('GET', '/approvals?limit=100');
    const [first] = list.data.filter((one: { subject: string }) => one.subject === 'other x1');
    await approve(first.id);
    await arrived('x1@team.example');
    expect(await fixture.left()).not.toContain('x2@team.example');
  });
});

describe('an approval', () => {
  it('of mail that needed none is not found', async () => {
    const { body } = await fixture.send(fixture.org.key);
    expect((await approve(body.data.message_id)).status).toBe(404);
    expect((await approve('nothing')).status).toBe(404);
  });

  it('is not seen by other organizations', async () => {
    const id = await waiting('mine@team.example');
    expect((await fixture.stranger.api('GET', `/approvals/${id}`)).status).toBe(404);
    expect((await fixture.stranger.api('GET', '/approvals')).body.data).toEqual([]);
  });
});
