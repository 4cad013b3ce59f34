/** Many concurrent retries of requests with an Idempotency-Key, as after an outage. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { transactionsDuring } from '../support/transactions.ts';

const MANY = 90;
/** The slower the machine, the fewer repeats share a look-up. In the worst case each has a transaction of its own. */
const MORE_COMMITS = MANY;

let server: TestApi;
let org: TestOrganization;

beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization();
});
afterAll(() => server.stop());

async function send(key: string): Promise<string> {
  const response = await fetch(`${server.url}/api/v1/emails/send`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${org.key}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({
      from: { email: `a@${org.domain}` },
      to: [{ email: 'b@example.org' }],
      subject: key,
      text: 'Hello',
    }),
  });
  expect(response.status).toBe(201);
  const { data } = (await response.json()) as { data: { message_id: string } };
  return data.message_id;
}

async function sendTogether(from: number, to: number) {
  let ids: string[] = [];
  const transactions = await transactionsDuring(server.database, async () => {
    ids = await Promise.all(Array.from({ length: to - from }, (_, i) => send(`key-${from + i}`)));
  });
  return { ids, ...transactions };
}

it('get the answers of the first time, with no transaction rolled back and at most one commit each', async () => {
  await send('before'); // opens connections, and makes the caches know the key
  const first = await sendTogether(0, MANY);
  const again = await sendTogether(0, MANY);
  expect(again.ids).toEqual(first.ids);
  expect(again.rollbacks).toBe(0);
  expect(again.commits).toBeLessThanOrEqual(first.commits + MORE_COMMITS);
});

it('do not undo the commit of new requests that arrive with them', async () => {
  const before = await sendTogether(MANY, MANY + 10);
  const mixed = await sendTogether(MANY, 2 * MANY);
  expect(mixed.ids.slice(0, 10)).toEqual(before.ids);
  expect(mixed.rollbacks).toBe(0);
});
