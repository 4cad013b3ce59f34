/** How an open tab stays fresh, and what that costs. Its clock is moved by the tests, so that an hour takes seconds. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SILENCE_MS } from '../../sdk/src/follow.ts';
import { openTcpGate, type TcpGate } from '../support/tcp-gate.ts';
import { until } from '../support/until.ts';
import { BrowserFixture, CHROMIUM, PASSWORD, type Visitor } from './fixture.ts';
import { isStream, Requests } from './requests.ts';

const STREAM = '**/api/v1/events/changes';
const HOUR_MS = 3_600_000;
/** The heartbeats of a stream come in real time. The page, whose clock runs ahead, would think that they are missing. */
const IGNORE_SILENCE = `{
  const setTimeoutOfPage = globalThis.setTimeout;
  globalThis.setTimeout = (work, ms, ...given) => setTimeoutOfPage(work, ms === ${SILENCE_MS} ? 2_000_000_000 : ms, ...given);
}`;

describe.skipIf(CHROMIUM === null)('an open tab', () => {
  let fixture: BrowserFixture;
  let visitor: Visitor;
  let page: Page;
  let requests: Requests;

  beforeAll(async () => {
    fixture = await BrowserFixture.start();
    await fixture.owner();
    for (let n = 0; n < 25; n += 1) await send(`customer${n}@example.org`);
    await until(async () => (await count('status=queued')) === 0);
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    visitor = await fixture.visitor();
    await visitor.call('POST', '/auth/sign-in', { email: 'ada@example.org', password: PASSWORD });
    ({ page } = visitor);
    requests = new Requests(page);
    // Half of the time limit of a test: a busy machine is slow.
    page.setDefaultTimeout(60_000);
    await page.clock.install();
    await page.addInitScript(IGNORE_SILENCE);
  });
  afterEach(() => visitor.context.close());

  async function send(to: string): Promise<string> {
    const { api, organization } = fixture;
    const body = { from: `a@${organization.domain}`, to: [to], subject: 'Your receipt', text: 'Thank you.' };
    const { body: answer } = await api.api('POST', '/emails/send', body, organization.key);
    return answer.data.message_id;
  }

  async function count(filter: string): Promise<number> {
    const { body } = await fixture.api.api('GET', `/emails?${filter}`, undefined, fixture.organization.key);
    return body.pagination.total_count;
  }

  /** Opens a page and waits until its stream has begun and everything is loaded. */
  async function openLive(path: string): Promise<void> {
    const live = page.waitForResponse(isStream);
    await visitor.open(path);
    expect((await live).status()).toBe(200);
    await requests.settled();
  }

  /** Moves the clock of the page in steps, and lets every request finish in between. */
  async function pass(ms: number, stepMs = 10_000): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) {
      await page.clock.runFor(stepMs);
      await requests.settled();
    }
  }

  /** An hour later. From then on timers fire only as a test moves the clock. */
  async function stopClock(): Promise<void> {
    await page.clock.pauseAt(Date.now() + HOUR_MS);
    await requests.settled();
  }

  /** In the time of the page it takes a second at most: less than any poll. */
  async function appearsAtOnce(text: string): Promise<void> {
    await expect
      .poll(async () => {
        await page.clock.runFor(1);
        return page.getByText(text).first().isVisible();
      })
      .toBe(true);
  }

  describe('that nobody touches', () => {
    let gate: TcpGate;

    beforeAll(async () => {
      gate = await openTcpGate('127.0.0.1', Number(new URL(fixture.api.url).port));
    });
    afterAll(() => gate.shut());

    it.each([
      ['the overview', () => '/'],
      ['a list', () => '/emails'],
      ['an email', async () => `/emails/${await send('idle@example.org')}`],
      ['a webhook', async () => `/webhooks/${await webhook()}`],
    ])('costs at most 1 MB an hour, both ways, all told: %s', async (_, path) => {
      await openLive(`http://127.0.0.1:${gate.port}${await path()}`);
      const before = gate.bytes;
      await pass(HOUR_MS);
      expect(gate.bytes - before).toBeLessThan(1_000_000);
    });

    it('shows an email as it comes, though it hardly polls', async () => {
      await openLive('/emails');
      await pass(600_000);
      await stopClock();
      await send('comes-late@example.org');
      await appearsAtOnce('comes-late@example.org');
    });

    async function webhook(): Promise<string> {
      const { body } = await visitor.call('POST', '/webhooks', { url: 'http://127.0.0.1:9/hook' });
      return body.data.id;
    }
  });

  it('loads again at most every two seconds while somebody works, and every thirty when nobody does', async () => {
    const body = 'data: {"types":["queued"]}\n\n'.repeat(50);
    // Ends at once, and is opened again each second of the page.
    await page.route(STREAM, (route) => route.fulfill({ contentType: 'text/event-stream', body }));
    await visitor.open('/emails');
    await requests.settled();
    const listsWithin = async (ms: number) => {
      requests.forget();
      await pass(ms, 1_000);
      return requests.paths.filter((path) => path.startsWith('/api/v1/emails?')).length;
    };
    await page.mouse.move(100, 100);
    const atWork = await listsWithin(10_000);
    expect(atWork).toBeGreaterThan(2);
    expect(atWork).toBeLessThanOrEqual(6);
    await page.clock.fastForward(600_000);
    const untouched = await listsWithin(120_000);
    expect(untouched).toBeGreaterThan(2);
    expect(untouched).toBeLessThanOrEqual(5);
  });

  describe('that is hidden', () => {
    it('closes its stream, asks for nothing, and loads everything once when it is shown', async () => {
      await openLive('/emails');
      const closed = page.waitForEvent('requestfailed', isStream);
      await setVisibility('hidden');
      await closed;
      requests.forget();
      await pass(HOUR_MS, 60_000);
      expect(requests.paths).toEqual([]);
      await send('while-hidden@example.org');
      const live = page.waitForResponse(isStream);
      await setVisibility('visible');
      await live;
      await appearsAtOnce('while-hidden@example.org');
      await requests.settled();
      const lists = requests.paths.filter((path) => path.startsWith('/api/v1/emails?'));
      expect(lists).toHaveLength(1);
    });

    function setVisibility(state: 'hidden' | 'visible'): Promise<void> {
      return page.evaluate((value) => {
        Object.defineProperty(document, 'visibilityState', { value, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, state);
    }
  });

  describe('without a stream', () => {
    it.each([
      ['because there are too many', 429],
      ['because a proxy answers in its place', 502],
      ['because a proxy holds it back', undefined],
      ['because the line breaks', 'abort'],
    ])('polls, %s', async (_, answer) => {
      await page.route(STREAM, async (route) => {
        if (answer === 'abort') await route.abort('connectionreset');
        else if (typeof answer === 'number') await route.fulfill({ status: answer, body: '' });
      });
      await visitor.open('/emails');
      await requests.settled();
      await pass(600_000);
      const to = `polled-${answer}@example.org`;
      await send(to);
      await pass(20_000);
      await page.getByText(to).first().waitFor();
    });

    it('opens the stream again, and loads what it missed', async () => {
      await page.route(STREAM, (route) => route.abort('connectionreset'));
      await visitor.open('/emails');
      await stopClock();
      await send('missed@example.org');
      await page.unroute(STREAM);
      const live = page.waitForResponse(isStream);
      await pass(60_000, 1_000);
      expect((await live).status()).toBe(200);
      await appearsAtOnce('missed@example.org');
    });
  });

  it('asks for the password at once when its session ends elsewhere', async () => {
    await openLive('/emails');
    await stopClock();
    const elsewhere = await fixture.visitor();
    await elsewhere.call('POST', '/auth/sign-in', { email: 'ada@example.org', password: PASSWORD });
    const again = page.waitForResponse((response) => isStream(response) && response.status() === 401);
    await elsewhere.call('POST', '/auth/sign-out-everywhere');
    await expect
      .poll(async () => {
        await page.clock.runFor(100);
        return visitor.heading('Your session has ended').isVisible();
      })
      .toBe(true);
    await again;
  });

  it('follows the organization that it shows', async () => {
    const second = await visitor.call('POST', '/organizations', { name: 'Second' });
    await openLive('/emails');
    const other = page.waitForRequest(
      (request) => isStream(request) && request.headers()['postrider-organization'] === second.body.data.id,
    );
    const closed = page.waitForEvent('requestfailed', isStream);
    await page.getByRole('button', { name: 'Acme' }).click();
    await page.getByRole('button', { name: 'Second' }).click();
    await closed;
    await other;
  });
});
