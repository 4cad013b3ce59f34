import { beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../runtime/log.ts';
import { Reads } from './reads.ts';
import { MAX_AGE_MS, Replica } from './replica.ts';
import { adHoc, type Sql } from './sql.ts';

/** A server whose log is where the test says; it answers everything else with its own name. */
class Server implements Pick<Sql, 'many'> {
  readonly #name: string;
  position: string | null = '0/100';
  system = 'ours';
  error: Error | null = null;

  constructor(name: string) {
    this.#name = name;
  }

  async many<Row>({ name }: { name: string }): Promise<Row[]> {
    if (this.error !== null) throw this.error;
    return [name === '' ? this.#name : { position: this.position, system: this.system }] as Row[];
  }

  reading(): Sql {
    return {
      many: (statement) => this.many(statement),
      one: async (statement) => (await this.many(statement))[0] as never,
      maybeOne: async (statement) => (await this.many(statement))[0] as never,
      exec: async () => 0,
    };
  }
}

describe('a standby for reading', () => {
  let nowMs: number;
  let primary: Server;
  let standby: Server;
  let replica: Replica;
  let reads: Reads;

  beforeEach(() => {
    nowMs = 1_000;
    primary = new Server('primary');
    standby = new Server('standby');
    const options = { primary: primary.reading(), standby, log: createLog('test', 'silent') };
    replica = new Replica({ ...options, steadyMs: () => nowMs });
    reads = new Reads(primary, { standby: replica });
  });

  const asked = async (organizationId = 'org_a') =>
    (await reads.lately(organizationId).many(adHoc<string>('SELECT'))).join();

  it('is not used before it is known how old it is', async () => {
    expect(await asked()).toBe('primary');
    await replica.look();
    expect(await asked()).toBe('standby');
  });

  it('is used while it has what the primary had written a few seconds ago', async () => {
    await replica.look();
    primary.position = '1/0'; // of which the standby has nothing yet
    nowMs += MAX_AGE_MS;
    await replica.look();
    expect(await asked()).toBe('standby');
    nowMs += 1;
    expect(await asked()).toBe('primary');
    standby.position = '0/FFFFFFFF';
    await replica.look();
    expect(await asked()).toBe('primary');
    standby.position = '1/0';
    await replica.look();
    expect(await asked()).toBe('standby');
  });

  it('is not used for an organization that has written what it may not have', async () => {
    await replica.look();
    nowMs += 10;
    replica.wrote('org_a');
    nowMs += 10;
    primary.position = '0/200';
    await replica.look();
    expect(await asked('org_a')).toBe('primary');
    expect(await asked('org_b')).toBe('standby');
    standby.position = '0/200';
    nowMs += 10;
    await replica.look();
    expect(await asked('org_a')).toBe('standby');
  });

  it('is not used when it is a standby no more', async () => {
    standby.position = null;
    await replica.look();
    expect(await asked()).toBe('primary');
  });

  it('is not used when it follows somebody else', async () => {
    standby.system = 'theirs';
    await replica.look();
    expect(await asked()).toBe('primary');
  });

  it('is not missed where it fails: the primary is asked instead, until it was looked at again', async () => {
    await replica.look();
    standby.error = new Error('Connection terminated unexpectedly');
    expect(await asked()).toBe('primary');
    standby.error = null;
    expect(await asked()).toBe('primary');
    await replica.look();
    expect(await asked()).toBe('standby');
  });

  it('is asked for nothing that must be current', async () => {
    await replica.look();
    expect(await reads.of('org_a').many(adHoc<string>('SELECT'))).toEqual(['primary']);
  });
});
