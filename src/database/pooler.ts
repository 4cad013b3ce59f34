/**
 * Detects a pooler (PgBouncer and the like) between this process and PostgreSQL with test queries.
 *
 * In transaction mode every transaction may run in another session. No session state lasts, no LISTEN and no lock, and prepared
 * statements only if the pooler supports them. A pooler does not report its mode. But it invents the process id that it reports
 * to clients; in transaction mode it lends a session to the next client while the first is still connected; and if it supports
 * prepared statements, the first client can use its own in another session.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { isForgottenStatement, SchemaError } from './errors.ts';

export interface Pooling {
  readonly mode: 'none' | 'session' | 'transaction';
  readonly keepsStatements: boolean;
}

const OLDEST_VERSION = 140_000;
/** The session in question is the next to be lent, unless other clients are faster. */
const MAX_OTHERS = 4;
/** A pool with one session does not answer while another client has it. */
const TIMEOUT_MS = 2_000;

interface Session {
  readonly pid: number;
  readonly version: number;
}

const ASK = `SELECT pg_backend_pid() AS pid, current_setting('server_version_num')::int AS version`;

/** `connect`: opens another client to the same address. Throws if PostgreSQL is too old. */
export async function findPooling(
  client: pg.ClientBase,
  connect: () => Promise<pg.Client>,
): Promise<Pooling> {
  const { pid, version } = await sessionOf(client);
  refuseOld(version);
  if (announcedPid(client) === pid) return { mode: 'none', keepsStatements: true };
  const others: pg.Client[] = [];
  try {
    return await detectPooling(client, async () => {
      const other = await connect();
      others.push(other);
      return other;
    });
  } catch (error) {
    if (isForgottenStatement(error)) return { mode: 'transaction', keepsStatements: false };
    throw error;
  } finally {
    for (const other of others) other.end().catch(() => {});
  }
}

async function detectPooling(client: pg.ClientBase, connect: () => Promise<pg.Client>): Promise<Pooling> {
  const { pid } = await namedProbe(client);
  for (let i = 0; i < MAX_OTHERS; i += 1) {
    const other = await connect();
    await other.query('BEGIN');
    if ((await sessionOf(other)).pid === pid)
      return { mode: 'transaction', keepsStatements: await isKept(client) };
  }
  const isSame = (await namedProbe(client)).pid === pid;
  return { mode: isSame ? 'session' : 'transaction', keepsStatements: true };
}

/** The statement was prepared in a session that another client has now. */
async function isKept(client: pg.ClientBase): Promise<boolean> {
  const timeout = new AbortController();
  const late = sleep(TIMEOUT_MS, false, { signal: timeout.signal }).catch(() => false);
  try {
    return await Promise.race([namedProbe(client).then(() => true), late]);
  } finally {
    timeout.abort();
  }
}

async function sessionOf(client: pg.ClientBase): Promise<Session> {
  return (await client.query<Session>(ASK)).rows[0] as Session;
}

async function namedProbe(client: pg.ClientBase): Promise<Session> {
  return (await client.query<Session>({ name: 'postrider_probe', text: ASK })).rows[0] as Session;
}

/** A field that the driver's types omit. */
function announcedPid(client: pg.ClientBase): number | null {
  return (client as unknown as { readonly processID: number | null }).processID;
}

function refuseOld(version: number): void {
  if (version >= OLDEST_VERSION) return;
  const number = version < 100_000 ? String(version) : `${Math.floor(version / 10_000)}.${version % 10_000}`;
  throw new SchemaError(
    `This is PostgreSQL ${number}; Postrider needs ${OLDEST_VERSION / 10_000} or newer. Upgrade it, or let DATABASE_URL name another.`,
  );
}
