/** What goes wrong between an order and its certificate, against a stand-in for Pebble. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { claimDueCertificate, wantCertificates } from '../../src/certificates/store.ts';
import { adHoc } from '../../src/database/sql.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/runtime/durations.ts';
import { AcmeServer } from '../support/acme-server.ts';
import type { TestApi } from '../support/api.ts';
import {
  HTTP_01,
  makeDue,
  PUBLIC_HOST,
  SMTP_HOST,
  startAcmeApi,
  stateOf,
  untilFailed,
  untilIssued,
} from '../support/certificates.ts';
import { until } from '../support/until.ts';

let acme: AcmeServer;
const apis: TestApi[] = [];

beforeEach(async () => {
  acme = await AcmeServer.start();
});

afterEach(async () => {
  for (const api of apis.splice(0).reverse()) await api.stop();
  await acme.stop();
});

async function start(...args: Parameters<typeof startAcmeApi>): Promise<TestApi> {
  const api = await startAcmeApi(...args);
  apis.push(api);
  return api;
}

/** `prepare` is called before the host is wanted. */
async function createTrackingHost(
  api: TestApi,
  prepare: (host: string) => void = () => {},
): Promise<{ id: string; host: string }> {
  const { id, domain } = await api.createOrganization();
  const host = `links.${domain}`;
  prepare(host);
  await api.db.of(id).exec(
    adHoc(`INSERT INTO domain_tracking (organization_id, domain_id, host, host_points)
           SELECT organization_id, id, $2, true FROM domains WHERE organization_id = $1`),
    [id, host],
  );
  return { id, host };
}

/** As after an attempt that failed: the next one issues. */
async function retryUntilIssued(api: TestApi): Promise<void> {
  await makeDue(api, PUBLIC_HOST);
  await until(
    () => stateOf(api, PUBLIC_HOST),
    (state) => state?.issued_at && state.failures === 0,
  );
}

it('waits, and says why, where a name does not lead here; other names get theirs', async () => {
  acme.elsewhere.add(PUBLIC_HOST);
  const api = await start(acme, HTTP_01);
  const { last_error, due_at } = await untilFailed(api, PUBLIC_HOST);
  expect(last_error).toMatch(/challenge http-01 failed: connection: mail\.acme\.test/);
  expect(due_at.getTime()).toBeGreaterThan(Date.now() + 5 * MINUTE_MS);
  await untilIssued(api, SMTP_HOST);
  expect(acme.ordersFor(PUBLIC_HOST)).toHaveLength(1);
  acme.elsewhere.clear();
  await makeDue(api, PUBLIC_HOST);
  const issued = await until(
    () => stateOf(api, PUBLIC_HOST),
    (state) => state?.issued_at,
  );
  expect(issued).toMatchObject({ failures: 0, last_error: null });
});

it('orders nothing before the time that a rate-limited answer names', async () => {
  const problem = { type: 'rateLimited', detail: 'too many certificates' };
  acme.refusals.push({ path: '/new-order', status: 429, problem, retryAfter: '7200' });
  const api = await start(acme, { ...HTTP_01, POSTRIDER_HOSTNAME: PUBLIC_HOST });
  const { last_error, due_at } = await untilFailed(api, PUBLIC_HOST);
  expect(last_error).toBe('The ACME server answered with 429 (rateLimited): too many certificates');
  expect(due_at.getTime()).toBeGreaterThan(Date.now() + 1.9 * HOUR_MS);
  expect(acme.orders).toHaveLength(0);
});

it('says that the directory is none', async () => {
  const api = await start(acme, { ...HTTP_01, POSTRIDER_ACME_DIRECTORY: `${acme.origin}/nonce` });
  expect((await untilFailed(api, PUBLIC_HOST)).last_error).toMatch(/sent no JSON/);
});

it('does not connect to a private address unless that is allowed', async () => {
  const env = {
    POSTRIDER_ALLOW_PRIVATE_DESTINATIONS: 'false',
    POSTRIDER_ACME_DIRECTORY: acme.directoryUrl.replace('http:', 'https:'),
  };
  const api = await start(acme, { ...HTTP_01, ...env });
  expect((await untilFailed(api, PUBLIC_HOST)).last_error).toMatch(
    /127\.0\.0\.1, which is not a public address/,
  );
});

it('continues an order whose process ended before the certificate was stored', async () => {
  let reached = () => {};
  const downloading = new Promise<void>((resolve) => {
    reached = resolve;
  });
  acme.beforeDownload = () => {
    reached();
    return new Promise(() => {});
  };
  const first = await startAcmeApi(acme, { ...HTTP_01, POSTRIDER_HOSTNAME: PUBLIC_HOST });
  await downloading;
  acme.beforeDownload = undefined;
  const database = { ...first.database, drop: async () => {} };
  const second = await start(acme, { ...HTTP_01, POSTRIDER_HOSTNAME: PUBLIC_HOST }, { database });
  // As after the end of a killed process, whose lease runs out.
  await first.db.exec(adHoc(`UPDATE certificates SET held_until = now() - interval '1 second'`));
  await untilIssued(second, PUBLIC_HOST);
  expect(acme.ordersFor(PUBLIC_HOST)).toHaveLength(1);
  apis.unshift(first);
});

it('begins a new order where the authority has forgotten the one before', async () => {
  acme.elsewhere.add(PUBLIC_HOST);
  const api = await start(acme, HTTP_01);
  await untilFailed(api, PUBLIC_HOST);
  acme.orders.length = 0;
  acme.elsewhere.clear();
  await makeDue(api, PUBLIC_HOST);
  await until(
    () => stateOf(api, PUBLIC_HOST),
    (state) => state?.issued_at,
  );
  expect(acme.ordersFor(PUBLIC_HOST)).toHaveLength(1);
});

