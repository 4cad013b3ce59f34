import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../src/database/database.ts';
import { isUnavailable } from '../../src/database/errors.ts';
import { adHoc, type Sql } from '../../src/database/sql.ts';
import { createLog } from '../../src/runtime/log.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { openTcpGate } from '../support/tcp-gate.ts';

const insert = adHoc('INSERT INTO numbers (n) VALUES ($1)');

describe('a transaction', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase();
    await test.db.exec(adHoc('CREATE TABLE numbers (n integer PRIMARY KEY)'));
  });
  afterAll(() => test.drop());
  beforeEach(() => test.db.exec(adHoc('TRUNCATE numbers')));

  const stored = async () =>
    (await test.db.many(adHoc<{ n: number }>('SELECT n FROM numbers ORDER BY n'))).map((row) => row.n);

  it('commits its work and what closes it, and returns what the work returned', async () => {
    const result = await test.db.transaction(
      async (tx) => {
        await tx.exec(insert, [1]);
        return 'done';
      },
      (tx, made) => Promise.all([tx.exec(insert, [2]), tx.exec(insert, [made.length])]),
    );
    expect(result).toBe('done');
    expect(await stored()).toEqual([1, 2, 4]);
  });

  it('takes everything back when its work fails, and does not begin to close', async () => {
    const failing = test.db.transaction(
      async (tx) => {
        await tx.exec(insert, [1]);
        throw new Error('no');
      },
      (tx) => tx.exec(insert, [2]),
    );
    await expect(failing).rejects.toThrow('no');
    expect(await stored()).toEqual([]);
  });

  it('takes everything back when a closing statement fails, although COMMIT was sent behind it', async () => {
    const failing = test.db.transaction(
      (tx) => tx.exec(insert, [1]),
      (tx) => Promise.all([tx.exec(insert, [2]), tx.exec(insert, [2]), tx.exec(insert, [3])]),
    );
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    expect(await stored()).toEqual([]);
  });

  it('takes everything back when closing fails on our side, of which PostgreSQL hears nothing', async () => {
    const ours = async () => {
      throw new RangeError('ours');
    };
    const unsendable = {
      toPostgres() {
        throw new Error('unsendable');
      },
    };
    const before = (tx: Sql) => tx.exec(insert, [1]);
    const throwing = test.db.transaction(before, (tx) =>
      Promise.all([tx.exec(insert, [2]), ours(), tx.exec(insert, [3])]),
    );
    await expect(throwing).rejects.toThrow('ours');
    const unbound = test.db.transaction(before, (tx) =>
      Promise.all([tx.exec(insert, [2]), tx.exec(insert, [unsendable]), tx.exec(insert, [3])]),
    );
    await expect(unbound).rejects.toThrow('unsendable');
    expect(await stored()).toEqual([]);
  });

  it('sends COMMIT behind what is named last, however long it takes to name it', async () => {
    const failing = test.db.transaction(
      (tx) => tx.exec(insert, [1]),
      async (tx) => {
        await tx.exec(insert, [2]);
        await new Promise((resolve) => setImmediate(resolve));
        await tx.exec(insert, [2]);
      },
    );
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    expect(await stored()).toEqual([]);
  });

  it('has no answers while it closes', async () => {
    const failing = test.db.transaction(
      (tx) => tx.exec(insert, [1]),
      (tx) => tx.many(adHoc('SELECT n FROM numbers')),
    );
    await expect(failing).rejects.toThrow('wants an answer');
    expect(await stored()).toEqual([]);
  });

  async function behindGate() {
    const url = new URL(test.url);
    const gate = await openTcpGate(url.hostname, Number(url.port));
    url.hostname = '127.0.0.1';
    url.port = String(gate.port);
    const log = createLog('test', 'silent');
    return { gate, db: new Database({ url: url.href, log, applicationName: 'behind a gate' }) };
  }

  it('is committed by the time PostgreSQL has closed it, although none of its answers was read', async () => {
    const { gate, db } = await behindGate();
    const done = db.transaction(
      async (tx) => {
        await tx.exec(insert, [1]);
        gate.holdAnswers();
      },
      (tx) => tx.exec(insert, [2]),
    );
    await expect.poll(stored).toEqual([1, 2]);
    gate.release();
    await done;
    await db.close();
    await gate.shut();
  });

  it('that is to be done once is known to be done although the answer to COMMIT was lost', async () => {
    const { gate, db } = await behindGate();
    const done = db.transactionOnce(async (tx) => {
      await tx.exec(insert, [1]);
      gate.holdAnswers();
      return 'done';
    });
    await expect.poll(stored).toEqual([1]);
    await gate.shut();
    await gate.open();
    expect(await done).toBe('done');
    await db.close();
    await gate.shut();
  });

  it('that is to be done once fails where it was not committed', async () => {
    const { gate, db } = await behindGate();
    const failing = db.transactionOnce(async (tx) => {
      await tx.exec(insert, [1]);
      await gate.shut();
      await gate.open();
    });
    await expect(failing).rejects.toSatisfy(isUnavailable);
    expect(await stored()).toEqual([]);
    await db.close();
    await gate.shut();
  });

  it('leaves its connection fit for the next one after it failed', async () => {
    for (let round = 0; round < 20; round += 1) {
      const failing = test.db.transaction(
        async () => undefined,
        (tx) => Promise.all([tx.exec(insert, [1]), tx.exec(insert, [1])]),
      );
      await expect(failing).rejects.toMatchObject({ code: '23505' });
    }
    await test.db.transaction((tx) => tx.exec(insert, [7]));
    expect(await stored()).toEqual([7]);
  });

  it('that only reads changes nothing, ends after its time, and leaves a connection that works', async () => {
    const log = createLog('test', 'silent');
    const one = new Database({ url: test.url, log, applicationName: 'test', maxConnections: 1 });
    try {
      const reading = one.reading(100);
      await expect(reading.exec(insert, [1])).rejects.toMatchObject({ code: '25006' });
      await expect(reading.many(adHoc('SELECT pg_sleep(60)'))).rejects.toMatchObject({ code: '57014' });
      await one.exec(insert, [2]);
      expect(await reading.many(adHoc('SELECT n FROM numbers'))).toEqual([{ n: 2 }]);
      expect(await one.one(adHoc('SHOW statement_timeout'))).toEqual({ statement_timeout: '30s' });
    } finally {
      await one.close();
    }
  });
});
