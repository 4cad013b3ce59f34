/** Nobody can have this server send mail on: what was tried on mail servers for forty years. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { INBOUND_HOST, startInbound, type TestInbound } from '../support/inbound.ts';
import { MailClient, mailOf } from '../support/receiving.ts';

let server: TestApi;
let inbound: TestInbound;
let org: TestOrganization;
let other: TestOrganization;
let client: MailClient;
beforeAll(async () => {
  server = await startApi();
  inbound = await startInbound(server.database);
  org = await server.createOrganization();
  other = await server.createOrganization();
  const ask = (path: string, body: object, key: string) => server.api('POST', path, body, key);
  await ask('/inbound/domains', { domain: org.domain }, org.key);
  await ask('/inbound/routes', { address: `*@${org.domain}` }, org.key);
  await ask('/inbound/domains', { domain: other.domain }, other.key);
  await ask('/inbound/routes', { address: `support@${other.domain}` }, other.key);
});
afterAll(async () => {
  client?.close();
  await inbound?.stop();
  await server?.stop();
});

/** With a domain of our own that takes everything, and one that takes a single address. */
const TRICKS: readonly ((own: string, one: string, host: string) => string)[] = [
  () => 'victim@elsewhere.example',
  (own) => `victim%elsewhere.example@${own}`,
  (own) => `victim%elsewhere.example%${own}@${own}`,
  (own) => `"victim@elsewhere.example"@${own}`,
  (own) => `"victim%elsewhere.example"@${own}`,
  (own) => `elsewhere.example!victim@${own}`,
  (own) => `a!b!victim@${own}`,
  (own) => `@${own}:victim@elsewhere.example`,
  (own) => `@${own},@relay.example:victim@elsewhere.example`,
  (own) => `victim@elsewhere.example@${own}`,
  (own) => `victim@${own}@elsewhere.example`,
  (own) => `victim@elsewhere.example,@${own}`,
  (own) => `|/bin/sh@${own}`,
  (own) => `"|/bin/sh"@${own}`,
  (own) => `/etc/passwd@${own}`,
  (own) => `"a b"@${own}`,
  (own) => `.victim@${own}`,
  (own) => `victim.@${own}`,
  (own) => `vic..tim@${own}`,
  (own) => `"\\"victim"@${own}`,
  (own) => `victim@[127.0.0.1]`.replace('own', own),
  () => 'victim@[IPv6:::1]',
  () => 'victim@localhost',
  () => 'victim',
  () => '@elsewhere.example',
  (own) => `victim@sub.${own}`,
  (own) => `victim@x${own}`,
  (own) => `victim@${own}.elsewhere.example`,
  (own) => `victim@.${own}`,
  (_own, one) => `somebody@${one}`,
  (_own, one) => `supportive@${one}`,
  (_own, one) => `*@${one}`,
  (_own, _one, host) => `victim%elsewhere.example@${host}`,
  (_own, _one, host) => `r+${'0'.repeat(61)}@${host}`,
  (_own, one) => `r+${'0'.repeat(61)}@${one}`,
];

describe('a recipient', () => {
  it.each(TRICKS.map((trick, number) => [trick('own.test', 'one.test', 'host.test'), number]))(
    'like %s is refused',
    async (_shown, number) => {
      const address = (TRICKS[number as number] as (typeof TRICKS)[number])(
        org.domain,
        other.domain,
        INBOUND_HOST,
      );
      client = await MailClient.open(inbound.port);
      await client.say('MAIL FROM:<attacker@example.net>');
      expect(await client.say(`RCPT TO:<${address}>`)).toMatch(/^5\d\d /);
      expect(await client.say('DATA')).toMatch(/^5\d\d /);
      client.close();
    },
  );

  it('of an organization whose domain is not verified any more is refused', async () => {
    const third = await server.createOrganization();
    await server.api('POST', '/inbound/domains', { domain: third.domain }, third.key);
    await server.api('POST', '/inbound/routes', { address: `*@${third.domain}` }, third.key);
    await server.db.exec(adHoc('UPDATE domains SET spf_verified = false WHERE organization_id = $1'), [
      third.id,
    ]);
    client = await MailClient.open(inbound.port);
    await client.say('MAIL FROM:<a@example.net>');
    expect(await client.say(`RCPT TO:<x@${third.domain}>`)).toMatch(/^550 /);
    client.close();
  });

  it.each(['', 'a@example.net'])(
    'is taken from <%s>, in whatever case, with a note, as an IDN',
    async (from) => {
      client = await MailClient.open(inbound.port);
      await client.say(`MAIL FROM:<${from}>`);
      for (const address of [
        `SUPPORT@${other.domain.toUpperCase()}`,
        `support+note@${other.domain}`,
        `"support"@${other.domain}`,
      ])
        expect(await client.say(`RCPT TO:<${address}>`)).toMatch(/^250 /);
      client.close();
    },
  );

  it('is never sent anything, whatever it was', async () => {
    client = await MailClient.open(inbound.port);
    expect(await client.send('attacker@example.net', [`support@${other.domain}`], mailOf({}, 'x'))).toMatch(
      /^250 /,
    );
    client.close();
    const queued = await server.db.one(adHoc<{ count: number }>('SELECT count(*) AS count FROM outbox'));
    expect(queued.count).toBe(0);
  });
});
