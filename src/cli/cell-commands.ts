/** Lists the installation's databases and their state. */
import { cellFactsOf, changedSince } from '../cells/store.ts';
import { type Database, MAIN_CELL } from '../database/database.ts';
import { schemaVersions } from '../database/migrate.ts';
import { sizeText } from '../operations/backup/progress.ts';
import { listOrganizations } from '../organizations/store.ts';
import { queueStatus, workerStatus } from '../outbox/status.ts';
import { schemaOf } from '../runtime/cells-config.ts';
import type { Config } from '../runtime/config.ts';
import { databasePlaces } from '../runtime/database-url.ts';
import { type Command, type CommandAnswer, type CommandContext, EXIT_FAILED } from './command.ts';
import { awayLines, queryEachCell } from './each-cell.ts';
import { databaseUrl, withDatabase } from './installation.ts';
import { table } from './table.ts';

export const cellCommands: readonly Command[] = [
  {
    name: 'cell list',
    summary: 'List the cells: the organizations in each database, and whether the database answers',
    example: 'cell list',
    run: list,
  },
];

interface ListedCell {
  readonly cell: string;
  /** Without user and password. */
  readonly at: string;
  readonly organizations: number;
  readonly reachable: boolean;
  readonly reason: string | null;
  readonly server: string | null;
  readonly schema: number | null;
  readonly queue: number | null;
  readonly workers: number | null;
  readonly bytes: number | null;
}

async function list({ config }: CommandContext): Promise<CommandAnswer> {
  const urls = await urlsOf(config);
  const ask = async (db: Database) => {
    const placed = await organizationsByCell(db);
    const { answers, away } = await queryEachCell(db, askCell);
    const named = (cell: string) => ({ cell, at: placeOf(urls.get(cell) ?? ''), ...countIn(placed, cell) });
    const there = answers.map(({ cell, value }): ListedCell => ({ ...named(cell), ...value }));
    const gone = away.map(({ cell, reason }): ListedCell => ({ ...named(cell), ...UNASKED, reason }));
    const orphans = [...placed].filter(([cell]) => !urls.has(cell));
    return { cells: [...there, ...gone], orphans, away };
  };
  const { cells, orphans, away } = await withDatabase(config, ask, { evenUnnamed: true });
  const isWell = away.length === 0 && orphans.length === 0;
  return {
    json: cells,
    lines: [...table(HEADER, cells.map(cellRow)), ...awayLines(away), ...orphans.map(orphanLine)],
    exitCode: isWell ? 0 : EXIT_FAILED,
  };
}

const UNASKED = {
  ...{ reachable: false, server: null, schema: null, queue: null, workers: null, bytes: null },
} as const;

async function askCell(db: Database) {
  const [facts, { version }, queue, workers] = await Promise.all([
    cellFactsOf(db),
    schemaVersions(db),
    queueStatus(db),
    workerStatus(db),
  ]);
  return {
    ...{ reachable: true, reason: null, ...facts, schema: version },
    queue: queue.waiting + queue.due + queue.claimed,
    workers: workers.filter(({ alive }) => alive).length,
  };
}

async function organizationsByCell(db: Database): Promise<ReadonlyMap<string, number>> {
  const cells = new Map((await changedSince(db, 0)).map((one) => [one.organization_id, one.cell]));
  const counts = new Map<string, number>();
  for (const { id } of await listOrganizations(db)) {
    const cell = cells.get(id) ?? MAIN_CELL;
    counts.set(cell, (counts.get(cell) ?? 0) + 1);
  }
  return counts;
}

function countIn(placed: ReadonlyMap<string, number>, cell: string) {
  return { organizations: placed.get(cell) ?? 0 };
}

async function urlsOf(config: Config): Promise<ReadonlyMap<string, string>> {
  const others = config.cells.map(({ name, url }) => [name, url] as const);
  return new Map([[MAIN_CELL, await databaseUrl(config)], ...others]);
}

/** `db-2.example.org:5432/postrider, schema three`. */
function placeOf(url: string): string {
  const hosts = databasePlaces(url).map(({ name }) => name);
  const [first] = databasePlaces(url);
  const database = first === undefined ? '' : new URL(first.url).pathname;
  const schema = schemaOf(url);
  return `${hosts.join(',')}${database}${schema === null ? '' : `, schema ${schema}`}`;
}

const HEADER = ['CELL', 'AT', 'POSTGRESQL', 'SCHEMA', 'ORGANIZATIONS', 'QUEUE', 'WORKERS', 'SIZE'];

function cellRow({ cell, at, server, schema, organizations, queue, workers, bytes }: ListedCell): string[] {
  const shown = (number: number | null) => (number === null ? '' : String(number));
  return [
    ...[cell, at, server ?? '', shown(schema), String(organizations), shown(queue), shown(workers)],
    bytes === null ? '' : sizeText(bytes),
  ];
}

function orphanLine([cell, organizations]: readonly [string, number]): string {
  const whose = organizations === 1 ? '1 organization is' : `${organizations} organizations are`;
  return `${whose} in the cell ${cell}, which POSTRIDER_CELLS does not name: requests of theirs are answered with 503. Name it again, here and for every process.`;
}
