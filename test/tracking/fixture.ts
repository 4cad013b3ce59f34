/** The API with mail in it that was delivered, links made like the worker makes them, and a clock of its own. */

import { applyOutcomes } from '../../src/emails/outcomes.ts';
import type { RecipientState } from '../../src/emails/status.ts';
import {
  clickRedirect,
  pixelUrl,
  type TrackingLinks,
  unsubscribeUrl,
} from '../../src/protocols/message/tracking-links.ts';
import { DEFAULT_GROUP } from '../../src/protocols/message/tracking-token.ts';
import { SecretKey } from '../../src/runtime/secret-key.ts';
import { address } from '../support/addresses.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import type { TestDatabase } from '../support/database.ts';
import { sendLetter } from '../support/emails.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';
import { until } from '../support/until.ts';

export const TRACKING_KEY = new SecretKey(Buffer.from(TEST_SECRET_KEY)).derive('tracking');

/** A mail client that nobody takes for a machine. */
export const READER = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.4.0';

export interface SeenOpen {
  readonly type: string;
  readonly recipient: string;
  readonly machine: boolean | null;
  readonly reason: string | null;
  readonly user_agent: string | null;
  readonly url: string | null;
  readonly created_at: string;
}

export class TrackingFixture {
  readonly server: TestApi;
  readonly org: TestOrganization;
  readonly #clock: { offsetMs: number };

  private constructor(server: TestApi, org: TestOrganization, clock: { offsetMs: number }) {
    this.server = server;
    this.org = org;
    this.#clock = clock;
  }

  static async start(database?: TestDatabase): Promise<TrackingFixture> {
    const clock = { offsetMs: 0 };
    const server = await startApi({
      clock: { nowMs: () => Date.now() + clock.offsetMs },
      ...(database ? { database } : {}),
    });
    return new TrackingFixture(server, await server.createOrganization(), clock);
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  /** Time goes on at once. */
  pass(ms: number): void {
    this.#clock.offsetMs += ms;
  }

  /** An email to so many recipients whose deliveries ended like this, long enough ago to have been read. */
  async delivered(...states: RecipientState[]): Promise<string> {
    const to = states.map((_, i) => ({ email: `r${i}@example.org` }));
    const id = await sendLetter(this.server, this.org, { to, html: '<p>Hi</p>', track_opens: true });
    await this.settle(id, states);
    this.pass(10_000);
    return id;
  }

  async settle(emailId: string, states: readonly RecipientState[]): Promise<void> {
    const atMs = Date.now() + this.#clock.offsetMs;
    const outcomes = states
      .map((state, position) => ({
        organizationId: this.org.id,
        emailId,
        position,
        state,
        attempts: 1,
        atMs,
      }))
      .filter(({ state }) => state !== 'queued');
    await this.server.db.transaction((tx) => applyOutcomes(tx, outcomes, atMs));
  }

  links(): TrackingLinks {
    return { key: TRACKING_KEY, publicUrl: this.server.url };
  }

  pixel(emailId: string, position = 0): string {
    return pixelUrl(this.links(), { organizationId: this.org.id, emailId, position });
  }

  /** Where a link of a mail leads that leads to `url` in the end. */
  link(emailId: string, url: string, position = 0): string {
    const ref = { organizationId: this.org.id, emailId, position };
    return clickRedirect(this.links(), ref, null)(url) ?? '';
  }

  unsubscribe(to: string, emailId: string, group = DEFAULT_GROUP): string {
    const { email } = address(to);
    return unsubscribeUrl(this.links(), { organizationId: this.org.id, emailId, address: email, group });
  }

  /** Fetches a pixel the way a mail client does. */
  open(emailId: string, position = 0, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return fetch(this.pixel(emailId, position), { headers: { 'user-agent': READER, ...headers } });
  }

  /** Follows a link the way a browser does, up to where it leads. */
  click(
    emailId: string,
    url: string,
    { position = 0, ...headers }: { readonly position?: number } & Readonly<Record<string, unknown>> = {},
  ): Promise<Response> {
    return fetch(this.link(emailId, url, position), {
      headers: { 'user-agent': READER, ...(headers as Record<string, string>) },
      redirect: 'manual',
    });
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests reach into it and check what they find
  async email(id: string): Promise<any> {
    return (await this.server.api('GET', `/emails/${id}`, undefined, this.org.key)).body.data;
  }

  async opens(id: string): Promise<SeenOpen[]> {
    return (await this.email(id)).events.filter((event: SeenOpen) => event.type === 'opened');
  }

  async clicks(id: string): Promise<SeenOpen[]> {
    return (await this.email(id)).events.filter((event: SeenOpen) => event.type === 'clicked');
  }

  /** Waits until there are so many. */
  clicked(id: string, count: number): Promise<SeenOpen[]> {
    return until(
      () => this.clicks(id),
      (clicks) => clicks.length >= count,
    );
  }

  /** Everything followed before this has been looked at. */
  async clicksCaughtUp(): Promise<void> {
    const id = await this.delivered('delivered');
    await this.click(id, 'https://caught-up.example/');
    await this.clicked(id, 1);
  }

  /** Waits until there are so many. */
  opened(id: string, count: number): Promise<SeenOpen[]> {
    return until(
      () => this.opens(id),
      (opens) => opens.length >= count,
    );
  }

  /** Everything fetched before this has been looked at: another email's open came through behind it. */
  async caughtUp(): Promise<void> {
    const id = await this.delivered('delivered');
    await this.open(id);
    await this.opened(id, 1);
  }
}
