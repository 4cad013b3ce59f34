/** What the policy of a key allows does leave, through every ingress, and what a key and its owner see of it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { type AgentFixture, LISTED, letter, startAgentFixture } from './agent-fixture.ts';

let fixture: AgentFixture;

beforeAll(async () => {
  fixture = await startAgentFixture();
});
afterAll(() => fixture.stop());

/** Once it has come. */
const arrived = (to: string) =>
  until(
    () => fixture.left(),
    (left) => left.includes(to),
  );

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

describe('what a policy allows leaves', () => {
  it.each([
    ['an address of the list', LISTED],
    ['the same in capitals', 'OPS@ALLOWED.EXAMPLE'],
    ['anybody at a listed domain', 'anybody@team.example'],
    ['anybody below a listed domain', 'x@deep.down.sub.example'],
  ])('to %s', async (_, email) => {
    const { status } = await fixture.send(fixture.keys.listed.key, { to: [{ email }] });
    expect(status).toBe(201);
    await arrived(`${email.split('@')[0]}@${email.split('@')[1]?.toLowerCase()}`);
  });

  it('with an answer to the sender’s own domain, and a file', async () => {
    const { domain } = fixture.org;
    const { status } = await fixture.send(fixture.keys.listed.key, {
      ...{ to: [{ email: 'file@team.example' }], reply_to: { email: `support@${domain}` } },
      attachments: [{ filename: 'a.txt', content: Buffer.from('x').toString('base64') }],
    });
    expect(status).toBe(201);
    await arrived('file@team.example');
  });

  it('over SMTP', async () => {
    expect(await fixture.smtp(fixture.keys.listed.key, { to: 'smtp@team.example' })).toMatch(/^250 /);
    await arrived('smtp@team.example');
  });

  it('over the doors of other services', async () => {
    const { key } = fixture.keys.listed;
    const from = `agent@${fixture.org.domain}`;
    const plain = { from, subject: 'Hi', text: 'Hi' };
    await fixture.postCompat('/resend/emails', { ...plain, to: 'resend@team.example' }, bearer(key));
    await fixture.postCompat(
      '/postmark/email',
      { From: from, To: 'postmark@team.example', Subject: 'Hi', TextBody: 'Hi' },
      { 'x-postmark-server-token': key },
    );
    await arrived('resend@team.example');
    await arrived('postmark@team.example');
  });

  it('as a template, with the subject that the template has', async () => {
    const { key } = fixture.keys.templated;
    const { from } = letter(fixture.org);
    const sent = await fixture.server.api(
      'POST',
      '/emails/send',
      {
        ...{ from, to: [{ email: 'new@team.example' }], subject: 'Pay now' },
        ...{ template_id: 'welcome', template_data: { name: 'Ann' } },
      },
      key,
    );
    expect(sent.status).toBe(201);
    await arrived('new@team.example');
    const { body } = await fixture.server.api('GET', `/emails/${sent.body.data.message_id}`, undefined, key);
    expect(body.data.subject).toBe('welcome Ann');
  });

  it('from the senders of the policy, with their names or without, and with answers to them', async () => {
    const { key } = fixture.keys.fixed;
    const { domain } = fixture.org;
    const [support, billing] = [`support@${domain}`, `billing@${domain}`];
    const senders = [
      ['named', { from: { email: support, name: 'Acme Support' } }],
      ['plain', { from: { email: support } }],
      ['capitals', { from: { email: `SUPPORT@${domain}` } }],
      ['other', { from: { email: billing }, reply_to: [{ email: support, name: 'Acme Support' }] }],
    ] as const;
    for (const [name, changes] of senders) {
      const to = [{ email: `${name}@team.example` }];
      const mail = { to, subject: 'x', template_id: 'welcome', template_data: { name: 'Ann' }, ...changes };
      const { status, body } = await fixture.server.api('POST', '/emails/send', mail, key);
      expect([name, status, body.error]).toEqual([name, 201, undefined]);
      await arrived(`${name}@team.example`);
    }
  });

  it('over SMTP from a sender of the policy, with its name', async () => {
    const { domain } = fixture.org;
    const { key } = await fixture.newKey({ from: [`Acme, Inc. <support@${domain}>`], attachments: true });
    const from = { name: 'Acme, Inc.', address: `support@${domain}` };
    expect(await fixture.smtp(key, { from, to: 'named-smtp@team.example' })).toMatch(/^250 /);
    expect(await fixture.smtp(key, { from: from.address, to: 'bare-smtp@team.example' })).toMatch(/^250 /);
    await arrived('named-smtp@team.example');
  });

  it('in a batch, up to the budget, and the budget begins anew for nobody else', async () => {
    const { id, key } = await fixture.newKey({ daily_budget: 3, recipients: ['team.example'] });
    const recipients = [1, 2, 3].map((n) => ({ to: { email: `b${n}@team.example` }, data: { name: 'x' } }));
    const body = { from: letter(fixture.org).from, template_id: 'welcome', recipients };
    const answer = await fixture.server.api('POST', '/emails/batch', body, key);
    expect(answer.body.data).toMatchObject({ accepted: 3, rejected: [] });
    await arrived('b3@team.example');
    const { body: list } = await fixture.owner.api('GET', '/api-keys');
    const shown = list.data.find((one: { id: string }) => one.id === id);
    expect(shown).toMatchObject({ budget_used: 3, policy: { daily_budget: 3, attachments: false } });
    const over = await fixture.send(key, { to: [{ email: 'b4@team.example' }] });
    expect(over.status).toBe(429);
    expect(over.body.error.message).toBe(
      'The budget of this API key is 3 recipients per day (UTC), 3 are used, and this email has 1. The count starts again at midnight UTC.',
    );
    expect((await fixture.send(fixture.keys.listed.key, { to: [{ email: 'b4@team.example' }] })).status).toBe(
      201,
    );
  });
});

