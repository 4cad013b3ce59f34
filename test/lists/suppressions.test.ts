import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';

let server: TestApi;
let org: TestOrganization;
const emails = Array.from({ length: 11 }, (_, n) => `user${n}@example.org`);

beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization();
  for (const [n, email] of emails.entries()) {
    const reason = n % 3 === 0 ? 'complaint' : 'manual';
    await server.api('POST', '/suppressions', { email, reason }, org.key);
  }
});
afterAll(() => server.stop());

async function pages(query: string, count: number): Promise<string[][]> {
  const all: string[][] = [];
  for (let page = 1; page <= count; page += 1) {
    const { body } = await server.api(
      'GET',
      `/suppressions?limit=3&page=${page}${query}`,
      undefined,
      org.key,
    );
    all.push(body.data.map((one: { email: string }) => one.email));
  }
  return all;
}

describe('pages of suppressions, from whichever end they are read,', () => {
  it('together hold every entry once, the newest first', async () => {
    const found = await pages('', 5);
    expect(found.map((page) => page.length)).toEqual([3, 3, 3, 2, 0]);
    expect(found.flat()).toEqual(emails.toReversed());
  });

  it('do so by reason as well', async () => {
    const found = await pages('&reason=complaint', 3);
    expect(found.map((page) => page.length)).toEqual([3, 1, 0]);
    expect(found.flat()).toEqual(emails.filter((_, n) => n % 3 === 0).reverse());
  });
});
