/** An operator who moves mail from a relay to an address, and watches it on the page of routes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../src/kit/runtime/log.ts';
import { lookAtCanaries } from '../../src/routing/canary/control.ts';
import { addCanaryCounts } from '../../src/routing/canary/counts.ts';
import { CHROMIUM, type Visitor, World } from './world.ts';

const TABLE = {
  version: 0,
  transports: [
    { name: 'acme', kind: 'relay', url: 'smtp://relay.example.net' },
    { name: 'pool', kind: 'direct', sources: [{ address: '192.0.2.7' }] },
  ],
  rules: [{ steps: [{ choices: [{ transport: 'acme' }] }] }],
};

describe.skipIf(CHROMIUM === null)('a canary in a browser', () => {
  let world: World;
  let owner: Visitor;

  beforeAll(async () => {
    world = await World.start();
    owner = await world.owner();
    await owner.call('PUT', '/routes', TABLE);
  });
  afterAll(() => world.stop());

  const canary = async () => (await owner.call('GET', '/routes/canaries')).body.data.canaries[0];

  it('is given to a rule in a line, and kept when the rule is edited', async () => {
    const { page } = owner;
    await owner.open('/settings/routes');
    await owner.button('Edit rule 1').click();
    await page.getByLabel('Moves to, little by little').fill('pool name=off-acme percents=10,50');
    await owner.button('Save').click();
    await page.getByText('It begins with the first mail that the rule is for.').waitFor();
    await owner.button('Edit rule 1').click();
    await page.getByLabel('Name').fill('Everything');
    await owner.button('Save').click();
    await page.getByText('1. Everything').waitFor();
    expect(await canary()).toMatchObject({ name: 'off-acme', to: 'pool', percents: [10, 50], minutes: 60 });
  });

  it('shows shares and steps, and is paused, resumed, taken back and finished', async () => {
    const { page } = owner;
    const counts = { sent: 250, deferred: 3, bounced: 0, complained: 0 };
    await addCanaryCounts(world.api.db, [{ canary: 'off-acme', provider: 'google', way: 'old', ...counts }]);
    const deps = { db: world.api.db, clock: { nowMs: () => Date.now() }, log: createLog('test', 'silent') };
    await lookAtCanaries(deps, new AbortController().signal);
    await page.getByText('10 % of the mail to google goes through pool from now on.').waitFor();
    await owner.button('Pause google').click();
    await owner.button('Resume google').click();
    await owner.button('Take google back').click();
    await owner.button('Take it back').click();
    await page.getByText('It is paused at 0 %', { exact: false }).waitFor();
    expect((await canary()).shares).toMatchObject([{ provider: 'google', percent: 0, paused: true }]);
    await owner.button('Finish').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Finish' }).click();
    await page.getByText('All mail of the rule goes through pool from now on', { exact: false }).waitFor();
    expect(await canary()).toBeUndefined();
    const { rules } = (await owner.call('GET', '/routes')).body.data;
    expect(rules[0]).toMatchObject({ steps: [{ choices: [{ transport: 'pool' }] }, {}], canary: null });
  });
});
