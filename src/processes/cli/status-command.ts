import { type HoldInForce, holdName } from '../../holds/hold.ts';
import { holdsInForce } from '../../holds/store.ts';
import { countKept } from '../../inbound/kept-mail.ts';
import type { Database } from '../../kit/database/database.ts';
import { type SchemaVersions, schemaVersions } from '../../kit/database/migrate.ts';
import type { Config } from '../../kit/runtime/config.ts';
import {
  type DiskSpace,
  type DiskState,
  judgeDisk,
  readDiskSpace,
  tightest,
} from '../../kit/runtime/disk-space.ts';
import { liveHolders } from '../../maintenance/secret-keys/store.ts';
import { listOrganizations } from '../../organizations/store.ts';
import { type QueueStatus, queueStatus, type WorkerStatus, workerStatus } from '../../outbox/status.ts';
import { dataFolders } from '../data-folders.ts';
import { localUrl } from '../supervisor/http-address.ts';
import { CliError, type Command, type CommandAnswer, EXIT_FAILED, type World } from './command.ts';
import { explainError, NOT_RUNNING, openDatabase } from './installation.ts';
import { duration } from './table.ts';

export const statusCommand: Command = {
  name: 'status',
  positionals: [],
  required: {},
  optional: {},
  summary: 'Show how this installation is doing; exits with 0 when all is well',
  run: ({ config }: World) => status(config),
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

interface DatabaseStatus {
  readonly schema: SchemaVersions;
  readonly organizations: number;
  readonly queue: QueueStatus;
  readonly workers: readonly WorkerStatus[];
  /** Messages to postmaster@ and the like. */
  readonly kept: number;
  /** How many there are of each role that others connect to over SMTP. */
  readonly receivers: Receivers;
  readonly holds: readonly HoldInForce[];
}

interface Receivers {
  readonly inbound: number;
  readonly submission: number;
}

async function status(config: Config): Promise<CommandAnswer> {
  const [api, database, disk] = await Promise.all([askApi(config), askDatabase(config), askDisk(config)]);
  if (database instanceof Error && (!api.reachable || !(database instanceof CliError))) throw database;
  const healthy =
    api.ready &&
    disk?.state !== 'full' &&
    !(database instanceof Error) &&
    isUsable(database.schema) &&
    database.workers.some((worker) => worker.alive);
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
  let db: Database | undefined;
  try {
    db = await openDatabase(config);
    const schema = await schemaVersions(db);
    const [organizations, queue, workers, kept, receivers, holds] = await Promise.all([
      listOrganizations(db),
      queueStatus(db),
      workerStatus(db),
      countKept(db),
      countReceivers(db),
      holdsInForce(db),
    ]);
    return { schema, organizations: organizations.length, queue, workers, kept, receivers, holds };
  } catch (error) {
    return error instanceof CliError ? error : explainError(error, config);
  } finally {
    await db?.close();
  }
}

/** Every process says who it is when it says which secret keys it has. */
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
  const { schema, organizations, queue, workers, kept, receivers, holds } = database;
  return {
    ...common,
    database: { kind, reachable: true },
    schema: { version: schema.version, known: schema.known, current: schema.version === schema.known },
    organizations,
    inbound: { running: receivers.inbound, kept },
    submission: { running: receivers.submission },
    queue: {
      waiting: queue.waiting,
      due: queue.due,
      claimed: queue.claimed,
      oldest_due_seconds: queue.oldestDueSeconds,
    },
    holds: holds.map(({ id, scope, value, organizationId }) => ({
      ...{ id, scope, value, organization_id: organizationId },
    })),
    workers: workers.map(({ epoch, host, pid, startedAt, heartbeatAgeSeconds, alive }) => ({
      epoch,
      host,
      pid,
      started_at: startedAt,
      heartbeat_age_seconds: heartbeatAgeSeconds,
      alive,
    })),
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
    const words = database.message === NOT_RUNNING ? 'does not answer' : database.message;
    return [...lines, line('Database', words)];
  }
  const { schema, organizations, queue, workers, kept, receivers, holds } = database;
  const alive = workers.filter((worker) => worker.alive).length;
  return [
    ...lines,
    line('Database', databaseKind(config)),
    line('Schema', schemaWords(schema)),
    line('Organizations', String(organizations)),
    line('Queue', queueWords(queue)),
    ...(holds.length === 0
      ? []
      : [
          line(
            'Held',
            `${holds.map((one) => holdName(one, one.organizationId)).join(', ')}: \`npx postrider hold list\``,
          ),
        ]),
    ...(kept === 0 ? [] : [line('Kept mail', `${kept} to read: \`npx postrider inbound\``)]),
    line('Workers', alive === 0 ? 'none running: mail waits' : `${alive} running`),
    ...workers.map((worker) => line('', workerWords(worker))),
    line('Inbound', runningWords(receivers.inbound, 'bounces and complaints do not arrive')),
    ...(config.submission.isOn
      ? [line('Submission', runningWords(receivers.submission, 'no mail is taken over SMTP'))]
      : []),
  ];
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

/** Processes of two versions may share it while an upgrade is under way. */
function isUsable({ version, needs, known }: SchemaVersions): boolean {
  return version >= known && needs <= known;
}

function schemaWords(schema: SchemaVersions): string {
  const { version, known } = schema;
  if (version === known) return `${version}, current`;
  if (isUsable(schema))
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
