import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SETUP_TOKEN } from '../support/secret-key.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { BrowserFixture, CHROMIUM, PASSWORD, REBOUND } from './fixture.ts';

describe.skipIf(CHROMIUM === null)('a newcomer in a browser', () => {
  let fixture: BrowserFixture;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
  });
  afterAll(() => fixture.stop());

  it.each([
    ['/', 'so that strangers cannot take over the installation'],
    ['/#setup=of-another-installation', 'does not belong to this installation'],
  ])('who comes to %s is told where the setup link is', async (path, words) => {
    const visitor = await fixture.visitor();
    await visitor.open(path);
    if (path !== '/') {
      await visitor.field('Email address').fill('thief@example.org');
      await visitor.field('Password').fill(PASSWORD);
      await visitor.button('Create the first user').click();
    }
    await visitor.page.getByText(words).waitFor();
    await visitor.page.getByText('npx postrider setup-link').waitFor();
    expect(await visitor.button('Create the first user').count()).toBe(0);
    expect(visitor.complaints).toEqual([]);
    await visitor.context.close();
  });

  it('is nobody who comes by the name of another site, whatever a page there may try', async () => {
    const { page, context } = await fixture.visitor();
    await page.goto(`http://${REBOUND}:${new URL(fixture.api.url).port}/#setup=${SETUP_TOKEN}`);
    await page.getByText('is not a name of this installation').waitFor();
    const body = { email: 'thief@example.org', password: PASSWORD, setup_token: SETUP_TOKEN };
    const answer = await page.evaluate(async (sent) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch('/api/v1/auth/sign-up', { method: 'POST', headers, body: sent });
      return response.json();
    }, JSON.stringify(body));
    expect(answer).toMatchObject({ error: { code: 'HOST_NOT_ALLOWED' } });
    await context.close();
  });

  it('signs up, sends the first message with one click and reads it, without asking any other host', async () => {
    const visitor = await fixture.visitor();
    const { page } = visitor;
    await visitor.open(`/#setup=${SETUP_TOKEN}`);
    expect(page.url()).not.toContain('setup');
    await page.reload();
    await visitor.field('Name').fill('Ada Lovelace');
    await visitor.field('Email address').fill('ada@example.org');
    await visitor.field('Password').fill(PASSWORD);
    await visitor.button('Create the first user').click();
    await visitor.heading('Overview').waitFor();
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(SETUP_TOKEN);

    await page.getByRole('link', { name: 'Sandbox inbox', exact: true }).click();
    await visitor.button('Send me a first message').click();
    await page.getByRole('link', { name: 'Your first message' }).click();
    await visitor.heading('Your first message').waitFor();
    const frame = page.frameLocator('iframe[title="Message preview"]');
    await frame.getByRole('heading', { name: 'It works.' }).waitFor();
    await page.getByText('signed by').waitFor();

    await page.getByRole('tab', { name: 'Source' }).click();
    await page.getByText('DKIM-Signature:').waitFor();
    await page.getByRole('link', { name: 'Show events' }).click();
    await page.getByText(/said 250/).waitFor();
    expect(await page.getByText('delivered', { exact: true }).count()).toBeGreaterThan(0);

    expect([...visitor.hosts]).toEqual([new URL(fixture.api.url).host]);
    expect(visitor.complaints).toEqual([]);
  });

  it('is asked for the password the next time, and told plainly when it is wrong', async () => {
    const visitor = await fixture.visitor();
    await visitor.open('/emails?status=delivered');
    await visitor.heading('Sign in').waitFor();
    await visitor.field('Email address').fill('ada@example.org');
    await visitor.field('Password').fill('not the password');
    await visitor.button('Sign in').click();
    await visitor.page.getByRole('alert').waitFor();
    await visitor.field('Password').fill(PASSWORD);
    await visitor.button('Sign in').click();
    await visitor.heading('Emails').waitFor();
    expect(new URL(visitor.page.url()).search).toBe('?status=delivered');
    await visitor.button(/ada@example.org/).click();
    await visitor.button('Sign out').click();
    await visitor.heading('Sign in').waitFor();
  });

  it('never runs what a message brings along', async () => {
    const { api, organization } = fixture;
    const tracker = await startWebhookReceiver();
    const html = `<style>p{color:rgb(1,2,3)}</style><p onclick="parent.hacked=1">Styled</p>
      <img src="${tracker.url}/x.gif" onerror="parent.hacked=1"><script>parent.hacked=1</script>
      <form action="${tracker.url}/"><button>Go</button></form><a href="${tracker.url}/go">Link</a>`;
    const sent = await api.api(
      'POST',
      '/emails/send',
      {
        from: { email: `hello@${organization.domain}` },
        to: [{ email: 'eve@example.org' }],
        subject: 'Evil',
        html,
      },
      organization.key,
    );
    const visitor = await fixture.visitor();
    await visitor.call('POST', '/auth/sign-in', { email: 'ada@example.org', password: PASSWORD });
    await visitor.open(`/emails/${sent.body.data.message_id}`);
    const frame = visitor.page.frameLocator('iframe');
    const paragraph = frame.getByText('Styled');
    await paragraph.waitFor();
    expect(await paragraph.evaluate((element) => getComputedStyle(element).color)).toBe('rgb(1, 2, 3)');
    await paragraph.click();
    await frame.getByText('Go').click();
    await frame.getByText('Link').click();
    await visitor.page.getByText('This link leads to').waitFor();
    await visitor.page.getByText('Images from other hosts are not loaded here.').waitFor();
    expect(await visitor.page.evaluate(() => 'hacked' in window)).toBe(false);
    expect(tracker.connections).toBe(0);
    await tracker.close();
    expect([...visitor.hosts]).toEqual([new URL(api.url).host]);
    expect(new URL(visitor.page.url()).pathname).toBe(`/emails/${sent.body.data.message_id}`);
  });

  it('gets pages that nothing can be injected into', async () => {
    const page = await fetch(`${fixture.api.url}/emails`, { headers: { accept: 'text/html' } });
    expect(page.status).toBe(200);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe-inline');
    expect(policy).not.toContain('http');
    const html = await readFile(new URL('../../dashboard/dist/index.html', import.meta.url), 'utf8');
    expect(await page.text()).toBe(html);
    expect(html).not.toMatch(/<style|style=|<script(?![^>]*src=)/);
  });
});
