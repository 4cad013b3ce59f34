/** What leaves with track_clicks: sent over the API and SMTP, delivered by the worker into the sandbox, followed from there. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { startMailWorker, type TestWorker } from '../support/mail-worker.ts';
import { idIn, startSubmission, type TestSubmission } from '../support/submission.ts';
import { until } from '../support/until.ts';
import { READER } from './fixture.ts';

const PATIENCE = { timeout: 20_000 };
const TRACKED = /https?:\/\/[^"'\s<>)]+\/t\/c\/[\w-]+/g;

let server: TestApi;
let org: TestOrganization;
let worker: TestWorker;
let submission: TestSubmission;
/** Where links lead. */
let shop: Server;
let shopUrl: string;
const visited: string[] = [];
beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization();
  worker = await startMailWorker(server.database, { POSTRIDER_PUBLIC_URL: server.url });
  submission = await startSubmission(server.database);
  shop = createServer((request, response) => {
    visited.push(request.url ?? '');
    response.end('Welcome');
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await submission?.stop();
  await worker?.stop();
  await server?.stop();
  shop.close();
});

const call = async (method: string, path: string, body?: unknown) => {
  const answer = await server.api(method, path, body, org.key);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body.data;
};

async function send(fields: Readonly<Record<string, unknown>>): Promise<string> {
  const from = { email: `news@${org.domain}` };
  const to = [{ email: 'ada@example.org' }];
  return (await call('POST', '/emails/send', { from, to, subject: 'Hi', ...fields })).message_id;
}

interface Captured {
  readonly to: string;
  readonly html: string | null;
  readonly text: string | null;
}

async function captured(emailId: string, count = 1): Promise<Captured[]> {
  const arrived = async () => {
    const list: { id: string; email_id: string }[] = await call('GET', '/sandbox/messages?limit=100');
    return list.filter((one) => one.email_id === emailId);
  };
  const ours = await until(arrived, ({ length }) => length >= count);
  return Promise.all(ours.map(({ id }) => call('GET', `/sandbox/messages/${id}`)));
}

const linksOf = (content: string | null | undefined) =>
  [...(content ?? '').matchAll(TRACKED)].map(([url]) => url);
const clicksOf = async (id: string) =>
  (await call('GET', `/emails/${id}`)).events.filter(({ type }: { type: string }) => type === 'clicked');

describe('html mail with track_clicks', () => {
  it('leads people over us to where its links led, and reads back as it was sent', async () => {
    const html = `<body><p><a href="${shopUrl}/basket?a=1&amp;b=2#c">Basket</a></p></body>`;
    const id = await send({ html, track_clicks: true });
    const [mail] = await captured(id);
    const [link = ''] = linksOf(mail?.html);
    expect(mail?.html?.trim()).toBe(html.replace(`${shopUrl}/basket?a=1&amp;b=2#c`, link));
    expect((await call('GET', `/emails/${id}/content`)).html).toBe(html);
    const page = await fetch(link, { headers: { 'user-agent': READER } });
    expect(await page.text()).toBe('Welcome');
    expect(visited).toContain('/basket?a=1&b=2');
    await expect
      .poll(() => clicksOf(id), PATIENCE)
      .toMatchObject([{ url: `${shopUrl}/basket?a=1&b=2#c`, recipient: 'ada@example.org' }]);
  });

  it('has links of its own for every recipient', async () => {
    const to = [{ email: 'a@example.org' }, { email: 'b@example.org' }];
    const id = await send({ html: `<a href="${shopUrl}/">x</a>`, track_clicks: 'html', to });
    const mails = await captured(id, 2);
    expect(new Set(mails.flatMap(({ html }) => linksOf(html))).size).toBe(2);
  });

  it('keeps the links of its text, unless those are asked for', async () => {
    const content = { html: `<a href="${shopUrl}/">x</a>`, text: `See ${shopUrl}/x. Bye` };
    const [html] = await captured(await send({ ...content, track_clicks: true }));
    expect([linksOf(html?.html).length, html?.text?.trim()]).toEqual([1, content.text]);
    const [both] = await captured(await send({ ...content, track_clicks: 'html_and_text' }));
    const [link = ''] = linksOf(both?.text);
    expect(both?.text?.trim()).toBe(`See ${link}. Bye`);
    expect(linksOf(both?.html)).toHaveLength(1);
  });

  it('keeps links to unsubscribe, and those that are marked', async () => {
    const html = `<a href="https://shop.example/stop?u=1">1</a><a data-no-track href="${shopUrl}/">2</a><a href="mailto:a@b.example">3</a><a href="${server.url}/u/${'x'.repeat(70)}">4</a>`;
    const headers = { 'List-Unsubscribe': '<mailto:x@shop.example>, <https://shop.example/stop?u=1>' };
    const [mail] = await captured(await send({ html, headers, track_clicks: true }));
    expect(mail?.html?.trim()).toBe(html);
  });

  it('has none of it when it is not asked for', async () => {
    const html = `<a href="${shopUrl}/">x</a>`;
    expect((await captured(await send({ html })))[0]?.html?.trim()).toBe(html);
    expect((await captured(await send({ html, track_opens: true, track_clicks: false })))[0]?.html).toContain(
      html,
    );
  });
});

