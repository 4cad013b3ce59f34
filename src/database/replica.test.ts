import { beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../runtime/log.ts';
import { Reads } from './reads.ts';
import { REST_MS, Replica } from './replica.ts';
import { adHoc, type Sql } from './sql.ts';

/** A server whose WAL position is set by the test. It answers every other query with its own name. */
class Server {
  readonly #name: string;
  position = '0/100';
  error: Error | null = null;
  asked = 0;

  constructor(name: string) {
    this.#name = name;
  }

  /** `first` waits for a position, like `await_replay`. */
  reading(_timeoutMs = 0, first = ''): Sql {
    const awaited = /await_replay\('([^']+)'/.exec(first)?.[1];
    const many = async ({ name }: { name: string }) => {
      this.asked += 1;
      if (this.error !== null) throw this.error;
      if (awaited !== undefined && awaited > this.position)
        throw Object.assign(new Error('not yet'), { code: 'PR004' });
      return [name === '' ? this.#name : { position: this.position, system: '7' }];
    };
    return {
      many: many as never,
      one: async (statement) => (await many(statement))[0] as never,
      maybeOne: async (statement) => (await many(statement))[0] as never,
      exec: async () => 0,
    };
  }
}

describe('a standby for reading', () => {
  let nowMs: number;
  let primary: Server;
  let standby: Server;
  let reads: Reads;

  beforeEach(() => {
    nowMs = 1_000;
    primary = new Server('primary');
    standby = new Server('standby');
    const options = { primary: primary.reading(), standby, log: createLog('test', 'silent') };
    reads = new Reads(primary, { replica: new Replica({ ...options, steadyMs: () => nowMs }) });
  });

  const asked = async () => (await reads.lately('org_a').many(adHoc<string>('SELECT'))).join();

  it('is read when it has everything that the primary had written before', async () => {
    expect(await asked()).toBe('standby');
    primary.position = '0/200';
    standby.position = '0/200';
    expect(await asked()).toBe('standby');
  });

  it('is skipped for a moment when it is behind', async () => {
    expect(await asked()).toBe('standby');
    primary.position = '0/200';
    expect(await asked()).toBe('primary');
    standby.position = '0/200';
    const before = standby.asked;
    expect(await asked()).toBe('primary');
    expect(standby.asked).toBe(before);
    nowMs += REST_MS;
    expect(await asked()).toBe('standby');
  });

  it('is not read when it is ahead of its primary, because its data has diverged', async () => {
    standby.position = '0/300';
    expect(await asked()).toBe('primary');
  });

  it('is no longer read when its timeline diverges during use', async () => {
    expect(await asked()).toBe('standby');
    standby.position = '0/300';
    nowMs += 5_000;
    expect(await asked()).toBe('primary');
  });

  it('has its position checked once for all statements of a list', async () => {
    const list = reads.lately('org_a');
    await list.many(adHoc('SELECT'));
    const before = primary.asked;
    expect(await list.many(adHoc<string>('SELECT'))).toEqual(['standby']);
    expect(primary.asked).toBe(before);
  });

  it('is no longer read by a list that has begun to read the primary', async () => {
    const list = reads.lately('org_a');
    standby.error = new Error('Connection terminated unexpectedly');
    expect(await list.many(adHoc<string>('SELECT'))).toEqual(['primary']);
    standby.error = null;
    nowMs += REST_MS;
    expect(await list.many(adHoc<string>('SELECT'))).toEqual(['primary']);
  });

  it('is replaced by the primary when it fails', async () => {
    expect(await asked()).toBe('standby');
    standby.error = new Error('Connection terminated unexpectedly');
    expect(await asked()).toBe('primary');
    standby.error = null;
    nowMs += REST_MS;
    expect(await asked()).toBe('standby');
  });

  it('is not used for reads that precede a change', async () => {
    expect(await reads.of('org_a').many(adHoc<string>('SELECT'))).toEqual(['primary']);
    expect(standby.asked).toBe(0);
  });
});
