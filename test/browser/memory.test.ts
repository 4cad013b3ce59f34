/** A tab that is in use for an hour needs no more memory at the end than after its first minutes. */
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BrowserFixture, CHROMIUM, type Visitor } from './fixture.ts';

/** By their names in the menu, with their headings. */
const PAGES = [
  'Emails',
  'Templates',
  'Domains',
  'Deliverability',
  'Suppressions',
  'Inbound',
  'Settings',
  'Overview',
];
/** 120 clicks in an hour. What nobody looks at any more is forgotten after five minutes. */
const CLICK_EVERY_MS = 30_000;
const ROUNDS = 15;
const WARM_UP_ROUNDS = 3;

describe.skipIf(CHROMIUM === null)('a tab in use', () => {
  let fixture: BrowserFixture;
  let owner: Visitor;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    owner = await fixture.owner();
  });
  afterAll(() => fixture.stop());

  it('needs as much memory after an hour of clicks as after six minutes', async () => {
    const { page } = owner;
    page.setDefaultTimeout(60_000);
    const session = await page.context().newCDPSession(page);
    await page.clock.install();
    await owner.open('/');
    for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await clickThrough(page, round);
    const early = await memoryOf(session);
    for (let round = WARM_UP_ROUNDS; round < ROUNDS; round += 1) await clickThrough(page, round);
    const late = await memoryOf(session);
    expect(late.objectBytes).toBeLessThan(early.objectBytes * 1.1);
    expect(late.nodes).toBeLessThan(early.nodes * 1.1);
    expect(late.listeners).toBeLessThan(early.listeners * 1.1);
  });

  /** Every page of the menu, and an email that is new in each round. */
  async function clickThrough(page: Page, round: number): Promise<void> {
    const to = `customer${round}@example.org`;
    await send(to);
    for (const name of PAGES) {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();
      await owner.heading(name).first().waitFor();
      if (name === 'Emails') {
        await page.getByRole('link', { name: to }).first().click({ force: true });
        await page.getByRole('link', { name: '← Emails' }).waitFor();
      }
      await page.clock.runFor(CLICK_EVERY_MS);
    }
  }

  async function send(to: string): Promise<void> {
    const { api, organization } = fixture;
    const body = { from: `a@${organization.domain}`, to: [to], subject: 'Your receipt', text: 'Thank you.' };
    await api.api('POST', '/emails/send', body, organization.key);
  }
});

/** Of what cannot be collected as garbage. Code is left out: the engine compiles more of it for a long time. */
async function memoryOf(session: CDPSession) {
  await session.send('HeapProfiler.collectGarbage');
  const { nodes, jsEventListeners: listeners } = await session.send('Memory.getDOMCounters');
  return { objectBytes: await bytesOfObjects(session), nodes, listeners };
}

const KINDS_OF_OBJECTS = new Set(['object', 'array', 'closure', 'string', 'concatenated string', 'number']);

/** From a snapshot of the heap: a list of numbers, some for each node, as its `meta` says. */
async function bytesOfObjects(session: CDPSession): Promise<number> {
  let text = '';
  const add = ({ chunk }: { chunk: string }) => {
    text += chunk;
  };
  session.on('HeapProfiler.addHeapSnapshotChunk', add);
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  session.off('HeapProfiler.addHeapSnapshotChunk', add);
  const { snapshot, nodes } = JSON.parse(text) as Snapshot;
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [kindAt, sizeAt] = [fields.indexOf('type'), fields.indexOf('self_size')];
  let bytes = 0;
  for (let at = 0; at < nodes.length; at += fields.length)
    if (KINDS_OF_OBJECTS.has(types[0]?.[nodes[at + kindAt] ?? 0] ?? '')) bytes += nodes[at + sizeAt] ?? 0;
  return bytes;
}

interface Snapshot {
  readonly snapshot: {
    readonly meta: { readonly node_fields: readonly string[]; readonly node_types: readonly string[][] };
  };
  readonly nodes: readonly number[];
}
