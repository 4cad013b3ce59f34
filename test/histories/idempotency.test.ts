/** Many real clients use one key at the same time, and what they saw is compared with a serial order. */
import { beforeAll, expect, it } from 'vitest';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { letter } from '../support/emails.ts';
import { type Call, isLinearizable } from './linearize.ts';
import { idempotencyKey, type KeyedSend, type SendAnswer } from './specifications.ts';

let api: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  api = await sharedApi();
  org = await api.createOrganization('Histories');
});

async function send(key: string, body: string): Promise<Call<KeyedSend, SendAnswer>> {
  const beganMs = performance.now();
  const answer = await fetch(`${api.url}/api/v1/emails/send`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${org.key}`,
      'idempotency-key': key,
    },
    body: JSON.stringify({ ...letter(org), subject: body }),
  });
  const text = await answer.text();
  return { request: { body }, response: answerOf(answer.status, text), beganMs, endedMs: performance.now() };
}

function answerOf(status: number, text: string): SendAnswer {
  if (status === 201) return { id: JSON.parse(text).data.message_id };
  if (status === 503) return 'unavailable';
  if (status !== 409) throw new Error(`${status}: ${text}`);
  return /another request|different/i.test(text) ? 'mismatch' : 'busy';
}

it('one key from many clients, with the same and with other bodies, gives one email', async () => {
  for (let nth = 0; nth < 20; nth += 1) {
    const bodies = ['one', 'one', 'two', 'one', 'two', 'one'];
    const first = await Promise.all(bodies.map((body) => send(`history-${nth}`, body)));
    const later = await Promise.all(bodies.map((body) => send(`history-${nth}`, body)));
    const history = [...first, ...later];
    expect(isLinearizable(history, idempotencyKey), JSON.stringify(history)).toBe(true);
    const ids = history.flatMap(({ response }) =>
      typeof response === 'object' && response ? [response.id] : [],
    );
    expect(ids.length).toBeGreaterThan(0);
  }
});
