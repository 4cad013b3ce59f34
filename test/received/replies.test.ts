/** Answers to what was sent, and answers to those: one conversation. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { freePort } from '../processes/supervised.ts';
import { INBOUND_HOST, startInbound, type TestInbound } from '../support/inbound.ts';
import { bringMail, mailOf } from '../support/receiving.ts';
import { until } from '../support/until.ts';
import { WebhookFixture } from '../webhooks/fixture.ts';

let fixture: WebhookFixture;
let inbound: TestInbound;
beforeAll(async () => {
  const port = String(await freePort());
  fixture = await WebhookFixture.start(
    { POSTRIDER_HOSTNAME: INBOUND_HOST },
    { POSTRIDER_INBOUND_PORT: port },
  );
  inbound = await startInbound(fixture.server.database, { env: { POSTRIDER_INBOUND_PORT: port } });
});
afterAll(async () => {
  await inbound?.stop();
  await fixture?.stop();
});

async function replyAddressOf(id: string): Promise<string> {
  return (await fixture.call('GET', `/emails/${id}`)).reply_to.email;
}

/** The one from somebody. */
function receivedFrom(email: string) {
  return until(async () => {
    const [first] = await fixture.call('GET', `/inbound?from=${email}`);
    return first?.status === 'read' ? fixture.call('GET', `/inbound/${first.id}`) : undefined;
  });
}

describe('an email that receives replies', () => {
  it('has an address that says which email is answered, at this server', async () => {
    const id = await fixture.send({ receive_replies: true });
    const address = await replyAddressOf(id);
    expect(address).toMatch(new RegExp(`^r\\+[0-9a-z]{61}@${INBOUND_HOST.replaceAll('.', '\\.')}$`));
    const message = mailOf({ From: 'eve@example.org', Subject: 'Re: Hello' }, 'Yes');
    expect(await bringMail(inbound.port, address.toUpperCase(), message)).toMatch(/^250 /);
    const mail = await receivedFrom('eve@example.org');
    expect(mail).toMatchObject({ in_reply_to_email_id: id, matched_by: 'token', conversation_id: id });
    expect(mail.conversation).toMatchObject([
      { id, kind: 'sent' },
      { id: mail.id, kind: 'received' },
    ]);
  });

  it('has it at a domain that receives, where there is one', async () => {
    const domain = `reply.${fixture.org.domain}`;
    await fixture.call('POST', '/inbound/domains', { domain });
    const address = await replyAddressOf(await fixture.send({ receive_replies: true }));
    expect(address.endsWith(`@${domain}`)).toBe(true);
    expect(await bringMail(inbound.port, address, mailOf({ From: 'dora@example.org' }, 'x'))).toMatch(
      /^250 /,
    );
    await fixture.call('DELETE', `/inbound/domains/${domain}`);
  });

  it('cannot have another', async () => {
    const body = { receive_replies: true, reply_to: { email: 'a@example.org' } };
    await expect(fixture.send(body)).rejects.toThrow(/reply_to/);
  });

  it('has one that nobody can make up', async () => {
    const address = await replyAddressOf(await fixture.send({ receive_replies: true }));
    for (const at of [2, 20, 40, 60]) {
      const other = address[at] === '0' ? '1' : '0';
      const forged = address.slice(0, at) + other + address.slice(at + 1);
      expect(await bringMail(inbound.port, forged, mailOf({}, 'x'))).toMatch(/^550 5\.1\.1/);
    }
  });
});

it('an answer without the address is found by what it refers to, but not by another organization', async () => {
  const id = await fixture.send({});
  const stranger = await fixture.server.createOrganization();
  const keys = [fixture.org, stranger];
  for (const { key, domain } of keys) {
    await fixture.server.api('POST', '/inbound/domains', { domain }, key);
    await fixture.server.api('POST', '/inbound/routes', { address: `help@${domain}` }, key);
  }
  const fields = { From: 'bob@example.org', 'In-Reply-To': `<${id}@${fixture.org.domain}>` };
  await bringMail(
    inbound.port,
    keys.map(({ domain }) => `help@${domain}`),
    mailOf(fields, 'x'),
  );
  expect(await receivedFrom('bob@example.org')).toMatchObject({
    in_reply_to_email_id: id,
    matched_by: 'headers',
  });
  const [theirs] = await until(async () => {
    const { body } = await fixture.server.api('GET', '/inbound', undefined, stranger.key);
    return body.data[0]?.status === 'read' ? body.data : undefined;
  });
  expect(theirs).toMatchObject({ in_reply_to_email_id: null, conversation_id: theirs.id });
});

it('what is answered by the API goes to who wrote it, threaded, in the same conversation', async () => {
  await fixture.call('POST', '/inbound/routes', { address: `sales@${fixture.org.domain}` });
  const message = mailOf(
    { From: 'Carl <carl@example.org>', Subject: 'AW: Re: Prices', References: '<first@example.org>' },
    'How much?',
  );
  await bringMail(inbound.port, `sales@${fixture.org.domain}`, message);
  const mail = await receivedFrom('carl@example.org');
  const { message_id } = await fixture.call('POST', `/inbound/${mail.id}/reply`, { text: 'Ten.' });
  const sent = await fixture.call('GET', `/emails/${message_id}`);
  expect(sent).toMatchObject({
    subject: 'Re: Prices',
    from: { email: `sales@${fixture.org.domain}` },
    to: [{ email: 'carl@example.org', name: 'Carl' }],
  });
  const { headers } = await fixture.call('GET', `/emails/${message_id}/content`);
  expect(headers).toEqual({
    'In-Reply-To': mail.message_id,
    References: `<first@example.org> ${mail.message_id}`,
  });
  const again = mailOf(
    { From: 'carl@example.org', 'In-Reply-To': `<${message_id}@${fixture.org.domain}>` },
    'Too much.',
  );
  await bringMail(inbound.port, `sales@${fixture.org.domain}`, again);
  const all = await until(async () => {
    const list = await fixture.call('GET', `/inbound?conversation=${mail.conversation_id}`);
    return list.length === 2 ? list : undefined;
  });
  const { conversation } = await fixture.call('GET', `/inbound/${all[0].id}`);
  expect(conversation.map(({ kind }: { kind: string }) => kind)).toEqual(['received', 'sent', 'received']);
});

