/** Clients submit mail over IPv6 and over IPv4. */
import { networkInterfaces } from 'node:os';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { idIn, startSubmission, type TestSubmission } from '../support/submission.ts';

const addresses = Object.values(networkInterfaces()).flatMap((one) => one ?? []);
const hasIpv6 = addresses.some(({ address }) => address === '::1');

let server: TestApi;
let submission: TestSubmission;
let org: TestOrganization;

beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization();
  // Without a host: what an installation with a certificate listens on.
  submission = await startSubmission(server.database, { live: true, env: { POSTRIDER_SUBMISSION_HOST: '' } });
});
afterAll(async () => {
  await submission.stop();
  await server.stop();
});

const send = (host: string) =>
  createTransport({
    host,
    port: submission.port,
    auth: { user: 'x', pass: org.key },
    tls: { ca: submission.ca, servername: 'localhost' },
  }).sendMail({ from: `a@${org.domain}`, to: 'b@example.org', subject: host, text: 'x' });

it('takes mail over IPv4 where it listens on every address', async () => {
  expect(idIn((await send('127.0.0.1')).response)).toBeTypeOf('string');
});

it.skipIf(!hasIpv6)('takes mail over IPv6 where it listens on every address', async () => {
  expect(idIn((await send('::1')).response)).toBeTypeOf('string');
});
