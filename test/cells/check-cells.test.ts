/** What a role that is started again makes of its databases, where one of them refuses it. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { CellGate } from '../../src/cells/gate.ts';
import { type Cell, Database } from '../../src/database/database.ts';
import { checkCells } from '../../src/processes/check-cells.ts';
import { createLog, type Log } from '../../src/runtime/log.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let main: TestDatabase;
let opened: Database[];
let gate: CellGate;
let errors: string[];
let log: Log;
beforeAll(async () => {
  main = await createTestDatabase();
  // A process that has a supervisor can talk to it; so can this one, which runs tests.
  expect(process.send).toBeDefined();
});
afterAll(() => main.drop());
beforeEach(() => {
  [opened, gate, errors] = [[], new CellGate(), []];
  log = { warn: () => undefined, error: (_: object, words: string) => errors.push(words) } as unknown as Log;
});
afterEach(() => Promise.all(opened.map((db) => db.close())));

function open(change: (url: URL) => void): Database {
  const url = new URL(main.url);
  change(url);
  const db = new Database({ url: url.href, log: createLog('test', 'silent'), applicationName: 'test' });
  opened.push(db);
  return db;
}

const cell = (name: string, db: Database): Cell => ({ name, db, residents: db });
const ignore = () => undefined;

it.each<[string, RegExp, (url: URL) => void]>([
  [
    'has no such database',
    /^The cell two: database "nothing" does not exist\./,
    (url) => {
      url.pathname = '/nothing';
    },
  ],
  [
    'does not take its password',
    /^The cell two: password authentication failed for user ".+"\./,
    (url) => {
      url.password = 'wrong';
    },
  ],
  [
    'does not speak TLS',
    /^The cell two: The server does not support SSL connections\./,
    (url) => {
      url.searchParams.set('sslmode', 'verify-full');
    },
  ],
])('goes on without a cell whose server %s, and says so', async (_, words, change) => {
  const each = [cell('main', main.db), cell('two', open(change))];
  await checkCells({ db: main.db, each, gate }, log, ignore);
  expect(() => gate.pass('two')).toThrow('is still being prepared or does not answer');
  expect(errors).toEqual([expect.stringMatching(words)]);
  expect(errors[0]).toMatch(
    /Put that right, or its address in POSTRIDER_CELLS\. Until then it is not used\.$/,
  );
});

it('refuses a first database that refuses it', async () => {
  const nothing = open((url) => {
    url.pathname = '/nothing';
  });
  const asked = checkCells({ db: nothing, each: nothing.cells, gate }, log, ignore);
  await expect(asked).rejects.toThrow('does not exist');
});

it('goes on where control is away just when it is asked who is where', async () => {
  const away = open((url) => {
    url.host = '127.0.0.1:1';
  });
  await checkCells({ db: away, each: [cell('main', main.db)], gate }, log, ignore);
  expect(errors).toEqual([]);
});
