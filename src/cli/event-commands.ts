import { once } from 'node:events';
import type { Database } from '../database/database.ts';
import { readEvents } from '../emails/lists/events-to.ts';
import { sentWithAmong } from '../emails/lists/store-list.ts';
import { EVENT_TYPES, type EventType } from '../events/append.ts';
import { serverReply } from '../events/read.ts';
import { type StreamRow, streamView } from '../events/stream.ts';
import { EventTail } from '../events/tail.ts';
import { listOrganizations } from '../organizations/store.ts';
import { MINUTE_MS } from '../runtime/durations.ts';
import { createLog } from '../runtime/log.ts';
import {
  CliError,
  type Command,
  type CommandAnswer,
  type CommandContext,
  EXIT_USAGE,
  type Options,
  parseCount,
} from './command.ts';
import { withDatabase } from './installation.ts';
import { organizationOfKey } from './organization-lookup.ts';

const LAST = 20;
const MAX_LAST = 1_000;

export const eventCommands: readonly Command[] = [
  {
    name: 'events',
    optional: { org: 'ID', type: 'TYPE', recipient: 'ADDRESS', key: 'ID', last: 'N' },
    flags: ['follow'],
    summary:
      'Show recent events, for example of mail that was sent with one API key (--key); with --follow, also show new events as they happen',
    explains: {
      '--org': 'the organization, by its id; optional if there is only one',
      '--type': 'only events of this type',
      '--recipient': 'only events of mail to this address',
      '--key': 'only events of mail that was sent with this API key, by its id',
      '--last': 'the number of events to show; the default is 20',
      '--follow': 'keep showing new events until Ctrl+C',
    },
    choices: { '--type': EVENT_TYPES },
    example: 'events --type bounced --last 50',
    run: (context, _, options) => events(context, options),
  },
];

interface Asked {
  readonly type: EventType | null;
  readonly recipient: string | null;
  readonly key: string | null;
  readonly last: number;
  readonly follow: boolean;
}

async function events(context: CommandContext, options: Options): Promise<CommandAnswer | null> {
  const asked = parse(options);
  return withDatabase(context.config, async (db) => {
    const organizationId = await organizationMeant(db, options);
    const own = db.of(organizationId);
    if (asked.follow) return follow(context, own, organizationId, asked);
    const rows = await latest(own, organizationId, asked);
    return {
      json: rows.map(streamView),
      lines: rows.length > 0 ? rows.map(line) : ['No event yet.'],
    };
  });
}

function parse({ type, recipient, key, last, follow: flag }: Options): Asked {
  if (type !== undefined && !EVENT_TYPES.includes(type as EventType)) {
    throw new CliError(`There is no type ${type}. There are: ${EVENT_TYPES.join(', ')}.`, EXIT_USAGE);
  }
  return {
    type: (type as EventType | undefined) ?? null,
    recipient: recipient ?? null,
    key: key ?? null,
    last: last === undefined ? LAST : parseCount('--last', last, MAX_LAST),
    follow: flag !== undefined,
  };
}

/** A key determines its organization. */
async function organizationMeant(db: Database, { org, key }: Options): Promise<string> {
  if (key === undefined) return organizationOf(db, org);
  const organizationId = await organizationOfKey(db, key);
  if (org !== undefined && org !== organizationId)
    throw new CliError(`The key ${key} is not one of ${org}. See: npx postrider key list`);
  return organizationId;
}

/** With a single organization, naming it is optional. */
export async function organizationOf(db: Database, asked: string | undefined): Promise<string> {
  const all = await listOrganizations(db);
  if (asked === undefined && all.length === 1) return all[0]?.id ?? '';
  if (asked === undefined) {
    throw new CliError(
      'Name an organization with --org ID. `npx postrider org list` lists the organizations.',
      EXIT_USAGE,
    );
  }
  if (!all.some(({ id }) => id === asked)) {
    throw new CliError(`There is no organization ${asked}. See: npx postrider org list`);
  }
  return asked;
}

/** Oldest first, like the events that follow. */
async function latest(
  db: Database,
  organizationId: string,
  { type, recipient, key, last }: Asked,
): Promise<StreamRow[]> {
  const of = { recipient, sentWith: key };
  const filter = { type, ...of, limit: last, beforeId: null, fromMs: null, toMs: null };
  return last === 0 ? [] : (await readEvents(db, organizationId, filter)).toReversed();
}

/** Subscribes before it reads past events, so that none is missed; duplicates are shown once. */
async function follow(
  context: CommandContext,
  db: Database,
  organizationId: string,
  asked: Asked,
): Promise<null> {
  const { enough, say, json, clock } = context;
  const show = (rows: readonly StreamRow[]) => {
    for (const row of rows) say(json ? JSON.stringify(streamView(row)) : line(row));
  };
  const tail = new EventTail({ db, log: createLog('cli', 'silent'), nowMs: () => clock.nowMs() });
  const shown = new Set<string>();
  let waiting: StreamRow[] | null = [];
  const print = (rows: readonly StreamRow[]) => {
    const fresh = rows.filter((row) => !shown.has(row.id));
    if (waiting === null) show(fresh);
    else waiting.push(...fresh);
  };
  const failed = new AbortController();
  let printed = Promise.resolve();
  const leave = await tail.follow(organizationId, (rows) => {
    // Chained, so that events are shown in order.
    printed = printed
      .then(async () => print(await wantedOf(db, organizationId, asked, rows)))
      .catch((error) => failed.abort(error));
  });
  const before = await latest(db, organizationId, asked);
  for (const { id } of before) shown.add(id);
  show([...before, ...waiting.filter(({ id }) => !shown.has(id))]);
  waiting = null;
  const alive = setInterval(() => {}, MINUTE_MS); // a subscription alone does not keep the process alive
  const over = AbortSignal.any([enough, failed.signal]);
  if (!over.aborted) await once(over, 'abort');
  clearInterval(alive);
  leave();
  failed.signal.throwIfAborted();
  return null;
}

async function wantedOf(
  db: Database,
  organizationId: string,
  asked: Asked,
  rows: readonly StreamRow[],
): Promise<StreamRow[]> {
  const wanted = rows.filter((row) => wants(asked, row));
  if (asked.key === null) return wanted;
  const emailIds = wanted.map((row) => row.email_id);
  const theirs = await sentWithAmong(db, organizationId, emailIds, asked.key);
  return wanted.filter((row) => theirs.has(row.email_id));
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
  // Removes control characters, so that a server's text cannot move the terminal's cursor.
  return parts.join('  ').replace(/\p{Cc}/gu, ' ');
}
