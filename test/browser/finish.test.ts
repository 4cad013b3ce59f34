/** What makes the difference between a dashboard that works and one that people like to use. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BrowserFixture, CHROMIUM, PASSWORD, type Visitor } from './fixture.ts';
import { furnish, type PageOfDashboard } from './pages.ts';

describe.skipIf(CHROMIUM === null)('the dashboard', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;
  let pages: readonly PageOfDashboard[];

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    owner = await fixture.owner();
    pages = await furnish(fixture, owner);
  }, 300_000);
  afterAll(() => fixture.stop());

  it('rotates a key: the old one works until the time that was chosen', async () => {
    const { page } = owner;
    const made = await owner.call('POST', '/api-keys', { name: 'Shop', scope: 'send' });
    await owner.open('/settings/api-keys');
    const row = page.getByRole('row', { name: /^Shop/ });
    await row.getByText('Send mail').waitFor();
    await row.getByText(/by Ada/).waitFor();
    await owner.button('Rotate Shop').click();
    await owner.field('The old key works').selectOption('for a week');
    await owner.button('Create the new key').click();
    await page.getByText('Give your programs the new key before then.').waitFor();
    const secret = (await page.getByText(/^pr_[\w-]{30,}$/).textContent()) ?? '';
    await owner.button('I have copied it').click();
    await page.getByText('being replaced').waitFor();
    const mail = {
      from: { email: `hello@${fixture.organization.domain}` },
      to: [{ email: 'x@example.org' }],
    };
    for (const key of [made.body.data.key, secret]) {
      const sent = await fixture.api.api('POST', '/emails/send', { ...mail, subject: 'S', text: 't' }, key);
      expect(sent.status).toBe(201);
    }
    // Counts are written every few seconds, and the page asks again.
    await page.getByRole('button', { name: '1 email with Shop' }).first().click();
    await page.getByText(/1 emails? with 1 requests?, of which none was refused/).waitFor();
  });

  it('saves any list as CSV: one that comes in pages, and one that is there at once', async () => {
    const { page } = owner;
    for (const [path, ready, column] of [
      ['/emails', 'subject', 'subject'],
      ['/templates', 'Name', 'name'],
      ['/domains', 'Last checked', 'domain'],
      ['/settings/members', 'Members', 'role'],
    ] as const) {
      await owner.open(path);
      await page.getByText(new RegExp(ready, 'i')).locator('visible=true').first().waitFor();
      const saving = page.waitForEvent('download');
      await owner.button('CSV').click();
      const [head, ...rows] = (await readFile(await (await saving).path(), 'utf8')).trim().split('\r\n');
      expect(head?.split(','), path).toContain(column);
      expect(rows.length, path).toBeGreaterThan(0);
    }
  });

  it('shortens a subject that fills pages, and has the whole of it in a tooltip', async () => {
    const subject = 'Very '.repeat(150).trim();
    await owner.call('POST', '/emails/send', {
      from: { email: `hello@${fixture.organization.domain}` },
      to: [{ email: 'long@example.org' }],
      subject,
      text: 't',
    });
    const page = await owner.context.newPage();
    // The email is 50 seconds old, which takes more words than “just now”.
    await page.clock.setFixedTime(Date.now() + 50_000);
    await page.goto('/emails?to=long@example.org');
    const link = page.getByRole('link', { name: 'long@example.org' });
    expect(await link.getAttribute('title')).toBe(`long@example.org\n${subject}`);
    const row = page.getByRole('row', { name: /Very Very/ });
    await row.getByText(/^\d\d seconds ago$/).waitFor();
    expect((await row.boundingBox())?.height).toBeLessThan(80);
    const address = row.getByText('long@example.org');
    expect(await address.evaluate((text) => text.scrollHeight - text.clientHeight), 'cut').toBe(0);
    await page.close();
  });

  it('tells of each bar of the chart what it stands for, to the mouse and to the arrow keys', async () => {
    const { page } = owner;
    await owner.open('/');
    const pointer = page.getByRole('slider', { name: 'Inspect one period' });
    await pointer.focus();
    await page.keyboard.press('End');
    expect(await pointer.getAttribute('aria-valuetext')).toMatch(/: sent [1-9][\d,]*, delivered \d+/);
    const note = page.locator('.chart-note');
    const last = await note.textContent();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => note.textContent()).not.toBe(last);
    await page.keyboard.press('Escape');
    await note.waitFor({ state: 'detached' });
    const { width } = (await pointer.boundingBox()) ?? { width: 0 };
    await pointer.hover({ position: { x: width - 3, y: 50 } });
    await expect.poll(() => note.textContent()).toBe(last);
  });

  it('tells the audit log in words, narrows it and saves it as CSV', async () => {
    const { page } = owner;
    await owner.open('/settings/audit-log');
    await page.getByText(/^added the domain shop\.invalid/).waitFor();
    await owner.field('About').selectOption('Invites');
    await page.getByText(/^invited grace@example\.org/).waitFor();
    await page
      .getByText(/^added the domain/)
      .first()
      .waitFor({ state: 'detached' });
    const saving = page.waitForEvent('download');
    await owner.button('CSV').click();
    const text = await readFile(await (await saving).path(), 'utf8');
    expect(text.split('\r\n')[0]).toMatch(/^id,at,action,actor\.type,actor\.id/);
    expect(text).toContain('invite.created');
    expect(text).not.toContain('domain.created');
  });

  it('goes through a list with j and k, opens a row with Enter, and lists its keys with ?', async () => {
    const { page } = owner;
    await owner.open('/domains');
    await page.getByRole('row').nth(2).waitFor();
    const names = await page.locator('a.row-link').allTextContents();
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await page.keyboard.press('j');
    expect(await focused()).toBe(names[0]);
    await page.keyboard.press('j');
    expect(await focused()).toBe(names[1]);
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await owner.heading(names[0] ?? '').waitFor();
    await page.keyboard.press('?');
    await page.getByText('Next row of a list').waitFor();
    await page.keyboard.press('Escape');
  });

  it('does what the palette is told, and finds templates and domains', async () => {
    const { page } = owner;
    await owner.open('/emails');
    await page.keyboard.press('Control+K');
    await page.keyboard.type('receipt');
    await page
      .getByRole('group', { name: 'Templates' })
      .getByRole('option', { name: /^Receipt/ })
      .click();
    await owner.heading('Receipt').waitFor();
    await page.keyboard.press('Control+K');
    await page.keyboard.type('add a domain');
    await page.getByRole('option', { name: 'Add a domain', exact: true }).click();
    await owner.field('Domain').fill('typed.example');
    // Escape is pressed by accident: what was typed is not lost without a question.
    const asked = new Promise<string>((resolve) =>
      page.once('dialog', async (dialog) => {
        resolve(dialog.message());
        await dialog.dismiss();
      }),
    );
    await page.keyboard.press('Escape');
    expect(await asked).toBe('Discard what you typed?');
    expect(await owner.field('Domain').inputValue()).toBe('typed.example');
    await owner.button('Cancel').click();
  });

  it('lists sessions, and ends one elsewhere', async () => {
    const elsewhere = await fixture.visitor();
    await elsewhere.call('POST', '/auth/sign-in', { email: 'ada@example.org', password: PASSWORD });
    await owner.open('/settings/account');
    await owner.page.getByText('this session').waitFor();
    await owner
      .button(/^Sign out (Chrome|A browser|node|Playwright)/)
      .first()
      .click();
    await owner.page.getByText('The session was signed out.').waitFor();
    await expect.poll(async () => (await elsewhere.call('GET', '/auth/me')).status).toBe(401);
  });

  it('retries automatically after the server was unavailable', async () => {
    const { page } = owner;
    let isAway = true;
    await page.route('**/api/v1/domains', (route) => (isAway ? route.abort() : route.continue()));
    await page.goto('/domains');
    await page.getByText('This page tries again every 5 seconds.').waitFor();
    await owner.button('Try again').waitFor();
    isAway = false;
    await page.getByText('shop.invalid').waitFor();
    await page.unroute('**/api/v1/domains');
  });

  it('shows its heading on a phone, below the bar', async () => {
    const { page } = owner;
    await page.setViewportSize({ width: 320, height: 640 });
    await owner.open('/suppressions');
    for (const [key, heading] of [
      ['o', 'Overview'],
      ['e', 'Emails'],
      ['d', 'Domains'],
      ['w', 'Webhooks'],
    ] as const) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      const title = page.getByRole('heading', { name: heading, exact: true });
      await title.waitFor();
      // The page is announced a moment later, and gets the focus.
      await page
        .locator('.visually-hidden[role=status]', { hasText: heading })
        .waitFor({ state: 'attached' });
      const isBelow = async () => {
        const top = await title.evaluate((one) => one.getBoundingClientRect().top);
        const bar = await page.locator('.topbar').evaluate((one) => one.getBoundingClientRect().bottom);
        return [heading, top >= bar];
      };
      await expect.poll(isBelow).toEqual([heading, true]);
    }
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  /** What whoever may only read may press: it shows, it copies, it asks, it saves for oneself. */
  const HARMLESS =
    /^(Search|Open the menu|Close the menu|Search and commands|Copy|CSV|Export|Newer|Older|Show|Hide|Clear|Save view|View|Try again|Check \d*|Chart|Table|\d+ (hours|days)|Explain the route|Preview|Text|HTML|Source|Headers|Desktop|Phone|Light|Dark|Refresh|Sign out|AAcme|All$|Pending$|Delivered$|Failed$|JSON$|Sample data$|Written here$|From a template$|Save$|Change password|Set up|Dismiss|One by one|As a zone file|Live|Download|Load|More|Versions|Editor|Edit|Raw|Attachments|Your|Installation|Yours|\d[\d,]* emails?|Send a first|Create an API|Add a domain of|Publish a DMARC|Receive events|Go live|curl|Node|Python|PHP|Ruby|Go|SMTP|Compare|Back|bounced|delivered|full|blocked|deferred|greylisted|busy|slow|late-bounce|complained|autoreply|opened|clicked|Use data of a sent email|Run (the )?checks)/;

  it('offers a member with read access no action that would be refused', async () => {
    const reader = await fixture.member(owner, 'bob@example.org', 'read_only');
    const offered: string[] = [];
    for (const { name, path, ready, shows } of pages) {
      if (
        path === '/settings/routes' ||
        /members|audit-log|doctor|edit-|palette|new-key|release-hold|undo|erase|validation/.test(name)
      )
        continue;
      await reader.open(path);
      await reader.page
        .getByText(shows ?? ready)
        .locator('visible=true')
        .first()
        .waitFor();
      // Tabs, and choices of which one is pressed, only show something else.
      const buttons = await reader.page
        .locator('button:enabled:visible:not([role=tab]):not([aria-pressed])')
        .all();
      for (const button of buttons) {
        const label = (await button.getAttribute('aria-label')) ?? (await button.textContent()) ?? '';
        if (!HARMLESS.test(label.trim())) offered.push(`${name}: ${label}`);
      }
    }
    expect([...new Set(offered)]).toEqual([]);
  }, 240_000);
});