describe('a policy', () => {
  it.each([
    ['for a key of scope full', { scope: 'full', policy: {} }, 'policy'],
    ['for a key of scope read', { scope: 'read', policy: {} }, 'policy'],
    ['with a recipient that is none', { policy: { recipients: ['a@b', 'x y'] } }, 'policy.recipients[0]'],
    ['with a sender that is none', { policy: { from: ['a@b', 'x y'] } }, 'policy.from[0]'],
    ['with a sender’s name that is none', { policy: { from: ['A\u0007 <a@b.example>'] } }, 'policy.from[0]'],
    ['with templates and no senders', { policy: { templates: ['*'] } }, 'policy.from'],
    ['with a budget below zero', { policy: { daily_budget: -1 } }, 'policy.daily_budget'],
    ['with a field that is not there', { policy: { budget: 1 } }, 'policy.budget'],
  ])('%s is refused', async (_, wanted, field) => {
    const { status, body } = await fixture.owner.api('POST', '/api-keys', {
      ...{ name: 'x', scope: 'agent' },
      ...wanted,
    });
    expect([status, body.error.details[0].field]).toEqual([400, field]);
  });

  it('can be changed by a member, holds within a second, and is in the audit log', async () => {
    const { id, key } = await fixture.newKey({ recipients: ['team.example'] });
    const policy = { recipients: [], approval: 'required' };
    const { body } = await fixture.member.api('PATCH', `/api-keys/${id}`, { policy });
    expect(body.data.policy).toEqual({
      ...{ recipients: [], from: null, templates: null, attachments: false, daily_budget: null },
      ...{ approval: 'required', read: 'own', inbound: false },
    });
    await until(async () => (await fixture.send(key, { to: [{ email: 'a@team.example' }] })).status === 403);
    const log = await fixture.owner.api('GET', '/audit-log');
    expect(log.body.data[0]).toMatchObject({ action: 'api_key.policy_changed', details: { policy } });
  });
});
