import type { Database } from '../database/database.ts';
import { type SchemaVersions, schemaVersions } from '../database/migrate.ts';
import { countKept } from '../inbound/kept-mail.ts';
import { type HoldInForce, holdName } from '../interventions/holds/hold.ts';
import { holdsInForce } from '../interventions/holds/store.ts';
import { liveHolders } from '../operations/secret-keys/store.ts';
import { listOrganizations } from '../organizations/store.ts';
import { type QueueStatus, queueStatus, type WorkerStatus, workerStatus } from '../outbox/status.ts';
import type { OpenCells } from '../processes/cells.ts';
import { dataFolders } from '../processes/data-folders.ts';
import type { Config } from '../runtime/config.ts';
import { type DiskSpace, type DiskState, judgeDisk, readDiskSpace, tightest } from '../runtime/disk-space.ts';
import { localUrl } from '../supervisor/http-address.ts';
import { CliError, type Command, type CommandAnswer, type CommandContext, EXIT_FAILED } from './command.ts';
import { awayLines, type CellAway, queryEachCell, sum } from './each-cell.ts';
import { explainError, NotRunningError, openDatabase } from './installation.ts';
import { duration } from './table.ts';

export const statusCommand: Command = {
  name: 'status',
  summary: 'Show the state of this installation; exits with 0 if there is no problem',
  example: 'status',
  run: ({ config }: CommandContext) => status(config),
};

const API_TIMEOUT_MS = 3_000;

interface ApiStatus {
  readonly url: string;
  readonly reachable: boolean;
  readonly ready: boolean;
}

interface DiskStatus extends DiskSpace {
  readonly state: DiskState;
}

interface DatabaseStatus extends CellsStatus {
  readonly organizations: number;
  /** The number of processes of each SMTP role. */
  readonly receivers: Receivers;
}

interface Receivers {
  readonly inbound: number;
  readonly submission: number;
}

async function status(config: Config): Promise<CommandAnswer> {
  const [api, database, disk] = await Promise.all([askApi(config), askDatabase(config), askDisk(config)]);
  if (database instanceof Error && (!api.reachable || !(database instanceof CliError))) throw database;
  const healthy = api.ready && disk?.state !== 'full' && !(database instanceof Error) && areWell(database);
  return {
    json: asJson(config, api, database, disk),
    lines: asLines(config, api, database, disk),
    exitCode: healthy ? 0 : EXIT_FAILED,
  };
}

async function askApi(config: Config): Promise<ApiStatus> {
  const url = localUrl(config.host, config.port);
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(API_TIMEOUT_MS) });
    await response.arrayBuffer();
    return { url, reachable: true, ready: response.status === 200 };
  } catch {
    return { url, reachable: false, ready: false };
  }
}

async function askDisk(config: Config): Promise<DiskStatus | null> {
  const folders = await dataFolders(config);
  const space = tightest(await Promise.all(folders.map((folder) => readDiskSpace(folder))));
  return space && { ...space, state: judgeDisk(space) };
}

async function askDatabase(config: Config): Promise<DatabaseStatus | Error> {
  let opened: OpenCells | undefined;
  try {
    opened = await openDatabase(config);
    const { db } = opened;
    const status = await statusOfCells(db);
    const [organizations, receivers] = await Promise.all([listOrganizations(db), countReceivers(db)]);
    return { ...status, organizations: organizations.length, receivers };
  } catch (error) {
    return error instanceof CliError ? error : explainError(error, config);
  } finally {
    await opened?.close();
  }
}

/** Processes identify themselves when they report their secret keys. */
async function countReceivers(db: Database): Promise<Receivers> {
  const holders = await liveHolders(db);
  const running = (role: string) => holders.filter(({ name }) => name.startsWith(`${role} on `)).length;
  return { inbound: running('inbound'), submission: running('submission') };
}

