/** What leaves: sent over the API, delivered by the worker into the sandbox, opened and unsubscribed from there. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pixelTag } from '../../src/protocols/message/tracking-links.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { startMailWorker, type TestWorker } from '../support/mail-worker.ts';
import { until } from '../support/until.ts';
import { READER } from './fixture.ts';

const HTML = '<html><body><p>Hello & <b>welcome</b></p></body></html>';
const PIXEL = /<img src="(http[^"]+\/t\/o\/[\w-]{56}\.gif)"[^>]*>/g;

const PATIENCE = { timeout: 20_000 };

let server: TestApi;
let org: TestOrganization;
let worker: TestWorker;
beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization();
  worker = await startMailWorker(server.database, { POSTRIDER_PUBLIC_URL: server.url });
});
afterAll(async () => {
  await worker?.stop();
  await server?.stop();
});

const call = async (method: string, path: string, body?: unknown) => {
  const answer = await server.api(method, path, body, org.key);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body.data;
};

async function send(fields: Readonly<Record<string, unknown>>): Promise<string> {
  const from = { email: `news@${org.domain}` };
  const to = [{ email: 'ada@example.org' }];
  return (await call('POST', '/emails/send', { from, to, subject: 'Hi', html: HTML, ...fields })).message_id;
}

interface Captured {
  readonly to: string;
  readonly html: string | null;
  readonly text: string | null;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}

/** What arrived of an email, one for each recipient. */
async function captured(emailId: string, count = 1): Promise<Captured[]> {
  const arrived = async () => {
    const list: { id: string; email_id: string }[] = await call('GET', '/sandbox/messages?limit=100');
    return list.filter((one) => one.email_id === emailId);
  };
  const ours = await until(arrived, ({ length }) => length >= count);
  return Promise.all(ours.map(({ id }) => call('GET', `/sandbox/messages/${id}`)));
}

const pixelsOf = (html: string | null) =>
  [...(html ?? '').matchAll(PIXEL)].map((match) => match[1] as string);
const header = (mail: Captured, name: string) => mail.headers.find((one) => one.name === name)?.value ?? null;

describe('html mail with track_opens', () => {
  it('has a pixel before the end of its body that opens it, and reads back as it was sent', async () => {
    const id = await send({ track_opens: true });
    const [mail] = await captured(id);
    const [url] = pixelsOf(mail?.html ?? null);
    expect(mail?.html?.trim()).toBe(HTML.replace('</body>', `${pixelTag(url ?? '')}</body>`));
    expect((await call('GET', `/emails/${id}/content`)).html).toBe(HTML);
    await fetch(url ?? '', { headers: { 'user-agent': READER } });
    await expect.poll(async () => (await call('GET', `/emails/${id}`)).status, PATIENCE).toBe('opened');
  });

  it('has another pixel for every recipient', async () => {
    const id = await send({
      track_opens: true,
      to: [{ email: 'a@example.org' }, { email: 'b@example.org' }],
      bcc: [{ email: 'c@example.org' }],
    });
    const mails = await captured(id, 3);
    const b = mails.find((mail) => mail.to === 'b@example.org');
    expect(new Set(mails.flatMap((mail) => pixelsOf(mail.html))).size).toBe(3);
    await fetch(pixelsOf(b?.html ?? null)[0] ?? '', { headers: { 'user-agent': READER } });
    await expect
      .poll(async () => {
        const { events } = await call('GET', `/emails/${id}`);
        return events.filter((event: { type: string }) => event.type === 'opened');
      }, PATIENCE)
      .toMatchObject([{ recipient: 'b@example.org' }]);
  });

  it('has none without html, and none when it is not asked for', async () => {
    const [text] = await captured(await send({ track_opens: true, html: undefined, text: 'Hello' }));
    expect([text?.html, text?.text?.trim()]).toEqual([null, 'Hello']);
    const [plain] = await captured(await send({}));
    expect(plain?.html?.trim()).toBe(HTML);
  });
});

