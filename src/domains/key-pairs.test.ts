import { createPrivateKey, createPublicKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { generateRsa, type KeyPair, type KeyPairLimits, KeyPairs, UNBOUNDED } from './key-pairs.ts';

/** A generator that completes each pair when the test releases it. */
class Maker {
  readonly made: KeyPair[] = [];
  most = 0;
  #pending: ((error?: Error) => void)[] = [];

  get underWay(): number {
    return this.#pending.length;
  }

  generate = (): Promise<KeyPair> =>
    new Promise((resolve, reject) => {
      this.#pending.push((error) => {
        if (error) return reject(error);
        const pair = { publicKey: Buffer.from([this.made.length]), privateKey: Buffer.from([7]) };
        this.made.push(pair);
        resolve(pair);
      });
      this.most = Math.max(this.most, this.underWay);
    });

  async finish(error?: Error): Promise<void> {
    this.#pending.shift()?.(error);
    await settled();
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
/** After this, generation that needs no delay has started. */
const timersRun = () => new Promise((resolve) => setTimeout(resolve, 2));
const LIMITS: KeyPairLimits = {
  ...UNBOUNDED,
  burst: 5,
  paceMs: 2_000,
  waitMs: 60_000,
};

function fixture(limits: Partial<KeyPairLimits> = {}) {
  const clock = { ms: 1_000_000, nowMs: () => clock.ms };
  const maker = new Maker();
  const pairs = new KeyPairs({ clock, limits: { ...LIMITS, ...limits }, generate: maker.generate });
  const served: string[] = [];
  /** Settled when the test releases it; handled, so that no rejection is unhandled. */
  const ask = (organization: string): Promise<unknown> =>
    pairs.take(organization).then(
      (pair) => {
        served.push(organization);
        return pair;
      },
      (error) => error,
    );
  return { clock, maker, pairs, served, ask };
}

/** With a full stock. */
async function stocked(stock: number) {
  const all = fixture({ stock });
  await all.pairs.start();
  while (all.pairs.inStock < stock) {
    while (all.maker.underWay === 0) await timersRun();
    await all.maker.finish();
  }
  return all;
}

describe('key pairs', () => {
  it('are RSA keys of 2,048 bits with matching halves', async () => {
    const { publicKey, privateKey } = await generateRsa();
    const opened = createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' });
    expect(opened.asymmetricKeyDetails?.modulusLength).toBe(2048);
    expect(createPublicKey(opened).export({ type: 'spki', format: 'der' })).toEqual(publicKey);
  });

  it('are generated one at a time, however many are requested', async () => {
    const { maker, served, ask } = fixture();
    for (const organization of ['a', 'b', 'a', 'c']) void ask(organization);
    await settled();
    for (let i = 0; i < 4; i += 1) await maker.finish();
    expect(served).toHaveLength(4);
    expect(maker.most).toBe(1);
    expect(maker.underWay).toBe(0);
  });

  it('go to the organization that had the fewest, not to the longest queue', async () => {
    const { maker, served, ask } = fixture();
    for (let i = 0; i < 4; i += 1) void ask('hog');
    await settled();
    await maker.finish();
    void ask('other');
    void ask('other');
    await settled();
    for (let i = 0; i < 5; i += 1) await maker.finish();
    expect(served).toEqual(['hog', 'other', 'hog', 'other', 'hog', 'hog']);
  });

  it('are refused to an organization above its limit, with the time to wait', async () => {
    const { clock, maker, ask } = fixture();
    for (let i = 0; i < 3; i += 1) void ask('hog');
    for (let i = 0; i < 3; i += 1) await maker.finish();
    void ask('hog');
    void ask('hog');
    expect(await ask('hog')).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 2 });
    await maker.finish();
    await maker.finish();
    clock.ms += 1_999;
    expect(await ask('hog')).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 1 });
    clock.ms += 1;
    void ask('hog');
    await settled();
    expect(maker.underWay).toBe(1);
  });

  it('are not refused forever when the clock is set back', async () => {
    const { clock, maker, ask } = fixture();
    for (let i = 0; i < 5; i += 1) void ask('a');
    for (let i = 0; i < 5; i += 1) await maker.finish();
    clock.ms -= 900_000;
    expect(await ask('a')).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 2 });
  });

  it('are added to the stock after the caller timed out, and given to a caller that retries', async () => {
    const { maker, pairs, ask } = fixture({ waitMs: 1 });
    expect(await ask('a')).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 2 });
    await maker.finish();
    expect(pairs.inStock).toBe(1);
    expect(await ask('a')).toBe(maker.made[0]);
    expect(maker.underWay).toBe(0);
  });

  it('are refused to the waiting caller when generation fails, and generated for the next one', async () => {
    const { maker, ask } = fixture();
    const [first, second] = [ask('a'), ask('b')];
    await maker.finish(new Error('no entropy'));
    await maker.finish();
    expect(await first).toEqual(new Error('no entropy'));
    expect(await second).toBe(maker.made[0]);
  });
});

describe('the stock of key pairs', () => {
  it('is filled to its size while nobody waits, and refilled after a pair was taken', async () => {
    const { maker, pairs, ask } = await stocked(3);
    await timersRun();
    expect(maker.underWay).toBe(0);
    expect(await ask('a')).toBe(maker.made[0]);
    while (maker.underWay === 0) await timersRun();
    await maker.finish();
    expect(pairs.inStock).toBe(3);
  });

  it('is not filled before it is started', async () => {
    const { maker, ask } = fixture({ stock: 3 });
    void ask('a');
    await maker.finish();
    await timersRun();
    expect(maker.underWay).toBe(0);
  });

  it('reserves half of itself for organizations that took fewer', async () => {
    const { served, ask, pairs } = await stocked(4);
    for (let i = 0; i < 4; i += 1) void ask('hog');
    await settled();
    expect(served).toEqual(['hog', 'hog']);
    expect(pairs.inStock).toBe(2);
    await ask('b');
    await ask('c');
    expect(served).toEqual(['hog', 'hog', 'b', 'c']);
  });

  it('is overwritten when the process stops, and waiting callers are refused', async () => {
    const { maker, pairs, ask } = await stocked(2);
    const [, , waiting] = [ask('a'), ask('a'), ask('a')];
    await settled();
    await pairs.stop();
    expect(await waiting).toMatchObject({ code: 'UNAVAILABLE' });
    expect(pairs.inStock).toBe(0);
    expect(maker.made.filter(({ privateKey }) => privateKey[0] === 0)).toHaveLength(1);
  });
});
