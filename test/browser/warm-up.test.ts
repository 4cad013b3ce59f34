/** An operator who watches an address warm up. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BrowserFixture, CHROMIUM, PASSWORD, type Visitor } from './fixture.ts';
import { rememberWarmUp } from './pages.ts';

describe.skipIf(CHROMIUM === null)('warming up in a browser', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    owner = await fixture.owner();
  });
  afterAll(() => fixture.stop());

  it('is not spoken of where no address does', async () => {
    await owner.open('/settings/routes');
    await owner.page.getByRole('heading', { name: 'Transports' }).waitFor();
    expect(await owner.page.getByText('Warming up').count()).toBe(0);
  });

  it('is drawn with what was allowed, used and objected to', async () => {
    const { page } = owner;
    const since = new Date(Date.now() - 5 * 86_400_000).toISOString().slice(0, 10);
    const transports = [
      { name: 'pool', kind: 'direct', sources: [{ address: '192.0.2.8', warm_up: { since } }] },
    ];
    const rules = [{ steps: [{ choices: [{ transport: 'pool' }] }] }];
    expect((await owner.call('PUT', '/routes', { version: 0, transports, rules })).status).toBe(200);
    await rememberWarmUp(fixture);
    await owner.open('/settings/routes');
    // Three good days, and one on which more than a twentieth was objected to: it stays where it was.
    const row = page.getByRole('row', { name: /192\.0\.2\.8 google 60 of 250 .*4 of 21.*20/ });
    await row.waitFor();
    await row.getByText('60 of today’s 250 emails are sent; further mail takes the next choice').waitFor();
    await row
      .getByRole('img', { name: /5 days of mail against what was allowed and comes next, up to 400 a day/ })
      .waitFor();
  });

  const warmUp = async () =>
    (await owner.call('GET', '/routes')).body.data.transports[0].sources[0].warm_up as {
      readonly curve: readonly number[];
      readonly curves: Readonly<Record<string, readonly number[]>>;
      readonly over: string;
    };

  /** The form of the pool, opened with the keyboard. */
  async function openPool(visitor: Visitor) {
    await visitor.open('/settings/routes');
    await visitor.button('Edit the transport pool').focus();
    await visitor.page.keyboard.press('Enter');
    return visitor.page.getByRole('dialog');
  }

  it('has curves that are edited day by day and drawn as they will be, with the keyboard alone', async () => {
    const { page } = owner;
    const dialog = await openPool(owner);
    await dialog
      .getByText('The default: 50, 100, 150 … 100,000 emails in 21 days', { exact: false })
      .waitFor();
    expect(await dialog.getByRole('button', { name: 'This is the default' }).isDisabled()).toBe(true);
    await dialog
      .getByRole('img', { name: /for all other providers: 50 emails on day 1, up to 100,000/ })
      .waitFor();
    const others = dialog.getByRole('group', { name: 'Emails a day for all other providers' });
    await others.getByLabel('Day 1', { exact: true }).focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('60');
    await dialog.getByRole('img', { name: /for all other providers: 60 emails on day 1/ }).waitFor();
    await dialog.locator('summary', { hasText: 'yahoo' }).focus();
    await page.keyboard.press('Enter');
    const yahoo = dialog.getByRole('group', { name: 'Emails a day for yahoo' });
    await yahoo.getByLabel('Day 2', { exact: true }).fill('40');
    await dialog.getByLabel('Mail above the daily limit').selectOption('wait');
    await dialog.getByRole('button', { name: 'Save' }).focus();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const { curve, curves, over } = await warmUp();
    expect([curve[0], curve.length, over]).toEqual([60, 21, 'wait']);
    expect(curves).toMatchObject({ yahoo: expect.arrayContaining([40]), microsoft: expect.anything() });
    await page.getByRole('row', { name: /192\.0\.2\.8 google 60 of 250 .*waits for tomorrow/ }).waitFor();
  });

  it('says beside the days which of them is no number of mails, and of days that jump', async () => {
    const { page } = owner;
    const dialog = await openPool(owner);
    const others = dialog.getByRole('group', { name: 'Emails a day for all other providers' });
    const second = others.getByLabel('Day 2', { exact: true });
    await second.fill('none');
    await others.getByText('Day 2 must be a whole number of emails').waitFor();
    expect(await second.getAttribute('aria-invalid')).toBe('true');
    expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await second.fill('1000');
    await others.getByText('Day 2 has more than twice the day before').waitFor();
    expect(await dialog.getByRole('button', { name: 'Save' }).isEnabled()).toBe(true);
    page.once('dialog', (asked) => void asked.accept());
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('gets a curve for one more provider, is made longer and shorter, and goes back to the default', async () => {
    const dialog = await openPool(owner);
    await dialog.getByLabel('Separate curve for').selectOption('google');
    await dialog.getByRole('button', { name: 'Add a curve for google' }).click();
    const google = dialog.getByRole('group', { name: 'Emails a day for google' });
    await google.getByRole('button', { name: 'Add a day for google' }).click();
    await google.getByLabel('Day 22', { exact: true }).fill('150000');
    await dialog.getByRole('button', { name: 'Remove the last day for all other providers' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const changed = await warmUp();
    expect(changed.curves.google?.slice(-2)).toEqual([100_000, 150_000]);
    expect(changed.curve).toHaveLength(20);

    const again = await openPool(owner);
    await again.getByRole('button', { name: 'Use the default' }).click();
    await again.getByRole('button', { name: 'Save' }).click();
    await again.waitFor({ state: 'detached' });
    const { curve, curves } = await warmUp();
    expect([curve[0], curve.length, Object.keys(curves).includes('google')]).toEqual([50, 21, false]);
  });

  it('has a form that fits on a phone', async () => {
    const phone = await fixture.visitor({ width: 360, height: 740 });
    await phone.call('POST', '/auth/sign-in', { email: 'ada@example.org', password: PASSWORD });
    const dialog = await openPool(phone);
    await dialog.getByLabel('Day 1', { exact: true }).first().waitFor();
    const [inside, shown] = await dialog.evaluate((one) => [one.scrollWidth, one.clientWidth]);
    expect(inside).toBeLessThanOrEqual(shown ?? 0);
  });
});
