import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { letter, sendLetter, storedRows } from '../support/emails.ts';

let server: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  server = await sharedApi();
  org = await server.createOrganization();
});
afterAll(() => server.stop());

const send = (changes: Record<string, unknown> = {}, key = org.key) =>
  server.api('POST', '/emails/send', letter(org, changes), key);
const read = async (id: string) => (await server.api('GET', `/emails/${id}`, undefined, org.key)).body.data;
const sendAndRead = async (changes: Record<string, unknown>) => read(await sendLetter(server, org, changes));

describe('who may send what', () => {
  const unverified = { from: { email: 'a@unverified.example' } };

  it('refuses a sender domain that is not verified, and stores nothing', async () => {
    const before = await storedRows(server.db);
    const answer = await send(unverified);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toEqual({
      code: 'DOMAIN_NOT_VERIFIED',
      message: expect.stringContaining('unverified.example'),
      details: [{ field: 'from.email', message: expect.stringContaining('unverified.example') }],
    });
    expect(await storedRows(server.db)).toEqual(before);
  });

  it.each(['sub.', 'x'])(
    'refuses %s in front of the verified domain: it must be exactly that one',
    async (prefix) => {
      const answer = await send({ from: { email: `a@${prefix}${org.domain}` } });
      expect(answer.body.error.code).toBe('DOMAIN_NOT_VERIFIED');
    },
  );

  it('refuses a domain that only another organization has verified', async () => {
    const other = await server.createOrganization('Other');
    const answer = await send({ from: { email: `a@${other.domain}` } });
    expect(answer.body.error.code).toBe('DOMAIN_NOT_VERIFIED');
  });

  it('takes the domain in any case and script', async () => {
    await server.addVerifiedDomain(org.id, 'xn--mller-kva.example');
    const got = await sendAndRead({ from: { email: 'A@MÜLLER.example' } });
    expect(got.from.email).toBe('A@xn--mller-kva.example');
  });

  it('refuses a key that is tied to another domain with 403, and stores nothing', async () => {
    const key = await server.createKey(org.id, { domain: 'tied.example' });
    const before = await storedRows(server.db);
    const answer = await send({}, key);
    expect(answer.status).toBe(403);
    expect(answer.body.error).toMatchObject({ code: 'FORBIDDEN', details: [] });
    expect(answer.body.error.message).toContain('tied.example');
    expect(await storedRows(server.db)).toEqual(before);
  });

  it('lets a key that is tied to the domain send from it', async () => {
    const key = await server.createKey(org.id, { domain: org.domain, scope: 'send' });
    expect((await send({}, key)).status).toBe(201);
  });

  it('lets a sending key send and look it up', async () => {
    const key = await server.createKey(org.id, { scope: 'send' });
    const answer = await send({}, key);
    expect(answer.status).toBe(201);
    const id = answer.body.data.message_id;
    expect((await server.api('GET', `/emails/${id}`, undefined, key)).status).toBe(200);
  });

  it('does not let a sending key cancel, reschedule, see the sandbox or touch keys', async () => {
    const key = await server.createKey(org.id, { scope: 'send' });
    const scheduled_at = '2030-01-01T00:00:00Z';
    const id = await sendLetter(server, org, { scheduled_at });
    const answers = [
      await server.api('POST', `/emails/${id}/cancel`, undefined, key),
      await server.api('PATCH', `/emails/${id}`, { scheduled_at: '2031-01-01T00:00:00Z' }, key),
      await server.api('GET', '/api-keys', undefined, key),
      await server.api('POST', '/api-keys', { name: 'x' }, key),
      await server.api('GET', '/sandbox/messages', undefined, key),
      await server.api('DELETE', '/sandbox/messages', undefined, key),
    ];
    expect(answers.map((one) => one.body.error?.code)).toEqual(Array(6).fill('FORBIDDEN'));
    expect(await read(id)).toMatchObject({ status: 'queued', scheduled_at: '2030-01-01T00:00:00.000Z' });
  });
});
