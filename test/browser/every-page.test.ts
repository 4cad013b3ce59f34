import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { walkEveryPage } from './every-page.ts';
import { BrowserFixture, CHROMIUM } from './fixture.ts';

describe.skipIf(CHROMIUM === null)('every page', () => {
  let fixture: BrowserFixture;
  let found: Awaited<ReturnType<typeof walkEveryPage>>;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    found = await walkEveryPage(fixture, 'light');
  }, 600_000);
  afterAll(() => fixture.stop());

  it('has no accessibility problem, with light and dark in turns', () => {
    expect(found.problems).toEqual([]);
    // A run that examined nothing would find nothing.
    expect(found.checked).toBeGreaterThan(200);
  });

  it('fits on a small phone without scrolling sideways', () => {
    expect(found.tooWide).toEqual([]);
  });

  it('does nothing that its content security policy forbids, and throws nothing', () => {
    expect(found.complaints).toEqual([]);
  });
});
