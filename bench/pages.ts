/**
 * How long it takes from a click in the dashboard's menu until the page is there with its rows, in a real browser, in an organization with few
 * emails and in one with many.
 */
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { findChromium } from '../scripts/lib/system-programs.mjs';
import { insertMembership } from '../src/accounts/members/store.ts';
import { setUpToken } from '../src/accounts/users/first-user.ts';
import { SecretKey } from '../src/runtime/secret-key.ts';
import { type BenchResult, MissingPeer, type Progress, type Size } from './support/bench.ts';
import { type Installation, startInstallation } from './support/installation.ts';
import { median, percentile } from './support/measure.ts';
import { organizationId, SHARES, seedEmails } from './support/seed-emails.ts';
import { number } from './support/table.ts';
import { within } from './support/wait.ts';

export const title = 'Switching pages of the dashboard, with 3,000 and with 100,000 emails';
export const claim =
  'a page is there within 120 ms of the click, at the 95th percentile, and the list of 100,000 emails takes at most 1.25 times as long as that of 3,000';

const SECRET_KEY = 'bench-secret-key-bench-secret-key-0123456789';
const SIZES = {
  full: { emails: [3_000, 100_000], rounds: 24, warmUp: 3 },
  smoke: { emails: [100, 200], rounds: 1, warmUp: 1 },
} as const;
type Numbers = (typeof SIZES)[Size];
const TARGETS = { ms: 120, timesAsLong: 1.25 };
const TIMEOUT_MS = 10_000;

/** By their names in the menu, with what shows that the data is there. */
const PAGES = [
  ['Emails', 'a.row-link'],
  ['Templates', 'a.row-link'],
  ['Domains', 'a.row-link'],
  ['Suppressions', 'tbody td'],
  ['Settings', 'form'],
  ['Webhooks', 'a.row-link'],
  ['Overview', '.stat-value'],
] as const;

export async function run(progress: Progress, size: Size): Promise<BenchResult> {
  const numbers = SIZES[size];
  const executablePath = findChromium();
  if (executablePath === null) throw new MissingPeer('Chromium', 'apt-get install chromium-headless-shell');
  const installations: Installation[] = [];
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const dashboards: Dashboard[] = [];
    for (const emails of numbers.emails) {
      progress(`an installation with ${number(emails)} emails`);
      const installation = await startInstallation({ POSTRIDER_SECRET_KEY: SECRET_KEY });
      installations.push(installation);
      const { db, databaseUrl } = installation;
      await seedEmails(db, databaseUrl, emails / SHARES[0], Date.now(), progress);
      dashboards.push({ emails, page: await signIn(installation, browser), times: noTimes() });
    }
    await measure(dashboards, numbers, progress);
    return resultOf(dashboards, await bareSwitch(dashboards[0] as Dashboard, numbers.rounds));
  } finally {
    await browser.close();
    for (const one of installations) await one.stop();
  }
}

interface Dashboard {
  readonly emails: number;
  readonly page: Page;
  readonly times: Times;
}

async function signIn({ apiPort, db }: Installation, browser: Browser): Promise<Page> {
  const baseURL = `http://localhost:${apiPort}`;
  const context = await browser.newContext({ baseURL, viewport: { width: 1280, height: 860 } });
  const token = setUpToken(new SecretKey(Buffer.from(SECRET_KEY)));
  const user = { email: 'ada@example.org', password: 'correct horse battery', setup_token: token };
  const me = (await call(context, 'sign-up', '/auth/sign-up', user)) as { user: { id: string } };
  const member = { organizationId: organizationId(0), userId: me.user.id, role: 'owner' as const };
  await insertMembership(db, { ...member, joinedAt: new Date() });
  await call(context, 'switching', '/auth/organization', { organization_id: organizationId(0) });
  await call(context, 'a domain', '/domains', { domain: 'shop.example' });
  const template = { name: 'Receipt', subject: 'Your order', html: '<p>Thank you.</p>' };
  await call(context, 'a template', '/templates', template);
  await call(context, 'a suppression', '/suppressions', { email: 'gone@example.org', reason: 'manual' });
  await call(context, 'a webhook', '/webhooks', { url: 'http://127.0.0.1:9/hook' });
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  await page.addInitScript({ content: PROBE });
  await page.goto('/');
  await page.getByRole('button', { name: 'Hide this list' }).click();
  return page;

  async function call(by: BrowserContext, what: string, path: string, data: object): Promise<unknown> {
    const answer = await by.request.post(`/api/v1${path}`, { data, headers: { origin: baseURL } });
    if (!answer.ok()) throw new Error(`${what} was answered ${answer.status()}`);
    return (await answer.json()).data;
  }
}

