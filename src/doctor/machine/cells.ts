/** The other databases of the installation: whether each answers, is the expected cell, and has workers. */
import { identityOf } from '../../cells/identity.ts';
import { changedSince } from '../../cells/store.ts';
import { type Cell, MAIN_CELL } from '../../database/database.ts';
import { schemaVersions } from '../../database/migrate.ts';
import { type Sql, sql } from '../../database/sql.ts';
import { liveHolders } from '../../operations/secret-keys/store.ts';
import { workerStatus } from '../../outbox/status.ts';
import { doctorCheck } from '../doctor-check.ts';
import { type DoctorContext, databaseOf } from '../doctor-context.ts';
import { counted, type Observation } from '../finding.ts';
import { type DatabaseFacts, judgeDatabase, readSettings } from './database.ts';

interface ExaminedCell {
  readonly settings: DatabaseFacts;
  readonly schema: { readonly version: number; readonly known: number };
  /** The database identifies itself as this cell of this installation. */
  readonly isOurs: boolean;
  /** Its clock relative to the first database's. */
  readonly aheadMs: number;
  readonly workers: number;
  readonly connections: Connections;
}

interface Connections {
  /** Identifies the server: cells on one server share its connection limit. */
  readonly server: string;
  readonly allowed: number;
  /** Connections that all present processes may open to this cell. */
  readonly wanted: number;
}

interface CellsFacts {
  /** Connections of the first database; null without other cells. */
  readonly main: Connections | null;
  readonly cells: readonly { readonly name: string; readonly facts: ExaminedCell | string }[];
  /** Cells that organizations refer to, but POSTRIDER_CELLS omits. */
  readonly orphans: ReadonlyMap<string, number>;
}

/** Connections per process and database. */
const POOL = 10;
/**
 * An additional connection to the first database, for processes that serve all cells: directory lookups must
 * work while the pool is exhausted.
 */
const ASKING = 1;
const MOST_AHEAD_MS = 2_000;

const selectServer = sql<{ now_ms: number; server: string; allowed: number }>(
  'doctor.cell_server',
  `SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now_ms,
          (SELECT system_identifier FROM pg_control_system()) || ' ' || current_setting('port') AS server,
          current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS allowed`,
  { home: 'either' },
);

export const cellsCheck = doctorCheck({
  name: 'cells',
  isQuick: true,
  needsDatabase: true,
  matters: 'Organizations whose database is unavailable are not served.',
  gather: gatherCells,
  judge: judgeCells,
});

async function gatherCells(context: DoctorContext): Promise<CellsFacts> {
  const db = databaseOf(context);
  const orphans = new Map<string, number>();
  for (const { cell } of await changedSince(db, 0))
    if (!db.cells.some(({ name }) => name === cell)) orphans.set(cell, (orphans.get(cell) ?? 0) + 1);
  const others = db.cells.filter(({ name }) => name !== MAIN_CELL);
  const main = db.cells[0]?.db ?? db;
  const cells = others.map(async (cell) => ({
    name: cell.name,
    facts: await factsOfCell(cell, main).catch((error: Error) => error.message || error.name),
  }));
  return {
    main: others.length === 0 ? null : await connectionsTo(main, MAIN_CELL, main),
    cells: await Promise.all(cells),
    orphans,
  };
}

async function factsOfCell({ name, db }: Cell, main: Sql): Promise<ExaminedCell> {
  const settings = await readSettings(db);
  const [schema, own, ours] = [await schemaVersions(db), await identityOf(db), await identityOf(main)];
  const before = await main.one(selectServer);
  const { now_ms } = await db.one(selectServer);
  const after = await main.one(selectServer);
  return {
    ...{ settings, schema },
    isOurs: own?.cell === name && own.installation_id === ours?.installation_id,
    // The clock is read between two readings of the first database, so it is compared with their mean.
    aheadMs: now_ms - (before.now_ms + after.now_ms) / 2,
    workers: schema.version === 0 ? 0 : (await workerStatus(db)).filter(({ alive }) => alive).length,
    connections: await connectionsTo(db, name, main),
  };
}

/**
 * Workers connect to their own cell and to the first; all other processes connect to every cell, and once
 * more to the first for the directory.
 */