describe('the setting of the organization', () => {
  it('decides where the request does not, in batches, templates and mixed sends as well', async () => {
    const html = `<a href="${shopUrl}/">{{name}}</a>`;
    const template = await call('POST', '/templates', { name: 'T', subject: 'S', html });
    await call('PUT', '/settings/tracking', { track_opens: false, track_clicks: 'html' });
    expect(await call('GET', '/settings/tracking')).toEqual({ track_opens: false, track_clicks: 'html' });
    const from = { email: `news@${org.domain}` };
    const batch = async (more: object) => {
      const recipients = [{ to: { email: 'ada@example.org' }, data: { name: 'Ada' } }];
      const made = await call('POST', '/emails/batch', {
        template_id: template.id,
        from,
        recipients,
        ...more,
      });
      return (await call('GET', `/emails?batch_id=${made.batch_id}`))[0].id;
    };
    const sent = {
      unsaid: await send({ html }),
      no: await send({ html, track_clicks: 'off' }),
      batch: await batch({}),
      batchNo: await batch({ track_clicks: false }),
    };
    await call('PUT', '/settings/tracking', { track_opens: false, track_clicks: false });
    const tracked = Object.entries(sent).map(async ([name, id]) => [
      name,
      linksOf((await captured(id))[0]?.html).length,
    ]);
    expect(Object.fromEntries(await Promise.all(tracked))).toEqual({
      unsaid: 1,
      no: 0,
      batch: 1,
      batchNo: 0,
    });
  });

  it('stays as it is where only opens are set', async () => {
    await call('PUT', '/settings/tracking', { track_opens: false, track_clicks: 'html_and_text' });
    expect(await call('PUT', '/settings/tracking', { track_opens: true })).toEqual({
      track_opens: true,
      track_clicks: 'html_and_text',
    });
    await call('PUT', '/settings/tracking', { track_opens: false, track_clicks: 'off' });
  });

  it('cannot be something else', async () => {
    const wrong = await server.api(
      'PUT',
      '/settings/tracking',
      { track_opens: true, track_clicks: 'text' },
      org.key,
    );
    expect([wrong.status, wrong.body.error.details[0].field]).toEqual([400, 'track_clicks']);
  });
});

describe('the setting of a domain', () => {
  it('counts more than the organization’s, and less than the request', async () => {
    const [{ id }] = await call('GET', '/domains');
    await call('PUT', `/domains/${id}/tracking`, { track_clicks: 'html' });
    const html = `<a href="${shopUrl}/">x</a>`;
    const ids = [await send({ html }), await send({ html, track_clicks: false })];
    await call('PUT', '/settings/tracking', { track_opens: false, track_clicks: 'html' });
    await call('PUT', `/domains/${id}/tracking`, { track_clicks: 'off' });
    ids.push(await send({ html }));
    await call('PUT', `/domains/${id}/tracking`, { track_clicks: null });
    ids.push(await send({ html }));
    await call('PUT', '/settings/tracking', { track_opens: false, track_clicks: 'off' });
    const mails = await Promise.all(ids.map(async (one) => (await captured(one))[0]?.html));
    expect(mails.map((one) => linksOf(one).length)).toEqual([1, 0, 0, 1]);
  });
});

describe('a message that is submitted over SMTP', () => {
  const submit = async (raw: string) => {
    const transport = createTransport({
      host: '127.0.0.1',
      port: submission.port,
      auth: { user: 'x', pass: org.key },
    });
    const envelope = { from: `news@${org.domain}`, to: ['ada@example.org'] };
    return idIn((await transport.sendMail({ envelope, raw })).response);
  };

  it('has links that are followed like others', async () => {
    const html = `<p>Grüße: <a href="${shopUrl}/smtp?x=1&amp;y=2">x</a></p>`;
    const lines = [
      `From: news@${org.domain}`,
      'To: ada@example.org',
      'Subject: Hi',
      'X-Postrider-Track-Clicks: html',
      'MIME-Version: 1.0',
      'Content-Type: text/html; charset=utf-8',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from(html).toString('base64'),
      '',
    ];
    const id = await submit(lines.join('\r\n'));
    const [mail] = await captured(id);
    const [link = ''] = linksOf(mail?.html);
    expect(mail?.html?.trim()).toBe(html.replace(`${shopUrl}/smtp?x=1&amp;y=2`, link));
    const page = await fetch(link, { headers: { 'user-agent': READER } });
    expect(await page.text()).toBe('Welcome');
    await expect.poll(() => clicksOf(id), PATIENCE).toMatchObject([{ url: `${shopUrl}/smtp?x=1&y=2` }]);
  });

  it('keeps the links that its own List-Unsubscribe has', async () => {
    const stop = 'https://shop.example/stop?u=1&list=news-and-more';
    const html = `<a href="${stop.replace('&', '&amp;')}">stop</a> <a href="${shopUrl}/">x</a>`;
    const lines = [
      `From: news@${org.domain}`,
      'To: ada@example.org',
      'Subject: Hi',
      'List-Unsubscribe: <mailto:stop@shop.example>,',
      ` <${stop.slice(0, 30)}`,
      `  ${stop.slice(30)}>`,
      'X-Postrider-Track-Clicks: html_and_text',
      'MIME-Version: 1.0',
      'Content-Type: text/html; charset=utf-8',
      '',
      html,
      '',
    ];
    const [mail] = await captured(await submit(lines.join('\r\n')));
    const [link = ''] = linksOf(mail?.html);
    expect(mail?.html?.trim()).toBe(html.replace(`${shopUrl}/`, link));
  });
});

describe('clicked@simulator.test', () => {
  it('takes the mail, opens it and follows its first link', async () => {
    const to = [{ email: 'clicked+7@simulator.test' }];
    const html = `<a href="${shopUrl}/first">1</a><a href="${shopUrl}/second">2</a>`;
    const id = await send({ html, to, track_opens: true, track_clicks: true });
    await expect
      .poll(() => clicksOf(id), PATIENCE)
      .toMatchObject([{ url: `${shopUrl}/first`, machine: false }]);
    expect((await call('GET', `/emails/${id}`)).events.map(({ type }: { type: string }) => type)).toContain(
      'opened',
    );
  });
});
