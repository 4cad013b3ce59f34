/** The progress of the first steps compared with the actions of the user. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sharedApi, startApi, type TestApi } from '../support/api.ts';
import { sendLetter } from '../support/emails.ts';

let server: TestApi;
beforeAll(async () => {
  server = await sharedApi();
});
afterAll(() => server.stop());

const first = async (key: string) => (await server.api('GET', '/first-steps', undefined, key)).body.data;
const done = async (key: string) =>
  (await first(key)).steps
    .filter((one: { done: boolean }) => one.done)
    .map((one: { step: string }) => one.step);

it('ticks off what was done, one after the other, for this organization alone', async () => {
  const org = await server.createOrganization();
  const other = await server.createOrganization('Other');
  // Organizations of tests come with a verified domain; nobody has asked DNS about it.
  expect(await done(org.key)).not.toContain('first_email');
  await sendLetter(server, org);
  expect(await done(org.key)).toContain('first_email');
  expect(await done(org.key)).not.toContain('webhook');
  await server.api('POST', '/webhooks', { url: 'http://127.0.0.1:9/hook' }, org.key);
  expect(await done(org.key)).toContain('webhook');
  expect(await done(other.key)).not.toContain('webhook');
  expect(await done(other.key)).not.toContain('first_email');
});

it('wants DMARC of a domain, names the one that lacks it, and is content with one', async () => {
  const org = await server.createOrganization();
  const made = await server.api('POST', '/domains', { domain: 'shop.invalid' }, org.key);
  await server.api('GET', `/domains/${made.body.data.id}/verify`, undefined, org.key);
  const step = async () => (await first(org.key)).steps.find((one: { step: string }) => one.step === 'dmarc');
  expect(await step()).toEqual({ step: 'dmarc', done: false, id: made.body.data.id });
  const right = await server.api('POST', '/domains', { domain: 'shop.example' }, org.key);
  await server.api('GET', `/domains/${right.body.data.id}/verify`, undefined, org.key);
  expect(await step()).toEqual({ step: 'dmarc', done: true, id: null });
});

it('says where SMTP is spoken, as an application has to be told', async () => {
  const org = await server.createOrganization();
  expect((await first(org.key)).smtp).toEqual({
    host: '127.0.0.1',
    port: 1025,
    encryption: 'none',
    tls_port: null,
    needs_password: false,
  });
});

it('says nothing of SMTP where it is switched off', async () => {
  const without = await startApi({ env: { POSTRIDER_SUBMISSION: 'false' } });
  const org = await without.createOrganization();
  expect((await without.api('GET', '/first-steps', undefined, org.key)).body.data.smtp).toBeNull();
  await without.stop();
});
