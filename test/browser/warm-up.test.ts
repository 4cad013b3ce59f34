/** An operator who watches an address warm up. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rememberWarmUp } from './pages.ts';
import { CHROMIUM, type Visitor, World } from './world.ts';

describe.skipIf(CHROMIUM === null)('warming up in a browser', () => {
  let world: World;
  let owner: Visitor;

  beforeAll(async () => {
    world = await World.start();
    owner = await world.owner();
  });
  afterAll(() => world.stop());

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
    await rememberWarmUp(world);
    await owner.open('/settings/routes');
    // Three good days, and one on which more than a twentieth was objected to: it stays where it was.
    const row = page.getByRole('row', { name: /192\.0\.2\.8 google 60 of 250 .*4 of 21.*20/ });
    await row.waitFor();
    await row.getByText('60 of today’s 250 mails are sent; what is more takes the next choice').waitFor();
    await row.getByRole('img', { name: /5 days of mail against a curve up to 100,000 a day/ }).waitFor();
  });
});
