import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { walkEveryPage } from './every-page.ts';
import { CHROMIUM, World } from './world.ts';

describe.skipIf(CHROMIUM === null)('every page in the theme that every-page.test.ts left out', () => {
  let world: World;
  let found: Awaited<ReturnType<typeof walkEveryPage>>;

  beforeAll(async () => {
    world = await World.start();
    found = await walkEveryPage(world, 'dark');
  }, 600_000);
  afterAll(() => world.stop());

  it('has no serious accessibility problem', () => {
    expect(found.problems).toEqual([]);
    // A run that examined nothing would find nothing.
    expect(found.checked).toBeGreaterThan(200);
  });
});
