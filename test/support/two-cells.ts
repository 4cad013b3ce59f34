/** An installation of two cells, set up as an operator does it: an empty database for the second, and `postrider migrate`. */
import { expect } from 'vitest';
import { type Ran, runCommand } from './command-line.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from './database.ts';
import { TEST_SECRET_KEY } from './secret-key.ts';

/** The parsed JSON of an answer. */
export type Parsed = ReturnType<typeof JSON.parse>;

export interface TwoCells {
  readonly main: TestDatabase;
  readonly two: TestDatabase;
  /** The environment of the processes. */
  readonly env: Readonly<Record<string, string>>;
  run(argv: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ran>;
  /** The JSON output of a command that must succeed. */
  json(argv: readonly string[], env?: Readonly<Record<string, string>>): Promise<Parsed>;
  drop(): Promise<void>;
}

export async function createTwoCells(dataDir: string): Promise<TwoCells> {
  const [main, two] = await Promise.all([createTestDatabase(), createEmptyDatabase()]);
  const env = {
    DATABASE_URL: main.url,
    POSTRIDER_CELLS: `two=${two.url}`,
    POSTRIDER_SECRET_KEY: TEST_SECRET_KEY,
    POSTRIDER_DATA_DIR: dataDir,
    POSTRIDER_PORT: '1',
    POSTRIDER_ALLOW_PRIVATE_DESTINATIONS: 'true',
  };
  const run = (argv: readonly string[], more = {}) => runCommand(argv, { ...env, ...more });
  const json = async (argv: readonly string[], more = {}) => {
    const { code, out, err } = await run([...argv, '--json'], more);
    expect({ code, err }, argv.join(' ')).toEqual({ code: 0, err: '' });
    return JSON.parse(out);
  };
  await json(['migrate']);
  const drop = async () => {
    await Promise.all([main.drop(), two.drop()]);
  };
  return { main, two, env, run, json, drop };
}
