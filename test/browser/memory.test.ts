/** A tab that is in use for an hour needs no more memory at the end than after its first minutes. */
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';
import { isStream, Requests } from './requests.ts';

/** By their names in the menu, with the button of the page that opens a dialog. */
const PAGES = [
  ['Emails'],
  ['Templates', 'New template'],
  ['Domains', 'Add a domain'],
  ['Deliverability'],
  ['Suppressions', 'Add an address'],
  ['Inbound'],
  ['Settings'],
  ['Overview'],
] as const;
/** 120 pages in an hour. The cache forgets queries of pages that are not shown after five minutes. */
const PAGE_EVERY_MS = 30_000;
const ROUNDS = 15;
const WARM_UP_ROUNDS = 4;
const MEGABYTE = 1_000_000;
/** The stream that is open, and the wait for the next one, have a few of their own. */
const LISTENERS_IN_USE = 5;

describe.skipIf(CHROMIUM === null)('a tab in use', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    owner = await fixture.owner();
  });
  afterAll(() => fixture.stop());

  // The time limit only ends a test that hangs: an hour of clicks takes a minute on an idle machine.
  it('needs as much memory after an hour as after its first minutes', { timeout: 1_800_000 }, async () => {
    const { page } = owner;
    page.setDefaultTimeout(300_000);
    const requests = new Requests(page);
    let streams = 0;
    page.on('request', (request) => {
      if (isStream(request)) streams += 1;
    });
    const session = await page.context().newCDPSession(page);
    await page.clock.install();
    await owner.open('/');
    for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await goThrough(page, requests, round);
    const early = await memoryOf(session);
    const streamsBefore = streams;
    for (let round = WARM_UP_ROUNDS; round < ROUNDS; round += 1) await goThrough(page, requests, round);
    const late = await memoryOf(session);
    expect(streams - streamsBefore, 'connections of the live stream').toBeGreaterThan(4 * LISTENERS_IN_USE);
    expect(late.bytes).toBeLessThan(early.bytes * 1.1 + MEGABYTE);
    expect(late.nodes).toBeLessThanOrEqual(early.nodes * 1.05);
    expect(late.listeners).toBeLessThanOrEqual(early.listeners + LISTENERS_IN_USE);
  });

  /** Every page of the menu, an email that is new, a search and some dialogs. */
  async function goThrough(page: Page, requests: Requests, round: number): Promise<void> {
    const to = `customer${round}@example.org`;
    await send(to);
    for (const [name, dialog] of PAGES) {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();
      await owner.heading(name).first().waitFor();
      if (name === 'Emails') await readEmail(page, to);
      if (dialog !== undefined) await openAndClose(page, () => owner.button(dialog).first().click());
      await page.clock.fastForward(PAGE_EVERY_MS);
      await requests.settled();
    }
    await openAndClose(page, () => page.keyboard.press('Control+k'));
    await requests.settled();
  }

  async function readEmail(page: Page, to: string): Promise<void> {
    await page.getByRole('link', { name: to }).first().click();
    await page.getByRole('link', { name: '← Emails' }).waitFor();
  }

  async function openAndClose(page: Page, open: () => Promise<void>): Promise<void> {
    await open();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }

  async function send(to: string): Promise<void> {
    const { api, organization } = fixture;
    const body = { from: `a@${organization.domain}`, to: [to], subject: 'Your receipt', text: 'Thank you.' };
    await api.api('POST', '/emails/send', body, organization.key);
  }
});

/** Of everything that cannot be collected as garbage. */
async function memoryOf(session: CDPSession) {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize: bytes } = await session.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners: listeners } = await session.send('Memory.getDOMCounters');
  return { bytes, nodes, listeners };
}