it('orders once where two processes start at the same time', async () => {
  const first = await startAcmeApi(acme, HTTP_01);
  apis.push(first);
  await start(acme, HTTP_01, { database: first.database });
  await untilIssued(first, PUBLIC_HOST);
  await untilIssued(first, SMTP_HOST);
  expect(acme.ordersFor(PUBLIC_HOST)).toHaveLength(1);
  expect(acme.ordersFor(SMTP_HOST)).toHaveLength(1);
  expect(acme.accounts.size).toBe(1);
});

it('does not order again and again where the clock of the machine is a year ahead', async () => {
  await acme.stop();
  acme = await AcmeServer.start({ validFromMs: () => Date.now() - 365 * 24 * HOUR_MS });
  const api = await start(acme, HTTP_01);
  const { due_at } = await untilIssued(api, PUBLIC_HOST);
  expect(due_at.getTime()).toBeGreaterThan(Date.now() + 29 * 24 * HOUR_MS);
});

it('gets a certificate for a verified tracking host, and stops renewing it once the host is gone', async () => {
  const api = await start(acme, HTTP_01);
  const { id, host } = await createTrackingHost(api);
  await untilIssued(api, host);
  await api.db.of(id).exec(adHoc('UPDATE domain_tracking SET host_points = false WHERE host = $1'), [host]);
  await untilUnwanted(api, host);
  await makeDue(api, host);
  await makeDue(api, PUBLIC_HOST);
  await until(() => acme.ordersFor(PUBLIC_HOST).length === 2);
  expect(acme.ordersFor(host)).toHaveLength(1);
});

it('stores no key in clear', async () => {
  const api = await start(acme, HTTP_01);
  await untilIssued(api, PUBLIC_HOST);
  const rows = await api.db.many<{ sealed_key: Buffer }>(
    adHoc(
      'SELECT sealed_key FROM certificates WHERE sealed_key IS NOT NULL UNION ALL SELECT sealed_key FROM acme_accounts',
    ),
  );
  expect(rows.length).toBeGreaterThan(1);
  for (const { sealed_key } of rows) expect(sealed_key.includes('PRIVATE KEY')).toBe(false);
});

it('renews a configured name while the authority limits a tracking host', async () => {
  const api = await start(acme, HTTP_01);
  await untilIssued(api, PUBLIC_HOST);
  await untilIssued(api, SMTP_HOST);
  const { host } = await createTrackingHost(api, (name) => acme.limited.add(name));
  expect((await untilFailed(api, host)).last_error).toMatch(/rateLimited/);
  await makeDue(api, PUBLIC_HOST);
  await until(() => acme.ordersFor(PUBLIC_HOST).length === 2);
  expect(acme.ordersFor(host)).toHaveLength(0);
});

it('works on configured names before tracking hosts that have been due for longer', async () => {
  const api = await start(acme, HTTP_01);
  const directoryUrl = 'https://another.acme.test/dir';
  const names = ['a.tenant.test', 'configured.test', 'z.tenant.test'];
  await wantCertificates(api.db, directoryUrl, names);
  await api.db.exec(
    adHoc("UPDATE certificates SET due_at = now() - interval '1 day' WHERE name LIKE '%.tenant.test'"),
  );
  const claimer = { directoryUrl, names, configured: ['configured.test'], holder: randomUUID() };
  expect((await claimDueCertificate(api.db, claimer))?.name).toBe('configured.test');
  expect((await claimDueCertificate(api.db, claimer))?.name).toMatch(/tenant\.test$/);
});

it('begins a new order where the key of the one before does not open', async () => {
  acme.elsewhere.add(PUBLIC_HOST);
  const api = await start(acme, HTTP_01);
  await untilFailed(api, PUBLIC_HOST);
  acme.elsewhere.clear();
  await api.db.exec(adHoc("UPDATE certificates SET sealed_order_key = 'damaged' WHERE name = $1"), [
    PUBLIC_HOST,
  ]);
  await retryUntilIssued(api);
  expect(acme.ordersFor(PUBLIC_HOST)).toHaveLength(2);
});

it('begins a new order where the authority issued a certificate for another key', async () => {
  acme.beforeDownload = async () => {
    for (const order of acme.orders) order.chain = acme.authority.root;
  };
  const api = await start(acme, HTTP_01);
  expect((await untilFailed(api, PUBLIC_HOST)).last_error).toMatch(/for another key/);
  acme.beforeDownload = undefined;
  await retryUntilIssued(api);
  expect(acme.ordersFor(PUBLIC_HOST)).toHaveLength(2);
});

it('makes a new account where the key of the account does not open', async () => {
  const api = await start(acme, HTTP_01);
  await untilIssued(api, PUBLIC_HOST);
  await untilIssued(api, SMTP_HOST);
  await api.db.exec(adHoc("UPDATE acme_accounts SET sealed_key = 'damaged'"));
  await makeDue(api, PUBLIC_HOST);
  await until(() => acme.ordersFor(PUBLIC_HOST).length === 2);
  expect(acme.accounts.size).toBe(2);
});

/** A round may have read the names before the host was gone. Resolves after a round that marked another name, and not the host. */
async function untilUnwanted(api: TestApi, host: string): Promise<void> {
  await until(async () => {
    await api.db.exec(adHoc("UPDATE certificates SET wanted_at = now() - interval '2 hours'"));
    await until(async () => (await markedNames(api)).includes(PUBLIC_HOST));
    return !(await markedNames(api)).includes(host);
  });
}

async function markedNames(api: TestApi): Promise<string[]> {
  const rows = await api.db.many<{ name: string }>(
    adHoc("SELECT name FROM certificates WHERE wanted_at > now() - interval '1 hour'"),
  );
  return rows.map(({ name }) => name);
}
