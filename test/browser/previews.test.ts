/** Mail as its readers see it, and the ways to write it. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';

const GIF = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

describe.skipIf(CHROMIUM === null)('previews', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;
  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    owner = await fixture.owner();
  });
  afterAll(() => fixture.stop());

  async function send(fields: object): Promise<string> {
    const { api, organization } = fixture;
    const body = {
      from: { email: `shop@${organization.domain}` },
      to: [{ email: 'ada@example.org' }],
      subject: 'Look',
      ...fields,
    };
    return (await api.api('POST', '/emails/send', body, organization.key)).body.data.message_id;
  }

  const DARK = `<style>@media (prefers-color-scheme: dark){p{color:rgb(1,2,3)}}</style><p>Styled</p>
    <div style="width:600px">As wide as mail is</div>`;

  it('show mail 600 px wide where there is less room, on a phone, and in the dark', async () => {
    const { page } = owner;
    const id = await send({ html: DARK });
    await page.setViewportSize({ width: 480, height: 800 });
    await owner.open(`/emails/${id}`);
    const frame = page.frameLocator('iframe');
    await frame.getByText('Styled').waitFor();
    const widths = () =>
      page.locator('iframe').evaluate((element) => ({
        inside: (element as HTMLIFrameElement).contentWindow?.innerWidth,
        shown: Math.round(element.getBoundingClientRect().width),
        room: element.parentElement?.clientWidth,
      }));
    await expect.poll(async () => (await widths()).inside).toBe(600);
    const { shown, room } = await widths();
    expect(shown).toBe(room);
    await owner.button('Phone').click();
    await expect.poll(async () => (await widths()).inside).toBeLessThanOrEqual(375);
    const colour = () => frame.getByText('Styled').evaluate((element) => getComputedStyle(element).color);
    expect(await colour()).not.toBe('rgb(1, 2, 3)');
    await owner.button('Dark').click();
    await expect.poll(colour).toBe('rgb(1, 2, 3)');
    expect(page.url()).toContain('width=phone');
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  it('load images of other hosts when they are asked to, and nothing else', async () => {
    const { page } = owner;
    const asked: string[] = [];
    let connections = 0;
    const host = createServer((request, response) => {
      const { referer = 'no referrer', cookie = 'no cookie' } = request.headers;
      asked.push(`${request.url} ${referer} ${cookie}`);
      response.setHeader('content-type', 'image/gif').end(Buffer.from(GIF, 'base64'));
    }).listen(0, '127.0.0.1');
    host.on('connection', () => {
      connections += 1;
    });
    await once(host, 'listening');
    const base = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
    const id = await send({
      html: `<meta name="Referrer" content="unsafe-url"><link rel="preconnect" href="${base}"><p>Look</p>
        <img src="${base}/logo.gif" referrerpolicy="unsafe-url"><script src="${base}/x.js"></script>
        <link rel="stylesheet" href="${base}/x.css">`,
    });
    await owner.open(`/emails/${id}`);
    await page.frameLocator('iframe').getByText('Look').waitFor();
    expect(connections).toBe(0);
    await owner.button('Load the images').click();
    await page.getByText('Images from other hosts are shown.').waitFor();
    // The dashboard is at the same host, at another port: its cookies would be sent there.
    await expect.poll(() => asked).toEqual(['/logo.gif no referrer no cookie']);
    host.closeAllConnections();
    host.close();
  });

  it('put embedded images in their places, and offer what is attached', async () => {
    const { page } = owner;
    const id = await send({
      html: '<p>Here: <img src="cid:logo" alt="Logo"></p>',
      attachments: [
        { filename: 'logo.gif', content_type: 'image/gif', content: GIF, content_id: 'logo' },
        { filename: 'list.csv', content_type: 'text/csv', content: Buffer.from('a,b').toString('base64') },
      ],
    });
    await owner.open(`/emails/${id}`);
    const logo = page.frameLocator('iframe').getByAltText('Logo');
    await expect.poll(() => logo.getAttribute('src')).toBe(`data:image/gif;base64,${GIF}`);
    await page.getByRole('tab', { name: 'Attachments' }).click();
    const download = page.waitForEvent('download');
    await owner.button('Save list.csv').click();
    expect((await download).suggestedFilename()).toBe('list.csv');
  });

  it('of a template keep their data, save with Ctrl+S and take the data of a sent email', async () => {
    const { page } = owner;
    const made = await owner.call('POST', '/templates', {
      name: 'Order',
      subject: 'Order {{number}}',
      html: '<a href="{{url}}" class="big">Order {{number}} in {{currency}}</a>',
      variable_schema: [{ name: 'currency', type: 'string', default_value: 'EUR' }],
    });
    const { id } = made.body.data;
    await send({ template_id: id, template_data: { number: 1042, url: 'https://example.org/' } });
    await owner.open(`/templates/${id}`);
    const preview = page.frameLocator('iframe');
    await preview.getByText('Order number in EUR').waitFor();
    expect(await page.locator('.tok-value').allTextContents()).toContain('="big"');

    await page.getByRole('tab', { name: 'Sample data' }).click();
    await owner.button('Use data of a sent email').click();
    await owner.button('Use data of the email to ada@example.org').click();
    await preview.getByText('Order 1042 in EUR').waitFor();
    await page.getByRole('textbox', { name: 'Sample data' }).press('Control+s');
    await page.getByText('Saved.', { exact: true }).waitFor();
    const saved = await owner.call('GET', `/templates/${id}`);
    expect(saved.body.data).toMatchObject({ version: 1, sample_data: { number: 1042 } });
    await page.reload();
    await preview.getByText('Order 1042 in EUR').waitFor();

    await owner.field('Subject').fill('Your order {{number}}');
    await owner.field('Subject').press('Control+s');
    await page.getByText('Draft saved.').waitFor();
    await owner.button('Publish').click();
    await page.getByText('Published as version 2.').waitFor();
    await page.getByText('All changes saved.').waitFor();
    await page.getByRole('tab', { name: 'Versions' }).click();
    await owner.button('Compare version 1 with the current one').click();
    await page.locator('.diff .added mark', { hasText: 'Your order' }).waitFor();
  });

  it('of a template follow its variables until somebody types data of their own', async () => {
    const { page } = owner;
    const made = await owner.call('POST', '/templates', { name: 'New', subject: 'Hi {{name}}', text: 'Hi' });
    await owner.open(`/templates/${made.body.data.id}`);
    await owner.field('Subject').fill('Hi {{name}} of {{town}}');
    await owner.field('Subject').press('Control+s');
    await page.getByText('Draft saved.').waitFor();
    await page.getByText('All changes saved.').waitFor();
    await page.locator('[data-preview=subject]', { hasText: 'Hi Ada of town' }).waitFor();
  });

  it('show a template with the subject that Compose gives it', async () => {
    const { page } = owner;
    const made = await owner.call('POST', '/templates', {
      name: 'Note',
      subject: 'Note',
      html: '<p>{{a}}</p>',
    });
    await owner.open(`/compose?template=${made.body.data.id}`);
    await owner.field('Subject').fill('For {{a}}');
    await owner.field('Data').fill('{"a": "Grace"}');
    await page.frameLocator('iframe').getByText('Grace').waitFor();
    await page.getByText('For Grace', { exact: true }).waitFor();
  });

  it('go with a dry run, which says what would become of the draft and sends nothing', async () => {
    const { page } = owner;
    await page.evaluate(() => localStorage.clear());
    await owner.open('/compose');
    await owner.field('To').fill('bounced@simulator.test');
    await owner.field('Subject').fill('DRY');
    await owner.field('Text').fill('It is never sent.');
    await owner.button('Dry run').click();
    const status = page.getByRole('status').filter({ hasText: 'bounced@simulator.test' });
    await status.getByText('The mailbox does not exist.').waitFor();
    await status.getByText('DKIM pass, aligned').waitFor();
    const { body } = await fixture.api.api('GET', '/emails?search=DRY', undefined, fixture.organization.key);
    expect(body.data).toEqual([]);
    await owner.field('Subject').fill('Changed');
    await status.waitFor({ state: 'detached' });
  });

  it('stand beside what is composed, whose draft stays until it is sent', async () => {
    const { page } = owner;
    await page.evaluate(() => localStorage.clear());
    await owner.open('/compose');
    await owner.button('late-bounce').click();
    expect(await owner.field('To').inputValue()).toBe('late-bounce@simulator.test');
    await owner.field('To').fill('ada@example.org');
    await owner.field('Subject').fill('With a file');
    await owner.field('HTML').fill('<h1>Hello Ada</h1>');
    await page.frameLocator('iframe').getByRole('heading', { name: 'Hello Ada' }).waitFor();
    await page.getByRole('link', { name: 'Domains', exact: true }).click();
    await owner.heading('Domains').waitFor();
    await owner.open('/compose');
    await page.getByText('This is the draft that you began earlier.').waitFor();
    expect(await owner.field('Subject').inputValue()).toBe('With a file');
    const chosen = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') };
    await owner.field('Attachments').setInputFiles([chosen, { ...chosen, name: 'other.txt' }]);
    await owner.button('Remove other.txt').click();
    await owner.button('Send').click();
    await owner.heading('With a file').waitFor();
    await page.getByRole('tab', { name: 'Attachments' }).click();
    await owner.button('Save note.txt').waitFor();
    await owner.open('/compose');
    expect(await owner.field('Subject').inputValue()).toBe('');
  });

  it('of a draft are forgotten when somebody signs out', async () => {
    const reader = await fixture.member(owner, 'grace@example.org', 'member');
    await reader.open('/compose');
    await reader.field('Subject').fill('Secret');
    const kept = () => reader.page.evaluate(() => JSON.stringify(localStorage).includes('Secret'));
    await expect.poll(kept).toBe(true);
    await reader.button(/grace@example.org/).click();
    await reader.button('Sign out').click();
    await reader.heading('Sign in').waitFor();
    expect(await kept()).toBe(false);
  });
});