function asJson(
  config: Config,
  api: ApiStatus,
  database: DatabaseStatus | Error,
  disk: DiskStatus | null,
): unknown {
  const common = { mode: config.mode, api, disk: disk && diskJson(disk) };
  const kind = databaseKind(config);
  if (database instanceof Error) return { ...common, database: { kind, reachable: false } };
  const { cells, away, organizations, receivers } = database;
  const [{ schema }] = cells as [CellStatus];
  const hasSeveral = cells.length + away.length > 1;
  return {
    ...common,
    database: { kind, reachable: true },
    schema: schemaJson(schema),
    organizations,
    inbound: { running: receivers.inbound, kept: sum(cells.map((one) => one.kept)) },
    submission: { running: receivers.submission },
    queue: queueJson(queueOfAll(cells)),
    holds: holdsOfAll(cells).map(({ id, scope, value, organizationId }) => ({
      ...{ id, scope, value, organization_id: organizationId },
    })),
    workers: cells.flatMap(({ cell, workers }) => workers.map((one) => workerJson(one, hasSeveral && cell))),
    ...(hasSeveral && { cells: [...cells.map(cellJson), ...away.map(awayJson)] }),
  };
}

function cellJson({ cell, schema, queue }: CellStatus) {
  return { cell, reachable: true, schema: schemaJson(schema), queue: queueJson(queue) };
}

function awayJson({ cell, reason }: CellsStatus['away'][number]) {
  return { cell, reachable: false, reason };
}

function schemaJson({ version, known }: SchemaVersions) {
  return { version, known, current: version === known };
}

function queueJson({ waiting, due, claimed, oldestDueSeconds }: QueueStatus) {
  return { waiting, due, claimed, oldest_due_seconds: oldestDueSeconds };
}

function workerJson(worker: WorkerStatus, cell: string | false) {
  const { epoch, host, pid, startedAt, heartbeatAgeSeconds, alive } = worker;
  return {
    ...(cell !== false && { cell }),
    ...{ epoch, host, pid, started_at: startedAt },
    heartbeat_age_seconds: heartbeatAgeSeconds,
    alive,
  };
}

function asLines(
  config: Config,
  api: ApiStatus,
  database: DatabaseStatus | Error,
  disk: DiskStatus | null,
): string[] {
  const lines = [
    line('Mode', config.mode),
    line('API', apiWords(api)),
    ...(disk ? [line('Disk', diskWords(disk))] : []),
  ];
  if (database instanceof Error) {
    const words = database instanceof NotRunningError ? 'does not answer' : database.message;
    return [...lines, line('Database', words)];
  }
  const { cells, away, organizations, receivers } = database;
  const [{ schema }] = cells as [CellStatus];
  const holds = holdsOfAll(cells);
  const kept = sum(cells.map((one) => one.kept));
  return [
    ...lines,
    line('Database', databaseKind(config)),
    line('Schema', schemaWords(schema)),
    line('Organizations', String(organizations)),
    line('Queue', queueWords(queueOfAll(cells))),
    ...(holds.length === 0
      ? []
      : [
          line(
            'Held',
            `${holds.map((one) => holdName(one, one.organizationId)).join(', ')}: \`npx postrider hold list\``,
          ),
        ]),
    ...(kept === 0 ? [] : [line('Kept mail', `${kept} to read: \`npx postrider inbound\``)]),
    ...workerLines(database),
    ...(cells.length + away.length > 1 ? cells.map((one) => line('Cell', cellWords(one))) : []),
    ...awayLines(away),
    line('Inbound', runningWords(receivers.inbound, 'bounces and complaints do not arrive')),
    ...(config.submission.isOn
      ? [line('Submission', runningWords(receivers.submission, 'no mail is taken over SMTP'))]
      : []),
  ];
}

function workerLines({ cells, away }: CellsStatus): string[] {
  const alive = cells.flatMap(({ workers }) => workers).filter((worker) => worker.alive).length;
  const hasSeveral = cells.length + away.length > 1;
  return [
    line('Workers', alive === 0 ? 'none running: mail waits' : `${alive} running`),
    ...cells.flatMap(({ cell, workers }) =>
      workers.map((one) => line('', `${workerWords(one)}${hasSeveral ? `, of ${cell}` : ''}`)),
    ),
  ];
}

function cellWords({ cell, schema, queue, workers }: CellStatus): string {
  const isIdle = !workers.some((worker) => worker.alive);
  const others = isSchemaUsable(schema) ? [] : [`schema ${schemaWords(schema)}`];
  if (isIdle) others.push('no worker running: its mail waits');
  return [`${cell}: ${queueWords(queue)}`, ...others].join('; ');
}

function runningWords(count: number, otherwise: string): string {
  return count === 0 ? `none running: ${otherwise}` : `${count} running`;
}

function line(label: string, value: string): string {
  return `${label.padEnd(15)}${value}`;
}

