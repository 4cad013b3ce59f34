/** An agent that sends its mail again: each resend passes the policy that its key has now, and waits for approval again. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api.ts';
import { until } from '../support/until.ts';
import { type AgentFixture, LISTED, startAgentFixture } from './agent-fixture.ts';

let fixture: AgentFixture;

beforeAll(async () => {
  fixture = await startAgentFixture();
});
afterAll(() => fixture.stop());

const read = async (id: string) => (await fixture.owner.api('GET', `/emails/${id}`)).body.data;
const resend = (id: string, key: string) => fixture.server.api('POST', `/emails/${id}/resend`, {}, key);
const resendAll = (ids: readonly string[], key: string) =>
  fixture.server.api('POST', '/emails/resend', { ids }, key);

async function delivered(key: string, changes: object = {}): Promise<string> {
  const { body } = await fixture.send(key, changes);
  const id = body.data.message_id;
  await until(async () => (await read(id)).status === 'delivered');
  return id;
}

/** Other processes of the installation know of it within a second. */
async function changePolicy({ id }: { readonly id: string }, policy: object): Promise<void> {
  const { status } = await fixture.owner.api('PATCH', `/api-keys/${id}`, { policy });
  expect(status).toBe(200);
}

/** Once the new policy is in force, resends are refused with 403. */
const refused = (id: string, key: string): Promise<Answer> =>
  until(
    () => resend(id, key),
    ({ status }) => status === 403,
  );

describe('an agent', () => {
  it('sends its mail again, one by one and several at once', async () => {
    const { key } = await fixture.newKey({ recipients: ['allowed.example'] });
    const id = await delivered(key);
    expect((await resend(id, key)).status).toBe(201);
    expect((await resendAll([id], key)).body.data).toMatchObject({ succeeded: 1, failed: 0 });
    expect((await read(id)).resends).toHaveLength(2);
  });

  it.each([['own'], ['organization']])('finds no mail of others with read: %s', async (reading) => {
    const { key } = await fixture.newKey({ read: reading });
    const theirs = await delivered(fixture.org.key);
    expect((await resend(theirs, key)).status).toBe(404);
    const { body } = await resendAll([theirs], key);
    expect(body.data.results[0].error.code).toBe('NOT_FOUND');
    expect((await read(theirs)).resends).toEqual([]);
  });

  it('waits for approval with each of several resends', async () => {
    const agent = await fixture.newKey({});
    const id = await delivered(agent.key);
    await changePolicy(agent, { approval: 'required' });
    const state = async () => {
      const { body } = await resendAll([id], agent.key);
      return (await read(body.data.results[0].message_id)).state;
    };
    await until(async () => (await state()) === 'awaiting_approval');
    expect(await state()).toBe('awaiting_approval');
  });

  it('sends nothing again that its policy no longer allows: a recipient, a file, content of its own', async () => {
    const files = [{ filename: 'a.txt', content: Buffer.from('x').toString('base64') }];
    for (const [before, after, changes] of [
      [{}, { recipients: ['team.example'] }, {}],
      [{ attachments: true }, { attachments: false }, { attachments: files }],
      [{}, { templates: ['welcome'], from: [`agent@${fixture.org.domain}`] }, {}],
    ] as const) {
      const agent = await fixture.newKey(before);
      const id = await delivered(agent.key, changes);
      await changePolicy(agent, after);
      expect((await refused(id, agent.key)).body.error.code).toBe('FORBIDDEN');
      const { body } = await resendAll([id], agent.key);
      expect(body.data.results[0].error.code).toBe('FORBIDDEN');
    }
  });

  it('sends a template again with the template’s own subject, if it may send templates only', async () => {
    const agent = await fixture.newKey({});
    const use = { text: undefined, template_id: 'welcome', template_data: { name: 'Ann' } };
    const id = await delivered(agent.key, { ...use, subject: 'Pay now' });
    await changePolicy(agent, { templates: ['welcome'], from: [`agent@${fixture.org.domain}`] });
    await until(async () => {
      const { body } = await resend(id, agent.key);
      return (await read(body.data.message_id)).subject === 'welcome Ann';
    });
  });

  it('sends no template again that its policy no longer lists', async () => {
    const agent = await fixture.newKey({});
    const id = await delivered(agent.key, {
      ...{ text: undefined, template_id: 'welcome', template_data: { name: 'Ann' }, subject: '{{name}}' },
    });
    await changePolicy(agent, { templates: ['other'], from: [`agent@${fixture.org.domain}`] });
    expect((await refused(id, agent.key)).body.error.code).toBe('FORBIDDEN');
  });

  it('uses up the budget of its key', async () => {
    const { key } = await fixture.newKey({ daily_budget: 2 });
    const id = await delivered(key, { to: [{ email: LISTED }] });
    expect((await resendAll([id], key)).body.data.succeeded).toBe(1);
    const { status, body } = await resend(id, key);
    expect([status, body.error.message]).toEqual([429, expect.stringContaining('budget of this API key')]);
  });
});
