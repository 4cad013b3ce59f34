/** Ways to have mail sent that nobody has approved, and ways to more than a budget. */
import { type AgentFixture, type AgentKey, LISTED, letter, statusAndBody } from './agent-fixture.ts';
import type { Way } from './ways-to-others.ts';

/** An email that waits, and what is tried with it. */
const waiting = (
  name: string,
  answer: RegExp,
  tried: (fixture: AgentFixture, id: string) => Promise<string>,
  changes: object = {},
): Way => ({
  name: `approval: ${name}`,
  answer,
  go: async (fixture) => {
    const sent = await fixture.send(fixture.keys.careful.key, changes);
    if (sent.status !== 201) throw new Error(statusAndBody(sent));
    return tried(fixture, sent.body.data.message_id);
  },
});

const LATER = new Date(Date.now() + 3_600_000).toISOString();

const undecided: readonly Way[] = [
  waiting('the key approves it', /^403 /, async ({ server, keys }, id) =>
    statusAndBody(await server.api('POST', `/approvals/${id}/approve`, undefined, keys.careful.key)),
  ),
  waiting('a key of scope full approves it', /^403 .*Sign in to the dashboard/, async ({ server, org }, id) =>
    statusAndBody(await server.api('POST', `/approvals/${id}/approve`, undefined, org.key)),
  ),
  waiting('somebody approves it who may only read', /^403 .*reading only/, async ({ reader }, id) =>
    statusAndBody(await reader.api('POST', `/approvals/${id}/approve`)),
  ),
  waiting('an owner of another organization approves it', /^404 /, async ({ stranger }, id) =>
    statusAndBody(await stranger.api('POST', `/approvals/${id}/approve`)),
  ),
  waiting('approved from another site, with a cookie', /^403 /, async ({ owner }, id) =>
    statusAndBody(
      await owner.api('POST', `/approvals/${id}/approve`, undefined, { 'sec-fetch-site': 'cross-site' }),
    ),
  ),
  waiting('it is retried', /^409 /, async ({ server, org }, id) =>
    statusAndBody(await server.api('POST', `/emails/${id}/retry`, undefined, org.key)),
  ),
  waiting(
    'it is moved to another time',
    /^200 .*awaiting_approval/,
    async ({ server, org }, id) =>
      statusAndBody(await server.api('PATCH', `/emails/${id}`, { scheduled_at: LATER }, org.key)),
    { scheduled_at: LATER },
  ),
  waiting('a hold on it is released', /^200 /, async ({ server, org }) => {
    const hold = { scope: 'organization', reason: 'x' };
    const { body } = await server.api('POST', '/holds', hold, org.key);
    return statusAndBody(await server.api('POST', `/holds/${body.data.id}/release`, undefined, org.key));
  }),
  waiting('it is rejected, and approved then', /^409 .*it is rejected/, async ({ member }, id) => {
    await member.api('POST', `/approvals/${id}/reject`, { reason: 'No' });
    return statusAndBody(await member.api('POST', `/approvals/${id}/approve`));
  }),
  waiting('it is rejected, and retried then', /^409 /, async ({ server, org, member }, id) => {
    await member.api('POST', `/approvals/${id}/reject`, { reason: 'No' });
    return statusAndBody(await server.api('POST', `/emails/${id}/retry`, undefined, org.key));
  }),
  waiting('it is sent again', /^409 .*has not ended yet/, async ({ server, keys }, id) =>
    statusAndBody(await server.api('POST', `/emails/${id}/resend`, {}, keys.careful.key)),
  ),
  waiting('it is rejected, and sent again then', /^201 /, async ({ server, keys, member }, id) => {
    await member.api('POST', `/approvals/${id}/reject`, { reason: 'No' });
    return statusAndBody(await server.api('POST', `/emails/${id}/resend`, {}, keys.careful.key));
  }),
  waiting(
    'it is rejected, and sent again with others then',
    /^200 .*"succeeded":1/,
    async ({ server, keys, member }, id) => {
      await member.api('POST', `/approvals/${id}/reject`, { reason: 'No' });
      return statusAndBody(await server.api('POST', '/emails/resend', { ids: [id] }, keys.careful.key));
    },
  ),
  waiting(
    'it is cancelled, and approved then',
    /^409 .*withdrawn/,
    async ({ server, org, member }, id) => {
      await server.api('POST', `/emails/${id}/cancel`, undefined, org.key);
      return statusAndBody(await member.api('POST', `/approvals/${id}/approve`));
    },
    { scheduled_at: LATER },
  ),
  waiting('its policy is lifted', /^200 /, async ({ owner, newKey, send }) => {
    const { id, key } = await newKey({ approval: 'required' });
    await send(key);
    return statusAndBody(await owner.api('PATCH', `/api-keys/${id}`, { policy: { daily_budget: 0 } }));
  }),
  waiting('it takes the place of other mail', /^403 .*collapse/, async ({ send, keys }) =>
    statusAndBody(await send(keys.careful.key, { collapse_key: 'reset' })),
  ),
  waiting('its answer is asked for again with another body', /^(409|422) /, async ({ server, keys, org }) => {
    const answers = ['a', 'b'].map(
      (text) => () =>
        fetch(`${server.url}/api/v1/emails/send`, {
          method: 'POST',
          headers: {
            ...{ authorization: `Bearer ${keys.careful.key}`, 'content-type': 'application/json' },
            'idempotency-key': 'once',
          },
          body: JSON.stringify({ ...letter(org), text }),
        }),
    );
    let last = '';
    for (const answer of answers) last = String((await answer()).status);
    return `${last} `;
  }),
];

