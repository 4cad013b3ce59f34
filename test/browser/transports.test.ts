/** An operator who adds, changes and removes relays and pools on the page of routes. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';

const SECRET = 'tr0ub4dor-of-the-relay';

describe.skipIf(CHROMIUM === null)('transports in a browser', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    owner = await fixture.owner();
  });
  beforeEach(async () => {
    const { version } = await table();
    await owner.call('PUT', '/routes', { version, transports: [], rules: [] });
    await owner.open('/settings/routes');
  });
  afterAll(() => fixture.stop());

  const table = async () => (await owner.call('GET', '/routes')).body.data;
  const dialog = () => owner.page.getByRole('dialog');
  const row = (name: RegExp) => owner.page.getByRole('row', { name });

  async function save(): Promise<void> {
    await dialog().getByRole('button', { name: 'Save' }).click();
  }

  async function saved(): Promise<void> {
    await save();
    await dialog().waitFor({ state: 'detached' });
  }

  /** What stands beside a field that was refused. */
  async function problemOf(label: string): Promise<string | null> {
    const field = dialog().getByLabel(label, { exact: true }).and(owner.page.locator('[aria-invalid=true]'));
    const ids = await field.getAttribute('aria-describedby');
    return dialog()
      .locator(`[id="${ids?.split(' ').at(-1)}"]`)
      .textContent();
  }

  async function putRelay(): Promise<void> {
    const { version } = await table();
    const relay = { name: 'acme', kind: 'relay', url: 'smtp://shop@relay.example.net:587', password: SECRET };
    const rules = [{ steps: [{ choices: [{ transport: 'acme' }] }] }];
    await owner.call('PUT', '/routes', { version, transports: [relay], rules });
    await owner.open('/settings/routes');
  }

  it('adds a relay with the keyboard alone, and never shows its password again', async () => {
    const { page } = owner;
    await owner.button('Add a transport').focus();
    await page.keyboard.press('Enter');
    await dialog().getByLabel('Name', { exact: true }).focus();
    await page.keyboard.type('acme');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('smtps://shop@relay.example.net:465');
    await page.keyboard.press('Tab');
    await page.keyboard.type(SECRET);
    await page.keyboard.press('Tab');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('4');
    await page.keyboard.press('Tab');
    await page.keyboard.type('600');
    await page.keyboard.press('Enter');
    await row(
      /^acme smtps:\/\/shop@relay.*at most 4 connections, 600 messages a minute, with a password/,
    ).waitFor();
    await owner.button('Edit the transport acme').click();
    await dialog().getByText('Empty: the stored password stays.').waitFor();
    expect(await dialog().getByLabel('Password', { exact: true }).inputValue()).toBe('');
    expect(await page.content()).not.toContain(SECRET);
    expect(JSON.stringify(await table())).not.toContain(SECRET);
    expect((await table()).transports).toMatchObject([
      { name: 'acme', kind: 'relay', has_password: true, connections: 4, messages_per_minute: 600 },
    ]);
  });

  it('says beside each field of a relay what is wrong with it', async () => {
    await owner.button('Add a transport').click();
    await dialog().getByLabel('Name', { exact: true }).fill('Acme Relay');
    await dialog().getByLabel('URL').fill('smtp://shop@relay.example.net:587');
    await save();
    expect(await problemOf('Name')).toMatch(/\S/);
    await dialog().getByLabel('Name', { exact: true }).fill('default');
    await save();
    await dialog().getByText('is the transport of the environment variables', { exact: false }).waitFor();
    expect(await problemOf('Password')).toBe('is needed: the URL names a user.');
    await dialog().getByLabel('Name', { exact: true }).fill('acme');
    await dialog().getByLabel('URL').fill('https://relay.example.net');
    await save();
    await dialog()
      .getByText('must be a URL such as smtp://user@relay.example.org:587', { exact: false })
      .waitFor();
    expect(await problemOf('URL')).toContain('smtps:// for TLS from the first byte');
    expect(await dialog().getByRole('alert').count()).toBe(0);
    expect((await table()).transports).toEqual([]);
  });

  it('keeps the password of a relay that is edited, and asks for it again where it would go elsewhere', async () => {
    await putRelay();
    await owner.button('Edit the transport acme').click();
    expect(await dialog().getByLabel('Name', { exact: true }).getAttribute('readonly')).not.toBeNull();
    await dialog().getByLabel('Messages a minute').fill('60');
    await saved();
    expect((await table()).transports).toMatchObject([{ has_password: true, messages_per_minute: 60 }]);
    await owner.button('Edit the transport acme').click();
    await dialog().getByLabel('URL').fill('smtp://shop@evil.example.net:587');
    await save();
    expect(await problemOf('Password')).toContain('must be given again');
    await dialog().getByLabel('Password', { exact: true }).fill('another one');
    await dialog().getByLabel('Messages a minute').fill('');
    await saved();
    expect((await table()).transports).toMatchObject([
      { url: 'smtp://shop@evil.example.net:587', has_password: true, messages_per_minute: null },
    ]);
  });

  it('removes a relay that no rule names, and says so of one that is named', async () => {
    await putRelay();
    await owner.button('Remove the transport acme').click();
    await dialog().getByText('while a rule uses it. Edit or remove rule 1 first').waitFor();
    expect(await owner.button('Remove transport').isDisabled()).toBe(true);
    await owner.button('Go back').click();
    await owner.button('Remove rule 1').click();
    await owner.button('Remove rule').click();
    await owner.page.getByText('No rule yet').waitFor();
    // A dialog that closes gives the focus back.
    await dialog().waitFor({ state: 'detached' });
    await owner.button('Remove the transport acme').focus();
    await owner.page.keyboard.press('Enter');
    await owner.button('Remove transport').click();
    await owner.page.getByText('No transport yet').waitFor();
    expect((await table()).transports).toEqual([]);
  });

  const address = (nth: number) => dialog().getByRole('group', { name: `Address ${nth}`, exact: true });

  it('adds a pool of addresses with their names, limits and warming up, and changes it', async () => {
    await owner.button('Add a transport').click();
    await dialog().getByLabel('Name', { exact: true }).fill('pool');
    await dialog().getByLabel('Kind').selectOption('direct');
    await address(1).getByLabel('Address', { exact: true }).fill('192.0.2.7');
    await address(1).getByLabel('EHLO name').fill('out7.example.org');
    await address(1).getByLabel('Weight').fill('3');
    await address(1).getByLabel('Connections per receiving server').fill('10');
    await owner.button('Add an address').click();
    await address(2).getByLabel('Address', { exact: true }).fill('2001:db8::8');
    await address(2)
      .getByRole('checkbox', { name: /^Warm up this address/ })
      .check();
    await address(2).getByLabel('First day').fill('2026-11-17');
    await saved();
    const [pool] = (await table()).transports;
    expect(pool.sources).toMatchObject([
      { address: '192.0.2.7', ehlo_name: 'out7.example.org', weight: 3, connections: 10, warm_up: null },
      { address: '2001:db8::8', ehlo_name: null, weight: 1, connections: null },
    ]);
    expect(pool.sources[1].warm_up).toMatchObject({ since: '2026-11-17', over: 'fallback' });
    await row(/^pool .*192\.0\.2\.7 as out7\.example\.org, weight 3 .*warming up since 2026-11-17/).waitFor();

    await owner.button('Edit the transport pool').click();
    await owner.button('Remove address 1').click();
    await address(1)
      .getByRole('checkbox', { name: /^Warm up this address/ })
      .uncheck();
    await saved();
    expect((await table()).transports[0].sources).toMatchObject([{ address: '2001:db8::8', warm_up: null }]);
  });

  it('says beside each field of an address what is wrong with it', async () => {
    await owner.button('Add a transport').click();
    await dialog().getByLabel('Name', { exact: true }).fill('pool');
    await dialog().getByLabel('Kind').selectOption('direct');
    await address(1).getByLabel('Address', { exact: true }).fill('192.0.2.7');
    await address(1).getByLabel('Weight').fill('0');
    await save();
    await dialog().getByText('need one with a weight above 0.').waitFor();
    await address(1).getByLabel('Weight').fill('1');
    await address(1).getByLabel('EHLO name').fill('not a name');
    await save();
    await until(async () => (await problemOf('EHLO name')) !== null);
    await address(1).getByLabel('EHLO name').fill('');
    await owner.button('Add an address').click();
    await address(2).getByLabel('Address', { exact: true }).fill('192.0.2.7');
    await save();
    await address(2).getByText('is in the list twice.').waitFor();
    expect(await address(1).getByText('is in the list twice.').count()).toBe(0);
    expect(await dialog().getByRole('alert').count()).toBe(0);
    expect((await table()).transports).toEqual([]);
  });
});
