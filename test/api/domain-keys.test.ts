import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { generateRsa, type KeyPair, UNBOUNDED } from '../../src/domains/key-pairs.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';

const BURST = 3;

/** A real key pair, made once and returned when the test allows it. */
class Maker {
  readonly #pair = generateRsa();
  #pending: (() => void)[] = [];
  #begun: (() => void)[] = [];
  begun = 0;

  generate = (): Promise<KeyPair> => {
    this.begun += 1;
    return new Promise((resolve, reject) => {
      this.#pending.push(() => this.#copy().then(resolve, reject));
      for (const tell of this.#begun.splice(0)) tell();
    });
  };

  /** A copy, because the receiver overwrites the private key. */
  async #copy(): Promise<KeyPair> {
    const { publicKey, privateKey } = await this.#pair;
    return { publicKey, privateKey: Buffer.from(privateKey) };
  }

  /** Finishes the current or the next request for a pair. */
  async finish(): Promise<void> {
    while (this.#pending.length === 0) await new Promise<void>((resolve) => this.#begun.push(resolve));
    this.#pending.shift()?.();
  }
}

const maker = new Maker();
const limits = { ...UNBOUNDED, burst: BURST, paceMs: 3_600_000, waitMs: 60_000 };
let server: TestApi;
let hog: TestOrganization;
let other: TestOrganization;
beforeAll(async () => {
  server = await startApi({ keyPairs: { limits, generate: maker.generate } });
});
beforeEach(async () => {
  hog = await server.createOrganization();
  other = await server.createOrganization();
});
afterAll(() => server.stop());

let names = 0;
const register = ({ key }: TestOrganization) => {
  names += 1;
  return server.api('POST', '/domains', { domain: `made-${names}.example` }, key);
};

/** Sends as many requests as may wait, and one more. Once the last is refused, the others have arrived. */
async function allThatMayWait(organization: TestOrganization) {
  const all = Array.from({ length: BURST + 1 }, () => register(organization));
  return { all, refused: await Promise.race(all) };
}

describe('a DKIM key', () => {
  it('of one organization does not wait for all that another has asked for before', async () => {
    const hogging = await allThatMayWait(hog);
    const asking = await allThatMayWait(other);
    const order: string[] = [];
    const signals = new EventEmitter();
    for (const [name, { all }] of Object.entries({ hog: hogging, other: asking })) {
      for (const one of all) {
        void one.then(({ status }) => {
          if (status !== 201) return;
          order.push(name);
          signals.emit('answer');
        });
      }
    }
    for (let made = 1; made <= 2 * BURST; made += 1) {
      const answered = once(signals, 'answer');
      await maker.finish();
      await answered;
    }
    expect(order).toEqual(['hog', 'other', 'hog', 'other', 'hog', 'other']);
  });

  it('is refused with the time to come back when too many are asked for', async () => {
    const { refused, all } = await allThatMayWait(hog);
    expect(refused.status).toBe(429);
    expect(refused.body.error.code).toBe('RATE_LIMITED');
    expect(refused.body.error.message).toMatch(
      /^Many DKIM keys were created for this organization just now\./,
    );
    expect(Number(refused.headers.get('retry-after'))).toBe(3_600);
    for (let i = 0; i < BURST; i += 1) await maker.finish();
    expect((await Promise.all(all)).map(({ status }) => status).sort()).toEqual([201, 201, 201, 429]);
  });

  it('counts the same whether a domain is registered or its key rotated', async () => {
    const registered = register(hog);
    await maker.finish();
    const { id } = (await registered).body.data;
    const path = `/domains/${id}/dkim/rotate`;
    const statuses: number[] = [];
    for (let i = 1; i <= BURST; i += 1) {
      const rotated = server.api('POST', path, undefined, hog.key);
      if (i < BURST) await maker.finish();
      statuses.push((await rotated).status);
      await server.api('DELETE', path, undefined, hog.key);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });

  it('is made once for a domain that many look at before it has one', async () => {
    const before = maker.begun;
    const looks = [1, 2, 3].map(() => server.api('GET', '/domains', undefined, other.key));
    // One that comes after it was made would find it made.
    for (let later = 0; later < 30; later += 1) await (await fetch(`${server.url}/healthz`)).text();
    await maker.finish();
    const keys = (await Promise.all(looks)).map(({ body }) => body.data[0].dkim_public_key);
    expect(new Set(keys).size).toBe(1);
    expect(maker.begun).toBe(before + 1);
  });
});
