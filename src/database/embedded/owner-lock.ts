/**
 * Marks a data folder as in use: a session-level advisory lock in its own PostgreSQL, held on one idle connection. Unlike a pid
 * file, the lock ends with its holder, however the holder ends.
 *
 * States: held → (connection lost) → retaking → held; released at the end. The connection is lost whenever PostgreSQL restarts
 * its sessions after one of them crashed.
 */
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type ClusterHome, urlFor } from './cluster-home.ts';

const LOCK_KEY = 7_067_453;
/** A holder that was killed a moment ago still counts until the server has noticed. */
const TAKE_WITHIN_MS = 2_000;
const RETRY_MS = 100;
/** PostgreSQL's code for starting up, recovering and shutting down. */
export const STARTING_UP = '57P03';

export interface OwnerLock {
  release(): Promise<void>;
}

interface Stuck {
  /** How long the server may admit no connection. */
  readonly afterMs: number;
  /** Whether the server makes no progress. Called while the server reports that it is recovering. */
  readonly isStill: () => boolean;
  readonly end: () => void;
}

/** `stuck` handles a running server that admits no connection. */
export async function takeOwnerLock(home: ClusterHome, port: number, stuck: Stuck): Promise<OwnerLock> {
  let released = false;
  let client = await take();
  return {
    release: async () => {
      released = true;
      await client.end().catch(() => undefined);
    },
  };

  async function take(): Promise<pg.Client> {
    const taken = await connectToServer(home, port);
    if (!(await lockWithin(taken, TAKE_WITHIN_MS))) {
      await taken.end();
      throw new Error(
        `Postrider is already running with the data folder ${home.dataDir}. ` +
          'Stop it first, or set POSTRIDER_DATA_DIR to another folder.',
      );
    }
    taken.once('end', () => void takeAgain());
    return taken;
  }

  async function takeAgain(): Promise<void> {
    let sinceMs = performance.now();
    let isStill = false;
    while (!released) {
      if (isStill || performance.now() - sinceMs > stuck.afterMs) {
        sinceMs = performance.now();
        stuck.end();
      }
      try {
        client = await take();
        if (released) await client.end();
        return;
      } catch (error) {
        isStill = (error as { code?: string }).code === STARTING_UP && stuck.isStill();
        await delay(RETRY_MS, undefined, { ref: false });
      }
    }
  }
}

/** A connection to the server without a particular database; a lost connection is an `end` event, never an uncaught error. */
export async function connectToServer(home: ClusterHome, port: number): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: urlFor(home.password, port, 'postgres'),
    connectionTimeoutMillis: 3_000,
    application_name: 'postrider-start',
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function lockWithin(client: pg.Client, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [
      LOCK_KEY,
    ]);
    if (rows[0]?.held === true) return true;
    if (performance.now() > deadline) return false;
    await delay(RETRY_MS);
  }
}
