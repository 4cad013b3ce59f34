import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { walkEveryPage } from './every-page.ts';
import { BrowserFixture, CHROMIUM } from './fixture.ts';

describe.skipIf(CHROMIUM === null)('every page in the theme that every-page.test.ts left out', () => {
  let fixture: BrowserFixture;
  let found: Awaited<ReturnType<typeof walkEveryPage>>;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    found = await walkEveryPage(fixture, 'dark');
  }, 600_000);
  afterAll(() => fixture.stop());

  it('has no accessibility problem', () => {
    expect(found.problems).toEqual([]);
    // A run that examined nothing would find nothing.
    expect(found.checked).toBeGreaterThan(200);
  });
});
