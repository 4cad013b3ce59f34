/** A whole installation and a real browser in front of it: API, sandbox worker, database, Chromium. */
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { findChromium } from '../../scripts/lib/system-programs.mjs';
import { adHoc } from '../../src/database/sql.ts';
import { OUTSIDE } from '../../src/doctor/reference-servers.ts';
import { mailedToken, tokenOf } from '../accounts/people.ts';
import { type Answer, startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { startMailWorker, type TestWorker } from '../support/mail-worker.ts';
import { SETUP_TOKEN } from '../support/secret-key.ts';

/** Null where there is no browser; `npm test` has said so, and how to get one. */
export const CHROMIUM = findChromium();

export const PASSWORD = 'correct horse battery';

/** The name of another site, which has let it lead to this machine. */
export const REBOUND = 'rebound.test';

/** A browser that only talks to us: everything it would like to ask its maker is switched off. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  `--host-resolver-rules=MAP ${REBOUND} 127.0.0.1`,
];

interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
  readonly javaScriptEnabled?: boolean;
  /** Where the person is, such as Asia/Tokyo. */
  readonly timezoneId?: string;
}

export type BrowserFixtureOptions = Pick<NonNullable<Parameters<typeof startApi>[0]>, 'env' | 'database'>;

let browser: Promise<Browser> | undefined;

/** One for all files of a worker process, which it ends with; visitors have contexts of their own. */
export function sharedBrowser(): Promise<Browser> {
  browser ??= chromium.launch({ executablePath: CHROMIUM ?? '', args: FLAGS });
  return browser;
}

export class BrowserFixture {
  readonly api: TestApi;
  readonly organization: TestOrganization;
  #worker: TestWorker;
  readonly #browser: Browser;
  readonly #contexts: BrowserContext[] = [];

  private constructor(api: TestApi, organization: TestOrganization, worker: TestWorker, browser: Browser) {
    this.api = api;
    this.organization = organization;
    this.#worker = worker;
    this.#browser = browser;
  }

  /** `env`, `database`: where something besides runs on the same one. */
  static async start({ env = {}, database }: BrowserFixtureOptions = {}): Promise<BrowserFixture> {
    // The doctor asks nobody outside, neither servers nor DNS about a name.
    const api = await startApi({
      ...(database === undefined ? {} : { database }),
      env: { POSTRIDER_HOSTNAME: 'vm', ...env },
      outside: { ...OUTSIDE, receivers: [], timeServers: [] },
    });
    const organization = await api.createOrganization('Acme');
    const [worker, browser] = await Promise.all([
      startMailWorker(api.database, { POSTRIDER_SANDBOX_SPEED: '60' }),
      sharedBrowser(),
    ]);
    return new BrowserFixture(api, organization, worker, browser);
  }

  /** A browser of somebody's own, with cookies of its own. */
  async visitor(options: PageOptions = {}): Promise<Visitor> {
    const {
      width = 1280,
      height = 860,
      colorScheme = 'light',
      javaScriptEnabled = true,
      timezoneId,
    } = options;
    const context = await this.#browser.newContext({
      baseURL: this.api.url,
      viewport: { width, height },
      colorScheme,
      javaScriptEnabled,
      ...(timezoneId === undefined ? {} : { timezoneId }),
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    context.setDefaultTimeout(30_000);
    this.#contexts.push(context);
    return new Visitor(context, await context.newPage(), this.api.url);
  }

  /** The first user, signed in. */
  async owner(email = 'ada@example.org', options: PageOptions = {}): Promise<Visitor> {
    const visitor = await this.visitor(options);
    const body = { email, password: PASSWORD, name: 'Ada', setup_token: SETUP_TOKEN };
    await visitor.call('POST', '/auth/sign-up', body);
    return visitor;
  }

  /** Another person in the organization that `by` is working in. */
  async member(by: Visitor, email: string, role: 'owner' | 'member' | 'read_only'): Promise<Visitor> {
    await by.call('POST', '/members/invites', { email, role });
    const token = await mailedToken(this.api, email);
    const visitor = await this.visitor();
    await visitor.call('POST', `/invites/${token}/accept`, { password: PASSWORD, name: email.split('@')[0] });
    return visitor;
  }

  /** Somebody who joined by a link that was handed over, because nothing could be mailed. */
  async unproven(by: Visitor, email: string): Promise<Visitor> {
    const verified = (is: boolean) =>
      this.api.db.exec(adHoc('UPDATE domains SET spf_verified = $1 WHERE domain = $2'), [
        is,
        this.organization.domain,
      ]);
    await verified(false);
    const invite = await by.call('POST', '/members/invites', { email, role: 'member' });
    await verified(true);
    const visitor = await this.visitor();
    const token = tokenOf(invite.body.data.link);
    await visitor.call('POST', `/invites/${token}/accept`, { password: PASSWORD, name: 'By hand' });
    return visitor;
  }

  /** Nobody delivers from now on. */
  async stopWorker(): Promise<void> {
    const worker = this.#worker;
    this.#worker = { stop: async () => undefined };
    await worker.stop();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#contexts.map((context) => context.close()));
    await this.#worker.stop();
    await this.api.stop();
  }
}

export class Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly #url: string;
  /** Every host that was asked for anything, and everything the page complained about. */
  readonly hosts = new Set<string>();
  readonly complaints: string[] = [];

  constructor(context: BrowserContext, page: Page, url: string) {
    this.context = context;
    this.page = page;
    this.#url = url;
    const asked = (url: string) => {
      if (/^https?:/.test(url)) this.hosts.add(new URL(url).host);
    };
    page.on('requestfinished', (request) => asked(request.url()));
    page.on('requestfailed', (request) => {
      // What the policy of a page forbids never leaves the browser.
      if (request.failure()?.errorText !== 'csp') asked(request.url());
    });
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) this.complaints.push(message.text());
    });
  }

  /** A request with this browser's cookies, for what a test needs and is not about. */
  async call(method: string, path: string, data?: unknown): Promise<Answer> {
    const response = await this.context.request.fetch(`${this.#url}/api/v1${path}`, {
      method,
      headers: { origin: this.#url },
      ...(data === undefined ? {} : { data }),
    });
    const text = await response.text();
    if (response.status() >= 500) throw new Error(`${method} ${path} answered ${response.status()}: ${text}`);
    return {
      status: response.status(),
      headers: new Headers(response.headersArray().map(({ name, value }) => [name, value])),
      body: text.startsWith('{') ? JSON.parse(text) : text,
    };
  }

  async open(path: string): Promise<void> {
    await this.page.goto(path);
    await this.page.locator('h1').first().waitFor();
  }

  button(name: string | RegExp) {
    return this.page.getByRole('button', { name, exact: typeof name === 'string' });
  }

  field(label: string) {
    return this.page.getByLabel(label, { exact: true });
  }

  heading(name: string | RegExp) {
    return this.page.getByRole('heading', { name });
  }
}
