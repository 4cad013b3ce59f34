/** Recipient variables through Mailgun's own client: a message for each recipient. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi, TestOrganization } from '../support/api.ts';
import { inboxOf } from '../support/inbox.ts';
import { idIn, type MailgunFixture, refusal, type Sent, startMailgun } from '../support/mailgun.ts';

let fixture: MailgunFixture;
let server: TestApi;
let org: TestOrganization;

beforeAll(async () => {
  fixture = await startMailgun();
  ({ server, org } = fixture);
});
afterAll(() => fixture.stop());

const send = (data: object) => fixture.send(data);
const from = () => fixture.from();
const simple = (to: unknown) => fixture.simple(to);
const content = (id: string) => fixture.content(id);

/** By recipient. */
async function batch(sent: Sent): Promise<Map<string, string>> {
  const path = `/emails?batch_id=${idIn(sent)}&include=addresses&limit=100`;
  const { data } = (await server.api('GET', path, undefined, org.key)).body;
  return new Map(data.map(({ id, to }: { id: string; to: { email: string }[] }) => [to[0]?.email, id]));
}

describe('recipient variables', () => {
  it('give each recipient a message of their own', async () => {
    const sent = await send({
      from: from(),
      to: ['Ada <v1@example.org>', 'V2@example.org'],
      subject: 'Hey %recipient.first%',
      text: '%recipient.first% %recipient.id% %recipient.unknown% 100%',
      html: '<p>%recipient.first%</p>',
      'h:X-Id': '%recipient.id%',
      'v:id': '%recipient.id%',
      'recipient-variables': JSON.stringify({
        'v1@example.org': { first: 'Ada $&', id: 1 },
        'v2@example.org': { first: 'Bob %recipient.id%', id: 2 },
      }),
    });
    const emails = await batch(sent);
    expect(emails.size).toBe(2);
    expect(await content(emails.get('v1@example.org') as string)).toMatchObject({
      subject: 'Hey Ada $&',
      text: 'Ada $& 1 %recipient.unknown% 100%',
      html: '<p>Ada $&</p>',
      headers: { 'X-Id': '1' },
    });
    const second = emails.get('V2@example.org') as string;
    expect((await content(second)).text).toBe('Bob %recipient.id% 2 %recipient.unknown% 100%');
    const { data } = (await server.api('GET', `/emails/${second}`, undefined, org.key)).body;
    expect(data).toMatchObject({ to: [{ email: 'V2@example.org' }], cc: [], bcc: [], metadata: { id: '2' } });
    expect((await inboxOf(server, org.key, 'v1@example.org')).addresses.to).toEqual([
      { email: 'v1@example.org', name: 'Ada' },
    ]);
  });

  it('go into the variables of a template', async () => {
    const template = {
      name: 'Named',
      alias: 'named',
      subject: 'For {{user.name}}',
      html: '<p>{{user.name}}</p>',
    };
    await server.api('POST', '/templates', template, org.key);
    const sent = await send({
      from: from(),
      to: ['n1@example.org', 'n2@example.org'],
      template: 'named',
      't:variables': JSON.stringify({ user: { name: '%recipient.name%' } }),
      'recipient-variables': JSON.stringify({
        'n1@example.org': { name: 'Ada' },
        'n2@example.org': { name: 'Bob' },
      }),
    });
    const emails = await batch(sent);
    expect((await content(emails.get('n2@example.org') as string)).subject).toBe('For Bob');
  });

  it('make no more of the variables of a template than may be stored', async () => {
    const sending = send({
      from: from(),
      to: Array.from({ length: 170 }, (_, i) => `much${i}@example.org`),
      template: 'named',
      't:variables': JSON.stringify({ user: { name: 'x'.repeat(400 * 1024) } }),
      'recipient-variables': '{}',
    });
    expect(await refusal(sending)).toEqual({ status: 413, details: expect.stringContaining('64 MiB') });
  });

  it('reach more recipients than one message may have', async () => {
    const to = Array.from({ length: 120 }, (_, i) => `many${i}@example.org`);
    const sent = await send({ ...simple(to), 'recipient-variables': '{}' });
    const { data } = (await server.api('GET', `/emails/batch/${idIn(sent)}`, undefined, org.key)).body;
    expect(data.total).toBe(120);
  });

  it.each([
    ['copies, who would get all of them', { cc: 'c@example.org' }, 'cc: '],
    ['1,001 recipients', { to: Array.from({ length: 1_001 }, (_, i) => `r${i}@example.org`) }, 'to: '],
    ['what is no JSON', { 'recipient-variables': '{' }, 'recipient-variables must be a JSON object'],
    ['what is nested beyond reason', { 'recipient-variables': '['.repeat(100_000) }, 'nested too deeply'],
    ['what cannot be stored', { 'recipient-variables': '{"a@b.c":{"x":"\\u0000"}}' }, 'NUL'],
  ])('refuse %s', async (_what, wrong, words) => {
    const sending = send({ ...simple('r@example.org'), 'recipient-variables': '{}', ...wrong });
    expect(await refusal(sending)).toEqual({ status: 400, details: expect.stringContaining(words) });
  });
});
