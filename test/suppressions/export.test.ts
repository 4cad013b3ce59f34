import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { csvRecords } from '../../src/suppressions/csv.ts';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';

let server: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  server = await sharedApi();
});
afterAll(() => server.stop());
beforeEach(async () => {
  org = await server.createOrganization();
});

const add = (email: string, reason = 'manual') =>
  server.api('POST', '/suppressions', { email, reason }, org.key);

const download = () =>
  fetch(`${server.url}/api/v1/suppressions/export`, { headers: { authorization: `Bearer ${org.key}` } });

async function rows(): Promise<(readonly string[])[]> {
  return [...csvRecords(await (await download()).text())].map((record) => record.cells);
}

describe('the export', () => {
  it('is a CSV file to download, the newest entry first', async () => {
    await add('a@example.org', 'complaint');
    await add('b@example.org');
    const response = await download();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="suppressions.csv"');
    const [heading, ...lines] = (await response.text()).split('\r\n');
    expect(heading).toBe('id,email,reason,source,created_at,unsubscribe_group');
    expect(lines[0]).toMatch(/^sup_[0-9a-f]{32},b@example\.org,manual,manual,\d{4}-.*Z,$/);
    expect(lines[1]).toContain(',a@example.org,complaint,');
    expect(lines.slice(2)).toEqual(['']);
  });

  it('of an empty list is a heading', async () => {
    expect(await (await download()).text()).toBe('id,email,reason,source,created_at,unsubscribe_group\r\n');
  });

  it('cannot make a spreadsheet run anything, and can be imported again', async () => {
    const addresses = ['=cmd|calc@example.org', '+1@example.org', '-x@example.org', '"a,b"@example.org'];
    for (const email of addresses) await add(email);
    const text = await (await download()).text();
    expect(text).not.toMatch(/(^|,)"?[=+\-@]/m);
    expect((await rows()).slice(1).map((cells) => cells[1])).toEqual(addresses.reverse());
  });

  it('holds every entry once, however many pages it takes', async () => {
    await server.db.exec(
      adHoc(
        `INSERT INTO suppressions (organization_id, id, created_at, email, key, reason, source)
         SELECT $1, gen_random_uuid(), now(), 'u' || i || '@example.org', 'u' || i || '@example.org', 'manual', 'manual'
         FROM generate_series(1, 6000) AS i`,
      ),
      [org.id],
    );
    const emails = (await rows()).slice(1).map((cells) => cells[1]);
    expect(emails).toHaveLength(6_000);
    expect(new Set(emails).size).toBe(6_000);
  });

  it('shows nothing of another organization', async () => {
    await add('secret@example.org');
    const other = await server.createOrganization();
    const answer = await server.api('GET', '/suppressions/export', undefined, other.key);
    expect(answer.body).toBe('id,email,reason,source,created_at,unsubscribe_group\r\n');
  });
});