/** All that a budget lets through waits for approval, so that nothing leaves. */
const budget = (
  name: string,
  answer: RegExp,
  tried: (fixture: AgentFixture, key: AgentKey) => Promise<string>,
): Way => ({
  name: `budget: ${name}`,
  answer,
  go: async (fixture) => tried(fixture, await fixture.newKey({ daily_budget: 5, approval: 'required' })),
});

const acceptedOf = (statuses: readonly number[]) => statuses.filter((status) => status === 201).length;

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

async function usedUp({ send }: AgentFixture, { key }: AgentKey): Promise<string> {
  const statuses = (await times(5, () => send(key))).map(({ status }) => status);
  if (acceptedOf(statuses) !== 5) throw new Error(`the budget was used up: ${statuses}`);
  return key;
}

const overspent: readonly Way[] = [
  budget('fifty requests at once', /^5 accepted, 45 refused$/, async ({ send }, { key }) => {
    const statuses = (await times(50, () => send(key))).map(({ status }) => status);
    const refused = statuses.filter((status) => status === 429).length;
    return `${acceptedOf(statuses)} accepted, ${refused} refused`;
  }),
  budget('fifty at once, to two processes', /^5$/, async ({ server, second, org }, { key }) => {
    const answers = await times(50, (index) =>
      (index % 2 === 0 ? server : second).api('POST', '/emails/send', letter(org), key),
    );
    return String(acceptedOf(answers.map(({ status }) => status)));
  }),
  budget('one email to more than are left', /^429 .*budget of this API key/, async ({ send }, { key }) =>
    statusAndBody(
      await send(key, { to: Array.from({ length: 6 }, (_, i) => ({ email: `u${i}@team.example` })) }),
    ),
  ),
  budget('a batch at the edge', /^429 .*4 are used/, async ({ send, server, org }, { key }) => {
    await times(4, () => send(key));
    const recipients = [1, 2].map((n) => ({ to: { email: `u${n}@team.example` }, data: { name: 'x' } }));
    const body = { from: letter(org).from, template_id: 'welcome', recipients };
    return statusAndBody(await server.api('POST', '/emails/batch', body, key));
  }),
  budget('a mixed batch at the edge', /^429 /, async ({ send, server, org }, { key }) => {
    await times(4, () => send(key));
    return statusAndBody(
      await server.api('POST', '/emails/batch/mixed', { emails: [letter(org), letter(org)] }, key),
    );
  }),
  budget('mail for another day', /^429 /, async (fixture, agent) =>
    statusAndBody(await fixture.send(await usedUp(fixture, agent), { scheduled_at: LATER })),
  ),
  budget('another after one was rejected', /^429 /, async (fixture, agent) => {
    const key = await usedUp(fixture, agent);
    const { body } = await fixture.owner.api('GET', '/approvals');
    await fixture.member.api('POST', `/approvals/${body.data[0].id}/reject`, { reason: 'No' });
    return statusAndBody(await fixture.send(key));
  }),
  budget('a key that takes its place', /^429 .*5 are used/, async (fixture, agent) => {
    await usedUp(fixture, agent);
    const { body } = await fixture.owner.api('POST', `/api-keys/${agent.id}/rotate`, {});
    return statusAndBody(await fixture.send(body.data.key));
  }),
  budget('what the list of suppressions refused', /^5$/, async (fixture, { key }) => {
    await fixture.owner.api('POST', '/suppressions', { email: 'no@team.example', reason: 'manual' });
    await times(5, () => fixture.send(key, { to: [{ email: 'no@team.example' }] }));
    const statuses = (await times(9, () => fixture.send(key))).map(({ status }) => status);
    return String(acceptedOf(statuses));
  }),
  budget('mail over SMTP', /^45\d .*budget of this API key/, async (fixture) => {
    const agent = await fixture.newKey({ daily_budget: 5, approval: 'required', attachments: true });
    const key = await usedUp(fixture, agent);
    return fixture.smtp(key, { to: LISTED });
  }),
];

export const WAYS_PAST_APPROVAL: readonly Way[] = [...undecided, ...overspent];
