/** From a mail that somebody sends to what customers see of it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { startInbound, type TestInbound } from '../support/inbound.ts';
import { bringMail, MailClient, mailOf } from '../support/receiving.ts';

let server: TestApi;
let inbound: TestInbound;
let org: TestOrganization;
beforeAll(async () => {
  server = await sharedApi();
  inbound = await startInbound(server.database);
});
afterAll(async () => {
  await inbound?.stop();
  await server?.stop();
});
beforeEach(async () => {
  org = await server.createOrganization();
});

const ask = (method: string, path: string, body?: unknown, key = org.key) =>
  server.api(method, path, body, key);

async function receiveAt(local = 'support', key = org.key, domain = org.domain): Promise<string> {
  await ask('POST', '/inbound/domains', { domain }, key);
  const { status, body } = await ask('POST', '/inbound/routes', { address: `${local}@${domain}` }, key);
  expect(status).toBe(201);
  return body.data.id;
}

async function received(key = org.key) {
  return (await ask('GET', '/inbound', undefined, key)).body.data;
}

async function untilReceived(number = 1, key = org.key) {
  await expect
    .poll(
      async () => (await received(key)).filter(({ status }: { status: string }) => status === 'read').length,
      {
        timeout: 20_000,
        interval: 50,
      },
    )
    .toBe(number);
  return received(key);
}

describe('mail to a route', () => {
  it('is listed with what it says, and becomes one event', async () => {
    const routeId = await receiveAt();
    const text =
      'Thank you.\r\n\r\nOn Mon, 2 Nov 2026 at 10:00, Shop <shop@example.net> wrote:\r\n> Hello\r\n';
    expect(
      await bringMail(inbound.port, `Support@${org.domain}`, mailOf({ To: 'us@x.example' }, text)),
    ).toMatch(/^250 /);
    const [item] = await untilReceived();
    expect(item).toMatchObject({
      from: { email: 'ada@example.org', name: 'Ada' },
      to: [`support@${org.domain}`],
      subject: 'Hello',
      route_ids: [routeId],
      is_automatic: false,
    });
    const { data } = (await ask('GET', `/inbound/${item.id}`)).body;
    expect(data).toMatchObject({
      stripped_reply: 'Thank you.',
      envelope: {
        mail_from: 'ada@example.org',
        remote_address: '127.0.0.1',
        helo: 'mail.example.org',
        tls: false,
      },
      spam: { result: 'not_checked' },
      virus: { result: 'not_checked' },
      authentication: { dkim: { result: 'none', signatures: [] } },
    });
    const events = (await ask('GET', '/events?type=received')).body.data;
    expect(events).toMatchObject([
      { type: 'received', email_id: item.id, recipient: `support@${org.domain}` },
    ]);
  });

  it('has its source and its files, as downloads alone', async () => {
    await receiveAt();
    const message = mailOf(
      { 'Content-Type': 'multipart/mixed; boundary=b' },
      '--b\r\nContent-Type: text/plain\r\n\r\nSee this\r\n--b\r\nContent-Type: text/html; name="x.html"\r\nContent-Disposition: attachment; filename="x.html"\r\nContent-Transfer-Encoding: base64\r\n\r\nPHNjcmlwdD4=\r\n--b--\r\n',
    );
    await bringMail(inbound.port, `support@${org.domain}`, message);
    const [{ id }] = await untilReceived();
    const { attachments } = (await ask('GET', `/inbound/${id}`)).body.data;
    expect(attachments).toMatchObject([{ filename: 'x.html', size: 8, dangerous: true }]);
    const path = new URL(attachments[0].download_url).pathname;
    const file = await fetch(`${server.url}${path}`);
    expect(await file.text()).toBe('<script>');
    expect(file.headers.get('content-type')).toBe('application/octet-stream');
    expect(file.headers.get('content-disposition')).toMatch(/^attachment;/);
    expect(file.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await fetch(`${server.url}${path.replace(/\.0\./, '.1.')}`)).status).toBe(404);
    const raw = await fetch(`${server.url}/api/v1/inbound/${id}/raw`, {
      headers: { authorization: `Bearer ${org.key}` },
    });
    expect(await raw.text()).toBe(`${message}\r\n`);
  });

  it('counts once when its sender did not hear that it was taken', async () => {
    await receiveAt();
    const message = mailOf({}, 'Once');
    for (let i = 0; i < 3; i += 1)
      expect(await bringMail(inbound.port, `support@${org.domain}`, message)).toMatch(/^250 /);
    await untilReceived(1);
    expect((await ask('GET', '/events?type=received')).body.data).toHaveLength(1);
  });

  it('for two organizations is each one’s own, and no one’s else', async () => {
    const other = await server.createOrganization();
    await receiveAt();
    await receiveAt('sales', other.key, other.domain);
    const to = [`support@${org.domain}`, `sales@${other.domain}`];
    expect(await bringMail(inbound.port, to, mailOf({}, 'Both'))).toMatch(/^250 /);
    const [own] = await untilReceived();
    const [theirs] = await untilReceived(1, other.key);
    expect(own.to).toEqual([to[0]]);
    expect(theirs.to).toEqual([to[1]]);
    expect((await ask('GET', `/inbound/${theirs.id}`)).status).toBe(404);
    expect((await ask('GET', `/inbound/${theirs.id}/raw`)).status).toBe(404);
    expect((await ask('DELETE', `/inbound/${theirs.id}`)).status).toBe(404);
  });

  it('goes to the most particular one', async () => {
    const any = await receiveAt('*');
    const { body } = await ask('POST', '/inbound/routes', { address: `help@${org.domain}` });
    await bringMail(inbound.port, `help+42@${org.domain}`, mailOf({}, 'One'));
    await bringMail(inbound.port, `somebody@${org.domain}`, mailOf({}, 'Two'));
    const all = await untilReceived(2);
    expect(all.map(({ route_ids }: { route_ids: string[] }) => route_ids)).toEqual([[any], [body.data.id]]);
  });

  it('is refused while the route is off', async () => {
    const id = await receiveAt();
    await ask('PATCH', `/inbound/routes/${id}`, { enabled: false });
    expect(await bringMail(inbound.port, `support@${org.domain}`, mailOf({}, 'x'))).toMatch(/^550 5\.1\.1/);
  });

  it('that went through very many servers is a loop', async () => {
    await receiveAt();
    const message = 'Received: from a by b\r\n'.repeat(51) + mailOf({}, 'x');
    expect(await bringMail(inbound.port, `support@${org.domain}`, message)).toMatch(/^554 5\.4\.6/);
  });

  it('is asked to come back later while the disk is nearly full, and nothing of it is stored', async () => {
    await receiveAt();
    const message = mailOf({}, 'x');
    const statfs = async () => ({ bsize: 1, blocks: 1_000, bavail: 1 });
    const full = await startInbound(server.database, { statfs });
    expect(await bringMail(full.port, `support@${org.domain}`, message)).toMatch(/^452 4\.3\.1/);
    await full.stop();
    expect(await received()).toEqual([]);
    expect(await bringMail(inbound.port, `support@${org.domain}`, message)).toMatch(/^250 /);
    await untilReceived();
  });

  it('is deleted with all of it', async () => {
    await receiveAt();
    await bringMail(inbound.port, `support@${org.domain}`, mailOf({}, 'x'));
    const [{ id }] = await untilReceived();
    expect((await ask('DELETE', `/inbound/${id}`)).body.data).toEqual({ id, deleted: true });
    expect(await received()).toEqual([]);
  });
});

describe('a receiving domain', () => {
  it('must be verified, or below one that is', async () => {
    const { status, body } = await ask('POST', '/inbound/domains', { domain: 'somebody-else.example' });
    expect(status).toBe(400);
    expect(body.error.details[0].field).toBe('domain');
    expect((await ask('POST', '/inbound/domains', { domain: `reply.${org.domain}` })).status).toBe(201);
    expect((await ask('POST', '/inbound/domains', { domain: `not${org.domain}` })).status).toBe(400);
  });

  it('shows the MX record to publish', async () => {
    const { body } = await ask('POST', '/inbound/domains', { domain: org.domain });
    expect(body.data.mx).toMatchObject({ type: 'MX', name: org.domain, status: 'pass' });
  });

  it('is one organization’s alone', async () => {
    const other = await server.createOrganization();
    await ask('POST', '/inbound/domains', { domain: org.domain });
    const taken = await ask('POST', '/inbound/domains', { domain: org.domain }, other.key);
    expect([400, 409]).toContain(taken.status);
  });

  it('below a domain belongs to the organization that verified it, not to the owner of the domain above', async () => {
    const other = await server.createOrganization();
    const name = `shop.${org.domain}`;
    await server.addVerifiedDomain(other.id, name);
    for (const domain of [name, `reply.${name}`]) {
      const { status, body } = await ask('POST', '/inbound/domains', { domain });
      expect([status, body.error.code]).toEqual([409, 'CONFLICT']);
      expect((await ask('POST', '/inbound/domains', { domain }, other.key)).status).toBe(201);
    }
  });
});

it('refuses what is not received anywhere', async () => {
  const client = await MailClient.open(inbound.port);
  await client.say('MAIL FROM:<a@example.org>');
  expect(await client.say(`RCPT TO:<nobody@${org.domain}>`)).toMatch(/^550 5\.7\.1/);
  client.close();
});
