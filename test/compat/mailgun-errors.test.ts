/** What Mailgun's own client is refused. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi, TestOrganization } from '../support/api.ts';
import { type MailgunFixture, refusal, startMailgun } from '../support/mailgun.ts';

let fixture: MailgunFixture;
let server: TestApi;
let org: TestOrganization;

beforeAll(async () => {
  fixture = await startMailgun();
  ({ server, org } = fixture);
});
afterAll(() => fixture.stop());

const mailgun = (key?: string) => fixture.client(key);
const send = (data: object, key?: string, domain?: string) => fixture.send(data, key, domain);
const simple = (to: unknown) => fixture.simple(to);

describe('what is refused', () => {
  it.each([
    ['a wrong address', { to: 'nobody' }, 400, 'to: '],
    [
      '51 recipients of one message',
      { to: Array.from({ length: 51 }, (_, i) => `r${i}@example.org`) },
      400,
      '50',
    ],
    ['no subject', { subject: undefined }, 400, 'subject'],
    ['no content', { text: undefined, html: '' }, 400, 'html'],
    ['two senders', { from: 'a@example.org, b@example.org' }, 400, 'from: must be one address'],
    ['a sender whose domain is not verified', { from: 'x@unverified.test' }, 403, 'unverified.test'],
    ['a header that is ours to write', { 'h:Received': 'x' }, 400, 'h:Received'],
    ['a time that is none', { 'o:deliverytime': 'soon' }, 400, 'o:deliverytime must be a date'],
    [
      'a time that is long past',
      { 'o:deliverytime': 'Fri, 14 Oct 2011 12:00:00 GMT' },
      400,
      'o:deliverytime: ',
    ],
    ['encryption that cannot be demanded', { 'o:require-tls': true }, 400, 'o:require-tls'],
    ['eleven tags', { 'o:tag': 'abcdefghijk'.split('') }, 400, 'o:tag'],
    [
      'an image whose name cannot be referred to',
      { inline: { data: Buffer.from('x'), filename: 'a b.png' } },
      400,
      'inline',
    ],
  ])('%s', async (_what, wrong, status, words) => {
    expect(await refusal(send({ ...simple('r@example.org'), ...wrong }))).toEqual({
      status,
      details: expect.stringContaining(words),
    });
  });

  it('a key that is none, with the word that the client expects', async () => {
    expect(await refusal(send(simple('k@example.org'), 'wrong'))).toEqual({
      status: 401,
      details: 'Forbidden',
    });
  });

  it('a key that may not send', async () => {
    const reader = await server.createKey(org.id, { scope: 'read' });
    expect(await refusal(send(simple('k@example.org'), reader))).toMatchObject({ status: 403 });
  });

  it('a domain in the path that is nobody of the organization, but not another of its own', async () => {
    expect(await refusal(send(simple('d@example.org'), org.key, 'elsewhere.test'))).toEqual({
      status: 404,
      details: 'Domain not found: elsewhere.test',
    });
    await server.addVerifiedDomain(org.id, 'mg.own.test');
    expect((await send(simple('d@example.org'), org.key, 'mg.own.test')).status).toBe(200);
  });

  it('a path that is not offered, in its form', async () => {
    expect(await refusal(mailgun().routes.list({}))).toEqual({ status: 404, details: expect.any(String) });
  });

  const post = (type: string, body: string | Buffer) =>
    fetch(`${server.url}/compat/mailgun/v3/${org.domain}/messages`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`api:${org.key}`)}`, 'content-type': type },
      body,
    });

  it.each([
    [
      'a form without an end',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="to"\r\n\r\n',
      400,
    ],
    ['JSON', 'application/json', '{}', 415],
    ['another type', 'text/plain', 'x', 415],
    ['text that is not UTF-8', 'application/x-www-form-urlencoded', 'from=a%00', 400],
    ['nothing but a name that every object has', 'application/x-www-form-urlencoded', 'constructor=1', 400],
  ])('%s', async (_what, type, body, status) => {
    const response = await post(type, body);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ message: expect.any(String) });
  });

  it('a name of a variable that cannot be stored', async () => {
    const form = new URLSearchParams({ ...simple('r@example.org'), 'v:a\0b': '1' } as Record<string, string>);
    expect((await post('application/x-www-form-urlencoded', String(form))).status).toBe(400);
  });

  it('a form of more than 20 MiB', async () => {
    const response = await post('multipart/form-data; boundary=x', Buffer.alloc(20 * 1024 * 1024 + 1));
    expect(response.status).toBe(413);
  });
});
