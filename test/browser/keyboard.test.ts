import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL_WELL, slowed } from '../../src/delivery/scheduler/site-condition.ts';
import { SETUP_TOKEN } from '../support/secret-key.ts';
import { BrowserFixture, CHROMIUM, PASSWORD, type Visitor } from './fixture.ts';
import { letMailWait } from './waiting-mail.ts';

const WAIT = { timeout: 20_000, interval: 50 };

describe.skipIf(CHROMIUM === null)('somebody without a mouse', () => {
  let fixture: BrowserFixture;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
  });
  afterAll(() => fixture.stop());

  async function signedIn(): Promise<Visitor> {
    const visitor = await fixture.visitor();
    await visitor.call('POST', '/auth/sign-in', { email: 'ada@example.org', password: PASSWORD });
    return visitor;
  }

  it('signs up, jumps by palette and shortcuts, sends an email and looks at it', async () => {
    const visitor = await fixture.visitor();
    const { page } = visitor;
    const { keyboard } = page;
    await visitor.open(`/#setup=${SETUP_TOKEN}`);
    await tabTo(visitor, 'Email address');
    await keyboard.type('ada@example.org');
    await keyboard.press('Tab');
    await keyboard.type(PASSWORD);
    await keyboard.press('Enter');
    await visitor.heading('Overview').waitFor();

    await keyboard.press('Control+K');
    await keyboard.type('compose');
    await keyboard.press('Enter');
    await visitor.heading('Compose').waitFor();
    await tabTo(visitor, 'To');
    await keyboard.type('grace@example.org');
    await keyboard.press('Tab');
    await keyboard.type('By keyboard');
    await keyboard.press('Tab');
    await keyboard.type('No mouse was used.');
    await tabTo(visitor, 'Send');
    await keyboard.press('Enter');
    await visitor.heading('By keyboard').waitFor();
    await page.getByText(/said 250/).waitFor();

    await tabTo(visitor, 'Preview');
    await keyboard.press('ArrowRight');
    expect(await page.getByRole('tab', { name: 'Text', selected: true }).count()).toBe(1);
    await page.getByText('No mouse was used.').waitFor();

    await keyboard.press('g');
    await keyboard.press('d');
    await visitor.heading('Domains').waitFor();
    await tabTo(visitor, 'Add a domain');
    await keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await nameOfFocus(visitor)).toBe('Add a domain');
  });

  it('changes a DKIM key and calls it off, without losing the place', async () => {
    const visitor = await signedIn();
    const { keyboard } = visitor.page;
    // A domain of which DNS never shows anything: the rotation waits.
    const domain = await visitor.call('POST', '/domains', { domain: 'turning.invalid' });
    await visitor.open(`/domains/${domain.body.data.id}?tab=dkim`);
    await tabTo(visitor, 'Rotate the key');
    await keyboard.press('Enter');
    await expect.poll(() => nameOfFocus(visitor), WAIT).toBe('Cancel the rotation');
    await keyboard.press('Shift+Tab');
    expect(await nameOfFocus(visitor)).toBe('Copy the value of the new DKIM record');
    await keyboard.press('Enter');
    await expect
      .poll(() => visitor.page.evaluate(() => navigator.clipboard.readText()), WAIT)
      .toMatch(/^v=DKIM1; k=rsa; p=/);
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await expect.poll(() => nameOfFocus(visitor), WAIT).toBe('Rotate the key');
  });

  it('goes from the overview to a site that holds mail up, pauses it and resumes it', async () => {
    const less = { reason: 'rate_limited', detail: '4.7.1 too much mail' } as const;
    const condition = slowed(ALL_WELL, less, { sent: 60, took: 0, takenSince: 0 }, { nowMs: Date.now() });
    await letMailWait(fixture, { domain: 'slow.test', site: 'mx.slow.test', condition });
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.open('/');
    await page.getByRole('link', { name: 'Show the server' }).waitFor();
    await tabTo(visitor, 'Show the server');
    await page.keyboard.press('Enter');
    await visitor.heading('mx.slow.test').waitFor();
    await page.getByText('30 messages a minute', { exact: true }).waitFor();
    await tabTo(visitor, 'Pause');
    await page.keyboard.press('Enter');
    await tabTo(visitor, 'Pause sending');
    await page.keyboard.press('Enter');
    await page.getByText('nothing is sent', { exact: true }).waitFor();
    await expect.poll(() => nameOfFocus(visitor), WAIT).toBe('Resume');
    await page.keyboard.press('Enter');
    await page.getByText('at full speed', { exact: true }).waitFor();
    await expect.poll(() => nameOfFocus(visitor), WAIT).toBe('Pause');
    await page.keyboard.press('g');
    await page.keyboard.press('q');
    await page.getByRole('link', { name: 'mx.slow.test' }).waitFor();
  });

  it('erases an address for good, and finds what is left of it', async () => {
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.call('POST', '/suppressions', { email: 'gone@example.org', reason: 'unsubscribe' });
    await visitor.open('/suppressions');
    await page.getByText('gone@example.org').first().waitFor();
    await tabTo(visitor, 'Erase an address');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await tabTo(visitor, 'Address');
    await page.keyboard.type('gone@example.org');
    await tabTo(visitor, 'Erase permanently');
    await page.keyboard.press('Enter');
    await page.getByText('Erased from 0 emails.').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => nameOfFocus(visitor), WAIT).toBe('Erase an address');
    const left = page.getByText(/^[0-9a-f]{24}@erased\.invalid$/).first();
    await left.waitFor();
    expect(await page.getByText('gone@example.org').count()).toBe(0);
    await tabTo(visitor, 'Address');
    await page.keyboard.type('GONE@example.org');
    await page.keyboard.press('Enter');
    await page.waitForURL(/email=GONE/i);
    await left.waitFor();
  });

  it('can leave the template editor, in which Tab indents', async () => {
    const visitor = await signedIn();
    const made = await visitor.call('POST', '/templates', {
      name: 'T',
      subject: 'S',
      text: 'x',
      html: '<p>x</p>',
    });
    await visitor.open(`/templates/${made.body.data.id}`);
    const editor = visitor.page.getByRole('textbox', { name: 'HTML', exact: true });
    await editor.focus();
    await visitor.page.keyboard.press('Control+Home');
    await visitor.page.keyboard.press('Tab');
    expect(await editor.inputValue()).toBe('  <p>x</p>');
    await visitor.page.keyboard.press('Escape');
    await visitor.page.keyboard.press('Tab');
    expect(await editor.evaluate((element) => element === document.activeElement)).toBe(false);
  });
});

/** Goes on with Tab until something of that name has the focus; nobody presses it more than a hundred times. */
async function tabTo(visitor: Visitor, name: string): Promise<void> {
  for (let presses = 0; presses < 100; presses += 1) {
    if ((await nameOfFocus(visitor)) === name) return;
    await visitor.page.keyboard.press('Tab');
  }
  throw new Error(`${name} cannot be reached with the Tab key.`);
}

function nameOfFocus(visitor: Visitor): Promise<string> {
  return visitor.page.evaluate(() => {
    const focused = document.activeElement;
    const labels = (focused as HTMLInputElement | null)?.labels;
    const label =
      labels?.[0]?.textContent ?? focused?.getAttribute('aria-label') ?? focused?.textContent ?? '';
    return label.trim();
  });
}