function apiWords({ url, reachable, ready }: ApiStatus): string {
  if (!reachable) return `not reachable at ${url}`;
  return ready ? `ready at ${url}` : `answers at ${url}, but is not ready`;
}

export function diskWords({ folder, freeBytes, totalBytes, state }: DiskStatus): string {
  const gigabytes = (bytes: number) => (bytes / 1e9).toFixed(1);
  const part = Math.floor((100 * freeBytes) / totalBytes);
  const left = `${gigabytes(freeBytes)} of ${gigabytes(totalBytes)} GB free (${part}%) under ${folder}`;
  if (state === 'full') return `${left}: nearly full, new mail is refused`;
  return state === 'low' ? `${left}: low` : left;
}

function diskJson({ folder, freeBytes, totalBytes, state }: DiskStatus) {
  return { state, folder, free_bytes: freeBytes, total_bytes: totalBytes };
}

function databaseKind(config: Config): string {
  return config.databaseUrl === undefined ? 'embedded' : 'DATABASE_URL';
}

function schemaWords(schema: SchemaVersions): string {
  const { version, known } = schema;
  if (version === known) return `${version}, current`;
  if (isSchemaUsable(schema))
    return `${version}, newer than this code knows (${known}), which can use it: finish the upgrade`;
  return version < known
    ? `${version}, this code needs ${known}: run \`npx postrider migrate\``
    : `${version}, newer than this code knows (${known}): update Postrider`;
}

function queueWords({ waiting, due, claimed, oldestDueSeconds }: QueueStatus): string {
  const oldest = oldestDueSeconds === null ? '' : `, oldest due for ${duration(oldestDueSeconds)}`;
  return `${waiting} waiting, ${due} due, ${claimed} claimed${oldest}`;
}

function workerWords({ epoch, host, pid, heartbeatAgeSeconds, alive }: WorkerStatus): string {
  const state = alive ? '' : ', taken for dead';
  return `worker ${epoch} on ${host}, pid ${pid}, heartbeat ${duration(heartbeatAgeSeconds)} ago${state}`;
}

interface CellStatus {
  readonly cell: string;
  readonly schema: SchemaVersions;
  readonly queue: QueueStatus;
  readonly workers: readonly WorkerStatus[];
  /** Messages to postmaster@ and the like. */
  readonly kept: number;
  readonly holds: readonly HoldInForce[];
}

interface CellsStatus {
  /** Always includes the first cell. */
  readonly cells: readonly CellStatus[];
  readonly away: readonly CellAway[];
}

/** The state of each cell, and of all together. */
async function statusOfCells(db: Database): Promise<CellsStatus> {
  const { answers, away } = await queryEachCell(db, statusOfCell);
  return { cells: answers.map(({ value }) => value), away };
}

async function statusOfCell(db: Database, cell: string): Promise<CellStatus> {
  const schema = await schemaVersions(db);
  const [queue, workers, kept, holds] = await Promise.all([
    queueStatus(db),
    workerStatus(db),
    countKept(db),
    holdsInForce(db),
  ]);
  return { cell, schema, queue, workers, kept, holds };
}

function queueOfAll(cells: readonly CellStatus[]): QueueStatus {
  const of = (name: 'waiting' | 'due' | 'claimed') => sum(cells.map(({ queue }) => queue[name]));
  const ages = cells.map(({ queue }) => queue.oldestDueSeconds).filter((age) => age !== null);
  return {
    ...{ waiting: of('waiting'), due: of('due'), claimed: of('claimed') },
    oldestDueSeconds: ages.length === 0 ? null : Math.max(...ages),
  };
}

/** Lists a hold once that is in force in several cells. */
function holdsOfAll(cells: readonly CellStatus[]): readonly HoldInForce[] {
  const byName = new Map(
    cells.flatMap(({ holds }) => holds.map((one) => [holdName(one, one.organizationId), one] as const)),
  );
  return [...byName.values()];
}

/** During an upgrade, processes of two versions may share the schema. */
function isSchemaUsable({ version, needs, known }: SchemaVersions): boolean {
  return version >= known && needs <= known;
}

/** Every cell must answer and have workers. */
function areWell({ cells, away }: CellsStatus): boolean {
  const isWell = ({ schema, workers }: CellStatus) =>
    isSchemaUsable(schema) && workers.some((worker) => worker.alive);
  return away.length === 0 && cells.every(isWell);
}
