import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { letter, sendLetter, storedRows } from '../support/emails.ts';

const GB = 1024 ** 3;
const diskWith = (free: number) => async () => ({ bsize: GB, blocks: 100, bavail: free });

let roomy: TestApi;
let full: TestApi;
let org: TestOrganization;
let email: string;
beforeAll(async () => {
  roomy = await startApi({ statfs: diskWith(5) });
  org = await roomy.createOrganization();
  email = await sendLetter(roomy, org);
  full = await startApi({ statfs: diskWith(0.5), database: roomy.database });
});
afterAll(async () => {
  await full.stop();
  await roomy.stop();
});

describe('while the disk is nearly full', () => {
  it('new mail is refused, and nothing of it is stored', async () => {
    const before = await storedRows(full.db);
    const answer = await full.api('POST', '/emails/send', letter(org), org.key);
    expect(answer.status).toBe(503);
    expect(answer.body.error).toMatchObject({ code: 'UNAVAILABLE', details: [] });
    expect(answer.body.error.message).toContain('disk');
    expect(answer.headers.get('retry-after')).toBe('60');
    expect(await storedRows(full.db)).toEqual(before);
  });

  it('so is a batch', async () => {
    const template = { name: 'T', subject: 'Hello', html: '<p>Hello</p>', text: 'Hello' };
    const { body } = await roomy.api('POST', '/templates', template, org.key);
    const answer = await full.api(
      'POST',
      '/emails/batch',
      {
        template_id: body.data.id,
        from: { email: `news@${org.domain}` },
        recipients: [{ to: { email: 'ada@example.org' } }],
      },
      org.key,
    );
    expect(answer.status).toBe(503);
    expect(answer.body.error.code).toBe('UNAVAILABLE');
  });

  it('a request with an Idempotency-Key goes through when there is room again', async () => {
    const send = (api: TestApi) =>
      fetch(`${api.url}/api/v1/emails/send`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${org.key}`,
          'content-type': 'application/json',
          'idempotency-key': 'again',
        },
        body: JSON.stringify(letter(org)),
      });
    expect((await send(full)).status).toBe(503);
    expect((await send(roomy)).status).toBe(201);
  });

  it('reading goes on', async () => {
    expect((await full.api('GET', '/emails', undefined, org.key)).status).toBe(200);
    expect((await full.api('GET', `/emails/${email}`, undefined, org.key)).status).toBe(200);
    expect((await fetch(`${full.url}/readyz`)).status).toBe(200);
  });
});

describe('the metrics', () => {
  it('tell how much is left', async () => {
    const text = await (await fetch(`${full.url}/metrics`)).text();
    expect(text).toMatch(/^postrider_disk_free_bytes\{role="test"\} 536870912$/m);
    expect(text).toMatch(/^postrider_disk_free_ratio\{role="test"\} 0\.005$/m);
  });
});
