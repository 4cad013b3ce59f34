import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';

let server: TestApi;
let org: TestOrganization;
const emails = Array.from({ length: 11 }, (_, n) => `user${n}@example.org`);

beforeAll(async () => {
  server = await sharedApi();
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

describe('a search of suppressions', () => {
  const search = (query: string, key = org.key) =>
    server.api('GET', `/suppressions?${query}`, undefined, key);
  const found = async (query: string) => {
    const { body } = await search(query);
    expect(body.pagination.total_count).toBe(body.data.length);
    return body.data.map((one: { email: string }) => one.email);
  };

  it('finds addresses by how they begin or end, in any case', async () => {
    expect(await found('search=USER1')).toEqual(['user10@example.org', 'user1@example.org']);
    expect(await found('search=r1@example.org')).toEqual(['user1@example.org']);
    expect(await found('search=%20user7%20')).toEqual(['user7@example.org']);
    expect(await found('search=@example.org&limit=100')).toEqual(emails.toReversed());
    expect(await found('search=ser1')).toEqual([]);
    expect(await found('search=%25')).toEqual([]);
  });

  it('goes together with a reason, and with pages', async () => {
    expect(await found('search=user&reason=complaint')).toHaveLength(4);
    const { body } = await search('search=user&limit=4&page=3');
    expect(body.data.map((one: { email: string }) => one.email)).toEqual(emails.slice(0, 3).reverse());
    expect(body.pagination.total_count).toBe(11);
  });

  it('finds nothing of another organization', async () => {
    const other = await server.createOrganization('Other');
    expect((await search('search=user1', other.key)).body.data).toEqual([]);
  });

  it('is refused when there is nothing to look for', async () => {
    const { body } = await search('search=%20');
    expect(body.error.details).toEqual([
      { field: 'search', message: 'must contain something to search for' },
    ]);
  });
});
