/** An operator who moves mail from a relay to an address, and watches it on the page of routes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { reviewCanaries } from '../../src/routing/canary/control.ts';
import { addCanaryCounts } from '../../src/routing/canary/counts.ts';
import { createLog } from '../../src/runtime/log.ts';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';
import { moveSome } from './moved-mail.ts';

const TABLE = {
  version: 0,
  transports: [
    { name: 'acme', kind: 'relay', url: 'smtp://relay.example.net' },
    { name: 'pool', kind: 'direct', sources: [{ address: '192.0.2.7' }] },
  ],
  rules: [{ steps: [{ choices: [{ transport: 'acme' }] }] }],
};

describe.skipIf(CHROMIUM === null)('a canary in a browser', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    owner = await fixture.owner();
    await owner.call('PUT', '/routes', TABLE);
  });
  afterAll(() => fixture.stop());

  const canary = async () => (await owner.call('GET', '/routes/canaries')).body.data.canaries[0];

  it('is given to a rule, and kept when the rule is edited', async () => {
    const { page } = owner;
    await owner.open('/settings/routes');
    await owner.button('Edit rule 1').click();
    await page.getByLabel('Canary to').selectOption('pool');
    await page.getByLabel('Name of the canary').fill('off-acme');
    await page.getByLabel('Percentages').fill('10, 50');
    await owner.button('Save').click();
    await page.getByText('The canary starts with the first mail that the rule matches.').waitFor();
    await owner.button('Edit rule 1').click();
    await page.getByLabel('Name', { exact: true }).fill('Everything');
    await owner.button('Save').click();
    await page.getByText('1. Everything').waitFor();
    expect(await canary()).toMatchObject({ name: 'off-acme', to: 'pool', percents: [10, 50], minutes: 60 });
  });

  it('has bounds that are set and edited with the keyboard, in percent', async () => {
    const { page } = owner;
    await owner.open('/settings/routes');
    await owner.button('Edit rule 1').focus();
    await page.keyboard.press('Enter');
    const deferred = page.getByLabel('More deferred, in %');
    expect(await deferred.inputValue()).toBe('5');
    await deferred.focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('7.5');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('0.2');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await canary()).worse).toEqual({ deferred: 0.075, bounced: 0.02, complained: 0.002 });
    await owner.button('Edit rule 1').click();
    expect(await page.getByLabel('More complaints, in %').inputValue()).toBe('0.2');
    await deferred.fill('');
    await owner.button('Save').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await canary()).worse.deferred).toBe(0.05);
  });

  it('says beside the field what is wrong with it', async () => {
    const { page } = owner;
    await owner.open('/settings/routes');
    await owner.button('Edit rule 1').click();
    const dialog = page.getByRole('dialog');
    const problemOf = async (label: string) => {
      const field = dialog.getByLabel(label).and(page.locator('[aria-invalid=true]'));
      const ids = await field.getAttribute('aria-describedby');
      return dialog.locator(`[id="${ids?.split(' ').at(-1)}"]`).textContent();
    };
    await dialog.getByLabel('Percentages').fill('10, ten');
    expect(await problemOf('Percentages')).toContain('“ten” is not a number');
    expect(await owner.button('Save').isDisabled()).toBe(true);
    await dialog.getByLabel('Percentages').fill('50, 10');
    await dialog.getByLabel('More bounced, in %').fill('200');
    expect(await problemOf('More bounced, in %')).toBe('Enter a number from 0 to 100.');
    expect(await owner.button('Save').isDisabled()).toBe(true);
    await dialog.getByLabel('More bounced, in %').fill('2');
    await owner.button('Save').click();
    await dialog.getByText('must rise from each percentage to the next.').waitFor();
    expect(await problemOf('Percentages')).toBe('must rise from each percentage to the next.');
    await owner.button('Cancel').click();
  });

  it('shows shares and steps, and is paused, resumed, taken back and finished', async () => {
    const { page } = owner;
    const counts = { sent: 250, deferred: 3, bounced: 0, complained: 0 };
    await addCanaryCounts(fixture.api.db, [
      { canary: 'off-acme', provider: 'google', way: 'old', ...counts },
    ]);
    const deps = { db: fixture.api.db, clock: { nowMs: () => Date.now() }, log: createLog('test', 'silent') };
    await reviewCanaries(deps, new AbortController().signal);
    await page.getByText('10 % of the mail to google goes through pool from now on.').waitFor();
    await owner.button('Pause google').click();
    await owner.button('Resume google').click();
    await owner.button('Roll google back').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click();
    await page.getByText('The canary is paused at 0 %', { exact: false }).waitFor();
    expect((await canary()).shares).toMatchObject([{ provider: 'google', percent: 0, paused: true }]);
    await owner.button('Finish').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Finish' }).click();
    await page.getByText('All mail of the rule goes through pool from now on', { exact: false }).waitFor();
    expect(await canary()).toBeUndefined();
    const { rules } = (await owner.call('GET', '/routes')).body.data;
    expect(rules[0]).toMatchObject({ steps: [{ choices: [{ transport: 'pool' }] }, {}], canary: null });
  });

  it('that rolled back automatically is on the overview until a user resumes it, with the keyboard alone', async () => {
    const { page } = owner;
    await fixture.api.db.exec(adHoc('TRUNCATE canary_counts, canary_steps, canary_shares, canaries'));
    const { version } = (await owner.call('GET', '/routes')).body.data;
    const [rule] = TABLE.rules;
    const moving = { ...TABLE, version, rules: [{ ...rule, canary: { name: 'off-acme', to: 'pool' } }] };
    expect((await owner.call('PUT', '/routes', moving)).status).toBe(200);
    await moveSome(fixture);
    await owner.open('/');
    const item = page.getByText('The canary off-acme fell back automatically.', { exact: false });
    await item.getByText('33 of 40 were deferred there', { exact: false }).waitFor();
    await item.getByRole('link', { name: 'Show the routes' }).focus();
    await page.keyboard.press('Enter');
    await owner.heading('Routes').waitFor();
    await owner.button('Resume microsoft-consumer').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /^microsoft-consumer.*The canary starts within seconds/ }).waitFor();
    expect((await owner.call('GET', '/stats/attention')).body.data.items).toEqual([]);
    const looked = page.waitForResponse(/\/stats\/attention/);
    await owner.open('/');
    await looked;
    await item.waitFor({ state: 'detached' });
  });
});