describe('opened@simulator.test', () => {
  it('takes the mail and opens it a moment later, through the real pixel', async () => {
    const to = [{ email: 'opened+7@simulator.test' }];
    const id = await send({ track_opens: true, to });
    await expect.poll(async () => (await call('GET', `/emails/${id}`)).status, PATIENCE).toBe('opened');
    const { events } = await call('GET', `/emails/${id}`);
    expect(events.at(-1)).toMatchObject({
      type: 'opened',
      recipient: 'opened+7@simulator.test',
      user_agent: 'Mozilla/5.0 (compatible; Postrider simulator)',
    });
  });
});

describe('the setting of the organization', () => {
  it('decides where the request does not', async () => {
    const [off, on] = [false, true].map((track_opens) => ({ track_opens, track_clicks: 'off' }));
    expect(await call('GET', '/settings/tracking')).toEqual(off);
    expect(await call('PUT', '/settings/tracking', { track_opens: true })).toEqual(on);
    expect(await call('GET', '/settings/tracking')).toEqual(on);
    const template = await call('POST', '/templates', { name: 'T', subject: 'S', html: '<p>{{name}}</p>' });
    const batch = (more: object) =>
      call('POST', '/emails/batch', {
        template_id: template.id,
        from: { email: `news@${org.domain}` },
        recipients: [{ to: { email: 'ada@example.org' }, data: { name: 'Ada' } }],
        ...more,
      });
    const idOf = async ({ batch_id }: { batch_id: string }) =>
      (await call('GET', `/emails?batch_id=${batch_id}`))[0].id;
    const sent = {
      unsaid: await send({}),
      no: await send({ track_opens: false }),
      batch: await idOf(await batch({})),
      batchNo: await idOf(await batch({ track_opens: false })),
    };
    await call('PUT', '/settings/tracking', { track_opens: false });
    const tracked = Object.entries(sent).map(async ([name, id]) => [
      name,
      pixelsOf((await captured(id))[0]?.html ?? null).length,
    ]);
    expect(Object.fromEntries(await Promise.all(tracked))).toEqual({
      unsaid: 1,
      no: 0,
      batch: 1,
      batchNo: 0,
    });
  });

  it('is not somebody else’s', async () => {
    const other = await server.createOrganization('Other');
    await server.api('PUT', '/settings/tracking', { track_opens: true }, other.key);
    expect(await call('GET', '/settings/tracking')).toEqual({ track_opens: false, track_clicks: 'off' });
  });
});

describe('mail with unsubscribe', () => {
  it('has signed headers with a link of its own for every recipient', async () => {
    const domain = await call('POST', '/domains', { domain: 'signed.example' });
    await call('GET', `/domains/${domain.id}/verify`);
    const id = await send({
      from: { email: 'news@signed.example' },
      unsubscribe: true,
      to: [{ email: 'x@example.org' }, { email: 'y@example.org' }],
    });
    const mails = await captured(id, 2);
    for (const mail of mails) {
      expect(header(mail, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
      const signed = (header(mail, 'DKIM-Signature') ?? '').toLowerCase().replaceAll(/\s/g, '');
      expect(signed).toMatch(/[:=]list-unsubscribe[:;]/);
      expect(signed).toMatch(/[:=]list-unsubscribe-post[:;]/);
    }
    const y = mails.find((mail) => mail.to === 'y@example.org') as Captured;
    const link = /^<(http[^>]+\/u\/[\w-]+)>$/.exec(header(y, 'List-Unsubscribe') ?? '')?.[1] ?? '';
    await fetch(link, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) });
    const list: { email: string; reason: string }[] = await call('GET', '/suppressions');
    expect(list.map(({ email, reason }) => [email, reason])).toEqual([['y@example.org', 'unsubscribe']]);
  });

  it('has none of them when it is not asked for', async () => {
    const [mail] = await captured(await send({}));
    expect(header(mail as Captured, 'List-Unsubscribe')).toBe(null);
    expect(header(mail as Captured, 'List-Unsubscribe-Post')).toBe(null);
  });
});
