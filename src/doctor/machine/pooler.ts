/** Whether a connection pooler sits in front of PostgreSQL, and what does not work through it. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Database } from '../../database/database.ts';
import { withOwnConnection } from '../../database/own-connection.ts';
import type { Pooling } from '../../database/pooler.ts';
import { type Sql, sql } from '../../database/sql.ts';
import { doctorCheck } from '../doctor-check.ts';
import { databaseOf } from '../doctor-context.ts';
import type { Observation } from '../finding.ts';

interface PoolerFacts {
  readonly pooling: Pooling;
  /** Whether notifications arrive at DATABASE_DIRECT_URL, or why not; null when it is not set. */
  readonly directListen: 'received' | string | null;
  readonly role: string;
  /** Milliseconds, as text; 0 means none. */
  readonly statement_timeout: string;
  readonly idle_timeout: string;
}

type SessionFacts = Pick<PoolerFacts, 'role' | 'statement_timeout' | 'idle_timeout'>;

const selectSession = sql<SessionFacts>(
  'doctor.session',
  `SELECT current_user::text AS role,
          (SELECT setting FROM pg_settings WHERE name = 'statement_timeout') AS statement_timeout,
          (SELECT setting FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout') AS idle_timeout`,
  { home: 'either' },
);

const say = sql('doctor.say', 'SELECT pg_notify($1, $2)', { home: 'either' });

const CHANNEL = 'postrider_doctor';
const RECEIVED_WITHIN_MS = 2_000;

export const poolerCheck = doctorCheck({
  name: 'pooler',
  isQuick: true,
  needsDatabase: true,
  matters: 'Functions that need a lasting session do not work through a pooler in transaction mode.',
  gather: ({ db, config: { databaseDirectUrl } }) => gatherPooling(databaseOf({ db }), databaseDirectUrl),
  judge: judgePooling,
});

async function gatherPooling(db: Database, databaseDirectUrl: string | undefined): Promise<PoolerFacts> {
  const session = await db.one(selectSession);
  const pooling = db.pooling ?? { mode: 'none', keepsStatements: true };
  return {
    ...session,
    pooling,
    directListen: databaseDirectUrl === undefined ? null : await listenDirectly(db, databaseDirectUrl),
  };
}

/** Fails also for another database on the right server. */
function listenDirectly(db: Sql, url: string): Promise<string> {
  return withOwnConnection(url, 'postrider-doctor', async (client) => {
    await client.query(`LISTEN ${CHANNEL}`);
    const received = once(client, 'notification', { signal: AbortSignal.timeout(RECEIVED_WITHIN_MS) });
    await Promise.all([db.exec(say, [CHANNEL, randomUUID()]), received]);
    return 'received';
  }).catch((error: Error) =>
    error.name === 'AbortError' ? 'notifications of the database do not arrive there' : error.message,
  );
}

function judgePooling(facts: PoolerFacts): Observation[] {
  const { pooling } = facts;
  const wrong = [...directListenFindings(facts), ...(pooling.mode === 'none' ? [] : missingLimits(facts))];
  return [...wrong, { level: 'ok', seen: SEEN_BY_MODE[pooling.mode](pooling) }];
}

const SEEN_BY_MODE: Readonly<Record<Pooling['mode'], (pooling: Pooling) => string>> = {
  none: () => 'Postrider connects to PostgreSQL directly.',
  session: () => 'Postrider connects through a pooler in session mode.',
  transaction: ({ keepsStatements }) =>
    `Postrider connects through a pooler in transaction mode. ${keepsStatements ? 'The pooler keeps prepared statements.' : NO_PREPARED_STATEMENTS}`,
};

const NO_PREPARED_STATEMENTS =
  'The pooler keeps no prepared statements, so Postrider uses none: PgBouncer 1.21 or newer with max_prepared_statements = 500 saves PostgreSQL the parsing.';

function directListenFindings({ pooling: { mode }, directListen }: PoolerFacts): Observation[] {
  if (directListen === 'received' || (directListen === null && mode !== 'transaction')) return [];
  const fix =
    'Set DATABASE_DIRECT_URL to the address of PostgreSQL itself, with the same database, wherever workers run.';
  return directListen === null
    ? [
        {
          level: 'warn',
          seen: 'LISTEN does not work through the pooler, and DATABASE_DIRECT_URL is not set.',
          why: 'Workers poll for new mail ten times a second instead of receiving notifications, and migrations are refused.',
          fix,
        },
      ]
    : [
        {
          level: 'warn',
          seen: `DATABASE_DIRECT_URL does not work: ${directListen}.`,
          why: 'Workers find new mail up to a second later.',
          fix,
        },
      ];
}

/** A pooler may drop a client's session settings. */
function missingLimits({
  role,
  statement_timeout: statement,
  idle_timeout: idle,
}: PoolerFacts): Observation[] {
  const missing = [
    ...(statement === '0' ? ["statement_timeout = '30s'"] : []),
    ...(idle === '0' ? ["idle_in_transaction_session_timeout = '2s'"] : []),
  ];
  if (missing.length === 0) return [];
  return [
    {
      level: 'warn',
      seen: 'Statements and idle transactions have no time limit: the pooler does not pass on the limits that Postrider requests.',
      why: 'A process that hangs in a transaction keeps locks that other processes need.',
      fix: `In psql: ${missing.map((limit) => `ALTER ROLE "${role}" SET ${limit};`).join(' ')}`,
    },
  ];
}