it('an answer to mail at a name that only receives is from the domain above, and answers to it come back', async () => {
  const { domain } = fixture.org;
  await fixture.call('POST', '/inbound/domains', { domain: `reply.${domain}` });
  await fixture.call('POST', '/inbound/routes', { address: `support@reply.${domain}` });
  const message = mailOf({ From: 'Ida <ida@example.org>', Subject: 'Late?' }, 'Where is it?');
  await bringMail(inbound.port, `support@reply.${domain}`, message);
  const mail = await receivedFrom('ida@example.org');
  const { message_id } = await fixture.call('POST', `/inbound/${mail.id}/reply`, { text: 'On its way.' });
  const sent = await fixture.call('GET', `/emails/${message_id}`);
  expect(sent).toMatchObject({
    from: { email: `support@${domain}` },
    to: [{ email: 'ida@example.org' }],
    reply_to: { email: expect.stringMatching(/^r\+[0-9a-z]{61}@reply\./) },
  });
  // Her program leaves out what the mail refers to.
  await bringMail(inbound.port, sent.reply_to.email, mailOf({ From: 'ida@home.example' }, 'Thanks'));
  const thanks = await receivedFrom('ida@home.example');
  expect(thanks).toMatchObject({ conversation_id: mail.conversation_id, in_reply_to_email_id: message_id });
  const again = await fixture.call('POST', `/inbound/${thanks.id}/reply`, { text: 'Gladly.' });
  expect((await fixture.call('GET', `/emails/${again.message_id}`)).from.email).toBe(`support@${domain}`);
  await fixture.call('DELETE', `/inbound/domains/reply.${domain}`);
});

it('an answer by the API that cannot join its conversation is not sent', async () => {
  const address = `desk@${fixture.org.domain}`;
  await fixture.call('POST', '/inbound/routes', { address });
  await bringMail(inbound.port, address, mailOf({ From: 'hanna@example.org' }, 'Are you there?'));
  const mail = await receivedFrom('hanna@example.org');
  const { db } = fixture.server;
  await db.exec(adHoc('ALTER TABLE conversation_emails ADD CONSTRAINT none CHECK (false) NOT VALID'));
  const answer = { subject: 'Never sent', text: 'Yes.' };
  const reply = () => fixture.server.api('POST', `/inbound/${mail.id}/reply`, answer, fixture.org.key);
  expect((await reply()).status).toBe(500);
  const sent = adHoc<{ id: string }>(`SELECT id FROM emails WHERE subject = 'Never sent'`);
  expect(await db.many(sent)).toEqual([]);
  await db.exec(adHoc('ALTER TABLE conversation_emails DROP CONSTRAINT none'));
  expect((await reply()).status).toBe(201);
  expect(await db.many(sent)).toHaveLength(1);
});

it('the recipient of a captured email answers it, and a webhook is told', async () => {
  const hook = await fixture.hook('/received', { event_types: ['email.received'] });
  const to = [{ email: 'frida@example.org' }];
  const id = await fixture.send({ receive_replies: true, subject: 'Grüße', to });
  const captured = await until(async () => {
    const all = await fixture.call('GET', '/sandbox/messages?limit=100');
    return all.find(({ email_id }: { email_id: string }) => email_id === id);
  });
  const answer = { action: 'reply', text: 'I never ordered this!' };
  await fixture.call('POST', `/sandbox/messages/${captured.id}/actions`, answer);
  const mail = await receivedFrom('frida@example.org');
  expect(mail).toMatchObject({
    stripped_reply: 'I never ordered this!',
    in_reply_to_email_id: id,
    subject: 'Re: Grüße',
  });
  expect(mail.is_automatic).toBe(false);
  const delivered = await fixture.delivery(hook, ({ status }) => status === 'delivered');
  expect(delivered).toMatchObject({ type: 'email.received', email_id: mail.id });
  const posted = fixture.receiver.received.find(({ path }) => path === '/received');
  const { type, data } = posted?.body ?? {};
  expect(type).toBe('email.received');
  expect(data).toMatchObject({
    received_id: mail.id,
    stripped_reply: 'I never ordered this!',
    conversation_id: id,
  });
});

it('an email that nobody receives answers to says so when it is answered', async () => {
  const to = [{ email: 'gustav@example.org' }];
  const id = await fixture.send({ reply_to: { email: 'nobody@elsewhere.example' }, to });
  const captured = await until(async () => {
    const all = await fixture.call('GET', '/sandbox/messages?limit=100');
    return all.find(({ email_id }: { email_id: string }) => email_id === id);
  });
  const answered = fixture.call('POST', `/sandbox/messages/${captured.id}/actions`, { action: 'reply' });
  await expect(answered).rejects.toThrow(/receive_replies/);
});
