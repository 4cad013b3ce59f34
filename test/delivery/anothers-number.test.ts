/**
 * After a failover, the id of a transaction whose COMMIT was lost may belong to another transaction of the new primary. The new
 * primary then reports the id as committed.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/runtime/ids.ts';
import { admin } from '../support/database.ts';
import { until } from '../support/until.ts';
import { Live } from './live.ts';

const TIMES = 2;

let live: Live;
beforeAll(async () => {
  live = await Live.start({ sites: { well: {} } });
  const { pathname } = new URL(live.database.url);
  // New sessions find this function before PostgreSQL's own. There are no older sessions.
  await admin(
    live.database.url,
    `CREATE FUNCTION public.pg_xact_status(xid8) RETURNS text LANGUAGE sql AS $$ SELECT 'committed' $$;
     ALTER DATABASE ${pathname.slice(1)} SET search_path = public, pg_catalog;
     CREATE SEQUENCE commits;
     CREATE FUNCTION lose_commit() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF nextval('commits') <= ${TIMES} THEN RAISE EXCEPTION 'lost' USING ERRCODE = '08006'; END IF;
       RETURN NULL;
     END $$;
     CREATE CONSTRAINT TRIGGER loses AFTER DELETE ON outbox DEFERRABLE INITIALLY DEFERRED
       FOR EACH ROW EXECUTE FUNCTION lose_commit();
     SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  await until(
    () => live.queued().catch(() => null), // until the pool has noticed the ended sessions
    (count) => count === 0,
  );
  await live.startWorker();
});
afterAll(() => live.stop());

it('does not trust the reused id: an accepted message is settled and sent once', async () => {
  const org = newId('org');
  await live.seed('well', org, 1);
  await live.whenSent(org);
  expect((await live.events(org)).map(({ type }) => type)).toEqual(['processing', 'delivered']);
  expect(live.sink('well').messageCount).toBe(1);
});