type Times = Map<string, number[]>;

function noTimes(): Times {
  return new Map(PAGES.map(([name]) => [name, []]));
}

/** In turns. The first rounds load the code of the pages, and are not counted. */
async function measure(
  dashboards: readonly Dashboard[],
  { rounds, warmUp }: Numbers,
  progress: Progress,
): Promise<void> {
  for (let round = -warmUp; round < rounds; round += 1) {
    progress(round < 0 ? 'warming up' : `round ${round + 1} of ${rounds}`);
    for (const { page, times } of round % 2 === 0 ? dashboards : dashboards.toReversed())
      for (const [name, shows] of PAGES) {
        const ms = await within(`the page ${name}`, switchTo(page, name, shows));
        if (round >= 0) times.get(name)?.push(ms);
      }
  }
}

function switchTo(page: Page, name: string, shows: string): Promise<number> {
  return page.evaluate(`postriderBench.switchTo(${JSON.stringify(name)}, ${JSON.stringify(shows)})`);
}

/** What the browser needs to show another heading, and nothing else: the least that a switch can take here. */
async function bareSwitch({ page }: Dashboard, rounds: number): Promise<number> {
  const times = await page.evaluate<number[]>(`postriderBench.bareSwitches(${rounds * PAGES.length})`);
  return percentile(times, 0.95);
}

/** Measured inside the page: what Playwright itself takes is nobody's waiting. What was put there is painted by the frame after. */
const PROBE = `globalThis.postriderBench = {
  switchTo: (name, shows) => new Promise((resolve, reject) => {
    const link = [...document.querySelectorAll('nav a')].find((one) => one.textContent === name);
    if (!link) return reject(new Error('the menu has no ' + name));
    const isThere = () => document.querySelector('h1')?.textContent === name
      && document.querySelector('#content ' + shows) !== null;
    const began = performance.now();
    const look = () => isThere()
      ? requestAnimationFrame(() => resolve(performance.now() - began))
      : requestAnimationFrame(look);
    link.click();
    look();
  }),
  bareSwitches: async (count) => {
    const found = [];
    for (let n = 0; n < count; n += 1) {
      const began = performance.now();
      document.querySelector('h1').textContent = 'Page ' + n;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      found.push(performance.now() - began);
    }
    return found;
  },
};`;

function resultOf(dashboards: readonly Dashboard[], bareMs: number): BenchResult {
  const all = dashboards.map(({ times }) => [...times.values()].flat());
  const p95 = Math.max(...all.map((ms) => percentile(ms, 0.95)));
  const [few = Number.NaN, many = Number.NaN] = dashboards.map(({ times }) =>
    median(times.get('Emails') ?? []),
  );
  const cells = (perSize: readonly (readonly number[])[]) =>
    perSize.flatMap((ms) => [number(median(ms)), number(percentile(ms, 0.95))]);
  const rowOf = (name: string) => [name, ...cells(dashboards.map(({ times }) => times.get(name) ?? []))];
  return {
    ratio: Math.min(TARGETS.ms / p95, TARGETS.timesAsLong / (many / few)),
    target: 1,
    table: {
      columns: [
        'page',
        ...dashboards.flatMap(({ emails }) => [`p50 ms, ${number(emails)} emails`, 'p95 ms']),
      ],
      rows: [
        ...PAGES.map(([name]) => rowOf(name)),
        ['all of them', ...cells(all)],
        ['another heading and nothing else', '', number(bareMs), '', ''],
      ],
    },
    figures: {
      p95_ms: Number(p95.toFixed(1)),
      list_times_as_long: Number((many / few).toFixed(3)),
      bare_p95_ms: Number(bareMs.toFixed(1)),
      switches: all.flat().length,
    },
  };
}