async function connectionsTo(db: Sql, name: string, main: Sql): Promise<Connections> {
  const { server, allowed } = await db.one(selectServer);
  const holders = await liveHolders(main);
  const ofAll = holders.filter((one) => !one.name.startsWith('worker '));
  const own = holders.filter((one) => one.name.startsWith(`worker of ${name} `));
  const wanted =
    name === MAIN_CELL ? POOL * holders.length + ASKING * ofAll.length : POOL * (ofAll.length + own.length);
  return { server, allowed, wanted };
}

function judgeCells({ main, cells, orphans }: CellsFacts): Observation[] {
  const wrong = [
    ...[...orphans].map(judgeOrphans),
    ...cells.flatMap(judgeCell),
    ...judgeServers(main, cells),
  ];
  if (wrong.length > 0) return wrong;
  const seen =
    cells.length === 0
      ? 'All organizations are in one database.'
      : `${counted(cells.length, 'further database')} answer${cells.length === 1 ? 's' : ''}: ${cells.map(({ name }) => name).join(', ')}.`;
  return [{ level: 'ok', seen }];
}

function judgeOrphans([cell, organizations]: readonly [string, number]): Observation {
  return {
    level: 'bad',
    seen: `${counted(organizations, 'organization')} in the cell ${cell}, which POSTRIDER_CELLS does not name.`,
    why: 'Their requests are answered with 503, and their mail is not sent.',
    fix: `Name ${cell} in POSTRIDER_CELLS again, in the settings of every process on every host.`,
  };
}

function judgeCell({ name, facts }: CellsFacts['cells'][number]): Observation[] {
  if (typeof facts === 'string')
    return [
      {
        level: 'bad',
        seen: `The cell ${name} does not answer: ${facts}.`,
        fix: 'Start its PostgreSQL, or correct its address in POSTRIDER_CELLS.',
      },
    ];
  if (facts.schema.version < facts.schema.known || !facts.isOurs)
    return [
      {
        level: 'bad',
        seen: facts.isOurs
          ? `The cell ${name} is at schema ${facts.schema.version}, this code needs ${facts.schema.known}.`
          : `The cell ${name} is not marked as a database of this installation.`,
        fix: 'Run npx postrider migrate: the command sets up the cell, or reports the problem with its address.',
      },
    ];
  return [...judgeDatabase(facts.settings).filter(({ level }) => level !== 'ok'), ...judgeRunning(facts)].map(
    (one) => ({ ...one, seen: `The cell ${name}: ${one.seen}` }),
  );
}

function judgeRunning({ aheadMs, workers }: ExaminedCell): Observation[] {
  const found: Observation[] = [];
  if (workers === 0)
    found.push({
      level: 'bad',
      seen: 'no worker serves it.',
      why: 'Mail of its organizations is accepted and not sent.',
      fix: 'Start a worker: POSTRIDER_CELL=NAME npx postrider start worker (npx postrider start runs workers for every cell).',
    });
  if (Math.abs(aheadMs) > MOST_AHEAD_MS)
    found.push({
      level: 'warn',
      seen: `its clock is ${(Math.abs(aheadMs) / 1_000).toFixed(1)} seconds ${aheadMs > 0 ? 'ahead of' : 'behind'} that of the first database.`,
      why: 'Times of related records differ.',
      fix: 'Let both servers follow the same time servers.',
    });
  return found;
}

/** Cells on one server share its connection limit. */
function judgeServers(main: Connections | null, cells: CellsFacts['cells']): Observation[] {
  const servers = new Map<string, { readonly names: string[]; readonly allowed: number; wanted: number }>();
  const add = (name: string, { server, allowed, wanted }: Connections) => {
    const known = servers.get(server) ?? { names: [], allowed, wanted: 0 };
    known.names.push(name);
    known.wanted += wanted;
    servers.set(server, known);
  };
  if (main !== null) add(MAIN_CELL, main);
  for (const { name, facts } of cells) if (typeof facts !== 'string') add(name, facts.connections);
  return [...servers.values()]
    .filter(({ allowed, wanted }) => wanted > allowed)
    .map(({ names, allowed, wanted }) => ({
      level: 'warn' as const,
      seen: `The server of ${names.length === 1 ? 'the cell' : 'the cells'} ${names.join(', ')} allows ${allowed} connections, and the running processes may open ${wanted}.`,
      why: 'Connections above the limit are refused.',
      fix: `In its postgresql.conf: max_connections = ${wanted + POOL}, then restart it.`,
    }));
}
