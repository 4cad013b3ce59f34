/** Runs one statement on a connection of the pool. */
import type pg from 'pg';
import type { ConnectionTerms } from './connection-terms.ts';
import { ANSWER_WITHIN_MS } from './connections.ts';
import { isBehind, isForgottenStatement, isReadSlotTaken } from './errors.ts';
import type { PooledClient } from './pooled-client.ts';

/** Called once a connection is available, which may have taken a while. If it throws, the statement is not run. */
export type FinalCheck = () => Promise<void> | undefined;

export async function runOne(
  terms: ConnectionTerms,
  query: pg.QueryConfig,
  isAwaited = false,
  look?: FinalCheck,
): Promise<pg.QueryResult> {
  try {
    return await runOnce(terms, query, isAwaited, look);
  } catch (error) {
    if (!isForgottenStatement(error)) throw error;
    // The statement was not executed, so it may be repeated.
    terms.stopNaming();
    return runOnce(terms, withoutName(query), isAwaited, look);
  }
}

async function runOnce(
  { connections }: ConnectionTerms,
  query: pg.QueryConfig,
  isAwaited: boolean,
  look: FinalCheck | undefined,
): Promise<pg.QueryResult> {
  const client = await connections.take('writing');
  if (look !== undefined) await looked(client, look);
  const answer = client.query(query).then(
    (result) => {
      client.release();
      return result;
    },
    (error: unknown) => {
      connections.heed(client, error);
      client.release(!isForgottenStatement(error));
      throw error;
    },
  );
  return connections.answered(client, answer, isAwaited ? connections.commitWithinMs : ANSWER_WITHIN_MS);
}

export async function readOne(
  terms: ConnectionTerms,
  begin: string,
  query: pg.QueryConfig,
  withinMs: number,
  look?: FinalCheck,
): Promise<pg.QueryResult> {
  const { connections } = terms;
  const client = await connections.take('reading');
  if (look !== undefined) await looked(client, look);
  const settled = Promise.allSettled([client.query(begin), client.query(query), client.query('COMMIT')]);
  const answer = settled.then(([begun, read, ended]) => {
    // An error of the statement leaves the connection intact; an error of BEGIN or COMMIT means that the connection is broken.
    client.release([begun, ended].some((one) => one.status === 'rejected' && !isOwnRefusal(one.reason)));
    if (begun.status === 'rejected') throw begun.reason;
    if (read.status === 'rejected') throw read.reason;
    return read.value;
  });
  try {
    return await connections.answered(client, answer, withinMs);
  } catch (error) {
    if (!isForgottenStatement(error)) throw error;
    terms.stopNaming();
    return readOne(terms, begin, withoutName(query), withinMs, look);
  }
}

async function looked(client: PooledClient, look: FinalCheck): Promise<void> {
  try {
    await look();
  } catch (error) {
    client.release();
    throw error;
  }
}

/** An error raised by the preceding statement `first`. */
function isOwnRefusal(error: unknown): boolean {
  return isReadSlotTaken(error) || isBehind(error);
}

function withoutName({ text, values }: pg.QueryConfig): pg.QueryConfig {
  return values === undefined ? { text } : { text, values };
}
