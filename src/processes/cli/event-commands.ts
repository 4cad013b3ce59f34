import { once } from 'node:events';
import { readEvents } from '../../emails/lists/events-to.ts';
import { EVENT_TYPES, type EventType } from '../../events/append.ts';
import { serverReply } from '../../events/read.ts';
import { type StreamRow, streamView } from '../../events/stream.ts';
import { EventTail } from '../../events/tail.ts';
import type { Database } from '../../kit/database/database.ts';
import { MINUTE_MS } from '../../kit/runtime/durations.ts';
import { createLog } from '../../kit/runtime/log.ts';
import { listOrganizations } from '../../organizations/store.ts';
import {
  CliError,
  type Command,
  type CommandAnswer,
  EXIT_USAGE,
  type Options,
  parseCount,
  type World,
} from './command.ts';
import { withDatabase } from './installation.ts';

const LAST = 20;
const MAX_LAST = 1_000;

export const eventCommands: readonly Command[] = [
  {
    name: 'events',
    positionals: [],
    required: {},
    optional: { org: 'ID', type: 'TYPE', recipient: 'ADDRESS', last: 'N' },
    flags: ['follow'],
    summary: 'Show recent events; with --follow, keep showing new ones',
    run: (world, _, options) => events(world, options),
  },
];

interface Asked {
  readonly type: EventType | null;
  readonly recipient: string | null;
  readonly last: number;
  readonly follow: boolean;
}

async function events(world: World, options: Options): Promise<CommandAnswer | null> {
  const asked = parse(options);
  return withDatabase(world.config, async (db) => {
    const organizationId = await organizationOf(db, options.org);
    const own = db.of(organizationId);
    if (asked.follow) return follow(world, own, organizationId, asked);
    const rows = await latest(own, organizationId, asked);
    return {
      json: rows.map(streamView),
      lines: rows.length > 0 ? rows.map(line) : ['Nothing happened yet.'],
    };
  });
}

function parse({ type, recipient, last, follow: flag }: Options): Asked {
  if (type !== undefined && !EVENT_TYPES.includes(type as EventType)) {
    throw new CliError(`There is no type ${type}. There are: ${EVENT_TYPES.join(', ')}.`, EXIT_USAGE);
  }
  return {
    type: (type as EventType | undefined) ?? null,
    recipient: recipient ?? null,
    last: last === undefined ? LAST : parseCount('--last', last, MAX_LAST),
    follow: flag !== undefined,
  };
}

/** Where there is only one, nobody has to name it. */
async function organizationOf(db: Database, asked: string | undefined): Promise<string> {
  const all = await listOrganizations(db);
  if (asked === undefined && all.length === 1) return all[0]?.id ?? '';
  if (asked === undefined) {
    throw new CliError(
      'Name an organization with --org ID. `npx postrider org list` lists them.',
      EXIT_USAGE,
    );
  }
  if (!all.some(({ id }) => id === asked)) {
    throw new CliError(`There is no organization ${asked}. See: npx postrider org list`);
  }
  return asked;
}

/** The oldest of them first, as everything that follows is. */
async function latest(
  db: Database,
  organizationId: string,
  { type, recipient, last }: Asked,
): Promise<StreamRow[]> {
  const filter = { type, recipient, limit: last, beforeId: null, fromMs: null, toMs: null };
  return last === 0 ? [] : (await readEvents(db, organizationId, filter)).toReversed();
}

/** Joins before it looks back, so that nothing falls in between; what both find is shown once. */
async function follow(world: World, db: Database, organizationId: string, asked: Asked): Promise<null> {
  const { enough, say, json, clock } = world;
  const show = (rows: readonly StreamRow[]) => {
    for (const row of rows) say(json ? JSON.stringify(streamView(row)) : line(row));
  };
  const tail = new EventTail({ db, log: createLog('cli', 'silent'), nowMs: () => clock.nowMs() });
  const shown = new Set<string>();
  let waiting: StreamRow[] | null = [];
  const leave = await tail.follow(organizationId, (rows) => {
    const wanted = rows.filter((row) => wants(asked, row) && !shown.has(row.id));
    if (waiting === null) show(wanted);
    else waiting.push(...wanted);
  });
  const before = await latest(db, organizationId, asked);
  for (const { id } of before) shown.add(id);
  show([...before, ...waiting.filter(({ id }) => !shown.has(id))]);
  waiting = null;
  const alive = setInterval(() => {}, MINUTE_MS); // looking for events alone keeps no process alive
  if (!enough.aborted) await once(enough, 'abort');
  clearInterval(alive);
  leave();
  return null;
}

function wants({ type, recipient }: Asked, row: StreamRow): boolean {
  return (
    (type === null || row.type === type) &&
    (recipient === null || row.recipient.toLowerCase() === recipient.toLowerCase())
  );
}

function line(row: StreamRow): string {
  const said = serverReply(row);
  const parts = [
    row.created_at.toISOString().slice(0, 19).replace('T', ' '),
    row.type.padEnd(10),
    row.recipient,
    row.email_id,
    ...(row.mx_host === null ? [] : [row.mx_host]),
    ...(row.reason === null ? [] : [row.reason]),
    ...(said === '' ? [] : [`"${said}"`]),
  ];
  // A server's words must not move a terminal's cursor.
  return parts.join('  ').replace(/\p{Cc}/gu, ' ');
}
