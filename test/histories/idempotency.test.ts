/** Many real clients use one key at the same time, and what they saw is compared with a serial order. */
import { beforeAll, expect, it } from 'vitest';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { idIn, sendWithKey } from './keyed-send.ts';
import { isLinearizable } from './linearize.ts';
import { idempotencyKey } from './specifications.ts';

let api: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  api = await sharedApi();
  org = await api.createOrganization('Histories');
});

it('one key from many clients, with the same and with other bodies, gives one email', async () => {
  for (let nth = 0; nth < 20; nth += 1) {
    const bodies = ['one', 'one', 'two', 'one', 'two', 'one'];
    const first = await Promise.all(bodies.map((body) => sendWithKey(api, org, `history-${nth}`, body)));
    const later = await Promise.all(bodies.map((body) => sendWithKey(api, org, `history-${nth}`, body)));
    const history = [...first, ...later];
    expect(isLinearizable(history, idempotencyKey), JSON.stringify(history)).toBe(true);
    expect(history.some((call) => idIn(call) !== null)).toBe(true);
  }
});
