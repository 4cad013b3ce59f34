import { describe, expect, it } from 'vitest';
import { type ReadLimits, Reads } from './reads.ts';
import { adHoc, type Sql } from './sql.ts';

/** A database that answers on demand. */
class Stalled {
  readonly #pending: { readonly name: string; readonly end: (error?: Error) => void }[] = [];

  get running(): string[] {
    return this.#pending.map(({ name }) => name);
  }

  reading(): Sql {
    const wait = (name: string) =>
      new Promise<never[]>((resolve, reject) => {
        const end = (error?: Error) => {
          this.#pending.splice(this.#pending.indexOf(one), 1);
          if (error) reject(error);
          else resolve([]);
        };
        const one = { name, end };
        this.#pending.push(one);
      });
    return {
      many: ({ text }) => wait(text),
      one: ({ text }) => wait(text) as never,
      maybeOne: async ({ text }) => (await wait(text))[0],
      exec: async ({ text }) => (await wait(text)).length,
    };
  }

  /** Answers the query that has run longest. */
  async answer(error?: Error): Promise<void> {
    this.#pending[0]?.end(error);
    await settled();
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const LIMITS: ReadLimits = { ofOne: 2, inAll: 3, waitingOfOne: 2, waitMs: 3_600_000 };

function setUp(limits: Partial<ReadLimits> = {}) {
  const database = new Stalled();
  const reads = new Reads(database, { limits: { ...LIMITS, ...limits } });
  const ask = (organization: string, name: string) => reads.of(organization).many(adHoc(name));
  return { database, reads, ask };
}

describe('reads', () => {
  it('runs a limited number of queries per organization, and those of another organization in parallel', async () => {
    const { database, ask } = setUp();
    for (const name of ['a1', 'a2', 'a3']) void ask('a', name);
    void ask('b', 'b1');
    await settled();
    expect(database.running).toEqual(['a1', 'a2', 'b1']);
  });

  it('serves waiting queries in turns by organization', async () => {
    const { database, ask } = setUp({ ofOne: 3, waitingOfOne: 10 });
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void ask('a', name);
    for (const name of ['b1', 'b2']) void ask('b', name);
    void ask('c', 'c1');
    await settled();
    const order: (string | undefined)[] = [];
    for (let i = 0; i < 5; i += 1) {
      await database.answer();
      order.push(database.running.at(-1));
    }
    expect(order).toEqual(['b1', 'c1', 'a4', 'b2', 'a5']);
  });

  it('refuses at once if too many queries wait, with a time to retry, and accepts those of others', async () => {
    const { database, ask } = setUp();
    for (const name of ['a1', 'a2', 'a3', 'a4']) void ask('a', name);
    await expect(ask('a', 'a5')).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 1 });
    void ask('b', 'b1');
    await settled();
    expect(database.running).toContain('b1');
  });

  it('refuses a query that has waited too long', async () => {
    const { ask } = setUp({ waitMs: 1 });
    for (const name of ['a1', 'a2']) void ask('a', name);
    await expect(ask('a', 'a3')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });

  it('explains what to do about a read that took too long', async () => {
    const { database, ask } = setUp();
    const asked = ask('a', 'a1');
    await settled();
    await Promise.all([
      expect(asked).rejects.toMatchObject({
        code: 'UNAVAILABLE',
        message: expect.stringContaining('narrow'),
      }),
      database.answer(Object.assign(new Error('canceling statement'), { code: '57014' })),
    ]);
  });

  it('keeps no state for an organization without queries in progress', async () => {
    const { database, reads, ask } = setUp({ waitMs: 1 });
    const all = ['a', 'b', 'a', 'a'].map((organization) => ask(organization, organization));
    await expect(all.at(-1)).rejects.toThrow();
    expect(reads.size).toBe(2);
    for (let i = 0; i < 3; i += 1) await database.answer();
    await Promise.all(all.slice(0, 3));
    expect(reads.size).toBe(0);
  });
});
