/** The MTA-STS policy of the inbound host, as senders fetch it, and the records that are offered for it. */
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parsePolicy, policyId } from '../../src/protocols/dns/mta-sts-policy.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';

const HOST = 'mail.example.org';
const PATH = '/.well-known/mta-sts.txt';

let server: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  server = await startApi({
    env: {
      POSTRIDER_HOSTNAME: 'Mail.example.org',
      POSTRIDER_PUBLIC_URL: 'https://app.example.org',
      POSTRIDER_MTA_STS: 'testing',
    },
  });
  org = await server.createOrganization();
});
afterAll(() => server?.stop());

function get(
  path: string,
  host: string,
  api = server,
): Promise<{ status: number; type: string; body: string }> {
  return new Promise((resolve, reject) => {
    request(`${api.url}${path}`, { headers: { host } }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', body }),
      );
    })
      .on('error', reject)
      .end();
  });
}

describe('the policy', () => {
  it('is served under the name that senders ask for it', async () => {
    const { status, type, body } = await get(PATH, `mta-sts.${HOST}`);
    expect([status, type]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(body).toBe('version: STSv1\r\nmode: testing\r\nmx: mail.example.org\r\nmax_age: 86400\r\n');
    expect(parsePolicy(body)?.mode).toBe('testing');
  });

  it.each(['app.example.org', HOST, 'mta-sts.elsewhere.example', 'localhost'])(
    'is not that of %s',
    async (name) => {
      expect((await get(PATH, name)).status).toBe(404);
    },
  );

  it.each(['/', '/docs', '/api/v1/domains'])('is all that its name answers: not %s', async (path) => {
    expect((await get(path, `mta-sts.${HOST}`)).status).toBe(404);
  });

  it('may have a certificate for its name', async () => {
    expect((await get(`/t/ask?domain=mta-sts.${HOST}`, 'localhost')).status).toBe(200);
  });

  it('says none unless it is set, for senders who remember another, and offers no record then', async () => {
    const plain = await startApi({
      database: server.database,
      env: { POSTRIDER_HOSTNAME: HOST, POSTRIDER_PUBLIC_URL: 'https://app.example.org' },
    });
    try {
      expect((await get(PATH, `mta-sts.${HOST}`, plain)).body).toContain('mode: none');
      expect((await get(`/t/ask?domain=mta-sts.${HOST}`, 'localhost', plain)).status).toBe(404);
      const [domain] = (await plain.api('GET', '/domains', undefined, org.key)).body.data;
      expect(JSON.stringify(domain.recommended_records)).not.toContain('mta-sts');
    } finally {
      await plain.stop();
    }
  });
});

it('its records are among those that every domain shows', async () => {
  const [domain] = (await server.api('GET', '/domains', undefined, org.key)).body.data;
  const records: { type: string; name: string; value: string }[] = domain.recommended_records;
  const [txt, cname] = records.filter(({ name }) => name.includes('mta-sts'));
  expect(txt).toMatchObject({ type: 'TXT', name: `_mta-sts.${HOST}` });
  expect(policyId([txt?.value ?? ''])).toMatch(/^[0-9a-f]{20}$/);
  expect(cname).toMatchObject({ type: 'CNAME', name: `mta-sts.${HOST}`, value: 'app.example.org' });
});
