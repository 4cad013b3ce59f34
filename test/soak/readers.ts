/** The people who get the mail: some of them open it, some seconds later, some of these twice. */
import { pixelUrl, type TrackingLinks } from '../../src/protocols/message/tracking-links.ts';
import { SecretKey } from '../../src/runtime/secret-key.ts';
import type { Random } from '../fuzz/random.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';
import type { Client } from './client.ts';
import type { Tally } from './tally.ts';

const OPENED = 0.4;
const TWICE = 0.2;
const SOONEST_MS = 3_000;
const LATEST_MS = 90_000;

export interface ReadersOptions {
  readonly url: string;
  readonly organizationId: string;
  readonly client: Client;
  readonly random: Random;
  readonly tally: Tally;
}

export class Readers {
  readonly #options: ReadersOptions;
  readonly #links: TrackingLinks;
  readonly #waiting = new Set<NodeJS.Timeout>();

  constructor(options: ReadersOptions) {
    this.#options = options;
    const key = new SecretKey(Buffer.from(TEST_SECRET_KEY)).derive('tracking');
    this.#links = { key, publicUrl: options.url };
  }

  receive(emailId: string): void {
    const { random } = this.#options;
    if (!random.chance(OPENED)) return;
    this.#openSoon(emailId);
    if (random.chance(TWICE)) this.#openSoon(emailId);
  }

  stop(): void {
    for (const timer of this.#waiting) clearTimeout(timer);
  }

  #openSoon(emailId: string): void {
    const { random, tally, client, organizationId } = this.#options;
    const timer = setTimeout(
      () => {
        this.#waiting.delete(timer);
        const url = pixelUrl(this.#links, { organizationId, emailId, position: 0 });
        void tally.watch('open', async () => {
          const { status } = await client.ask(url, { withKey: false });
          return status === 200 ? null : `answered ${status}`;
        });
      },
      random.integer(SOONEST_MS, LATEST_MS),
    );
    this.#waiting.add(timer);
  }
}
