/** Holding mail back, and deciding what becomes of it: for an operator who has to stop something now. */
import { takeOverFromGone } from '../../delivery/attempt/recover.ts';
import { carryOutHold } from '../../holds/carry-out.ts';
import { figuresOf, type HoldFigures } from '../../holds/coverage.ts';
import { HOLD_SCOPES, type HoldEnding, type HoldScope } from '../../holds/hold.ts';
import { holdTargetOf } from '../../holds/service.ts';
import { endHold, findHold, type HoldRow, listHolds, placeHold } from '../../holds/store.ts';
import { holdDetailView, holdStateOf } from '../../holds/view.ts';
import type { Database } from '../../kit/database/database.ts';
import { createLog } from '../../kit/runtime/log.ts';
import { ServiceError } from '../../kit/service-error.ts';
import { findOrganization } from '../../organizations/store.ts';
import {
  CliError,
  type Command,
  type CommandAnswer,
  EXIT_USAGE,
  type Options,
  type World,
} from './command.ts';
import { withDatabase, withDatabaseEvenStopped } from './installation.ts';
import { duration, minute, table } from './table.ts';

const BY = 'operator';

export const holdCommands: readonly Command[] = [
  {
    name: 'hold list',
    positionals: [],
    required: {},
    optional: {},
    summary: 'List the holds, those in force first',
    run: listAll,
  },
  {
    name: 'hold',
    positionals: ['SCOPE'],
    optionalPositionals: ['VALUE'],
    required: { reason: 'TEXT' },
    optional: { org: 'ORGANIZATION' },
    summary: `Accept mail and send nothing of it: ${HOLD_SCOPES.join(', ')}`,
    run: (world, [scope = '', value = null], options) => hold(world, scopeOf(scope), value, options),
  },
  {
    name: 'release',
    positionals: [],
    optionalPositionals: ['HOLD'],
    required: {},
    optional: {},
    flags: ['yes'],
    summary: 'Release a hold: says how much mail would go and how old it is, and with --yes sends it',
    run: (world, [id], { yes }) => end(world, id, { how: 'release', reason: null }, yes !== undefined),
  },
  {
    name: 'discard',
    positionals: ['HOLD'],
    required: { reason: 'TEXT' },
    optional: {},
    flags: ['yes'],
    summary: 'Discard the mail of a hold; with --yes every recipient ends as failed, with an event',
    run: (world, [id], { reason = null, yes }) =>
      end(world, id, { how: 'discard', reason }, yes !== undefined),
  },
];

async function listAll({ config }: World): Promise<CommandAnswer> {
  const { rows } = await withDatabase(config, (db) => listHolds(db, 'everybody', { limit: 100, offset: 0 }));
  const head = ['ID', 'SCOPE', 'ORGANIZATION', 'STATE', 'SINCE (UTC)', 'BY', 'REASON'];
  return { json: rows, lines: rows.length === 0 ? ['Nothing is held.'] : table(head, rows.map(cells)) };
}

function cells(row: HoldRow): string[] {
  const { id, organization_id, placed_at, placed_by, reason } = row;
  return [id, scopeWords(row), organization_id ?? '', holdStateOf(row), minute(placed_at), placed_by, reason];
}

async function hold(
  world: World,
  scope: HoldScope,
  value: string | null,
  { org, reason = '' }: Options,
): Promise<CommandAnswer> {
  const placed = await withDatabaseEvenStopped(world, async (db) => {
    // `hold organization ORG` names it as the value.
    const organizationId = (scope === 'organization' ? value : org) ?? null;
    if (organizationId !== null && (await findOrganization(db, organizationId)) === undefined)
      throw new CliError(`There is no organization ${organizationId}. See: npx postrider org list`);
    if (scope === 'all' && organizationId !== null)
      throw new CliError(
        'To hold one organization: npx postrider hold organization ID --reason TEXT',
        EXIT_USAGE,
      );
    const named = { organizationId, scope, value: scope === 'organization' ? null : value };
    const target = await holdTargetOf(db, named).catch(inWords);
    return db.transaction((tx) => placeHold(tx, { ...target, reason, by: BY }));
  });
  if (placed === undefined) throw new CliError('There is such a hold already. See: npx postrider hold list');
  return {
    json: placed,
    lines: [
      `Held: ${scopeWords(placed)}. Nothing of it is sent until the hold ends; mail is still accepted.`,
      `To send it: npx postrider release ${placed.id}`,
      `To drop it: npx postrider discard ${placed.id} --reason TEXT`,
    ],
  };
}

interface Ending {
  readonly how: HoldEnding;
  readonly reason: string | null;
}

async function end(
  world: World,
  id: string | undefined,
  ending: Ending,
  sure: boolean,
): Promise<CommandAnswer> {
  const { config, enough, clock } = world;
  return withDatabaseEvenStopped(world, async (db) => {
    const found = await findOpen(db, id);
    // What a worker that died had sent is settled first: it was delivered, and must not be sent or called failed.
    await takeOverFromGone({ db, log: createLog('cli', 'silent'), dataDir: config.dataDir });
    const figures = await figuresOf(db, found.id);
    if (!sure) throw notSure(found, figures, ending, clock.nowMs());
    await db.transaction((tx) => endHold(tx, found.id, { ...ending, by: BY }));
    await carryOutHold({ db, nowMs: () => clock.nowMs() }, found.id, enough);
    return ended((await findHold(db, found.id)) as HoldRow, await figuresOf(db, found.id));
  });
}

function ended(row: HoldRow, figures: HoldFigures): CommandAnswer {
  const done = `${row.released} deliveries let go, ${row.discarded} discarded.`;
  const lines = [`The hold is ${holdStateOf(row)}: ${done}`];
  if (row.ended_at === null) lines.push('Workers go on with the rest. See: npx postrider hold list');
  return { json: holdDetailView({ hold: row, figures }), lines };
}

/** The one that is meant; without an id the only one there is. */
async function findOpen(db: Database, id: string | undefined): Promise<HoldRow> {
  if (id !== undefined) {
    const found = await findHold(db, id);
    if (found === undefined) throw new CliError(`There is no hold ${id}. See: npx postrider hold list`);
    if (found.ending !== null) throw new CliError(`This hold is ${holdStateOf(found)} already.`);
    return found;
  }
  const { rows } = await listHolds(db, 'everybody', { limit: 2, offset: 0 });
  const [first, second] = rows.filter((row) => row.ending === null);
  if (first === undefined) throw new CliError('Nothing is held.');
  if (second !== undefined)
    throw new CliError('There are several holds. Name one: npx postrider hold list', EXIT_USAGE);
  return first;
}

function notSure(row: HoldRow, figures: HoldFigures, { how }: Ending, nowMs: number): CliError {
  const { held, later } = figures;
  const what =
    how === 'release'
      ? `Deliveries that would be sent: ${held - figures.expired}${ageWords(figures, nowMs)}${expiredWords(figures)}.`
      : `Deliveries that would never be sent: ${held + later}${ageWords(figures, nowMs)}. That cannot be undone.`;
  const more =
    later === 0
      ? ''
      : ` ${later} ${how === 'release' ? 'more' : 'of them'} are due later: scheduled, or between two attempts.`;
  return new CliError(
    `${scopeWords(row)} is held: ${row.reason}\n${what}${more} Add --yes to confirm.`,
    EXIT_USAGE,
  );
}

function ageWords({ oldestAt }: HoldFigures, nowMs: number): string {
  return oldestAt === null
    ? ''
    : `, the oldest accepted ${duration(Math.round((nowMs - oldestAt.getTime()) / 1000))} ago`;
}

function expiredWords({ expired }: HoldFigures): string {
  return expired === 0
    ? ''
    : `. ${expired} more end as failed, because their lifetime was over before the hold`;
}

function scopeWords({ scope, value, organization_id }: HoldRow): string {
  if (scope === 'organization') return `organization ${organization_id}`;
  return value === null ? scope : `${scope} ${value}`;
}

function scopeOf(text: string): HoldScope {
  const scope = HOLD_SCOPES.find((one) => one === text);
  if (scope === undefined) throw new CliError(`SCOPE must be one of ${HOLD_SCOPES.join(', ')}.`, EXIT_USAGE);
  return scope;
}

function inWords(error: unknown): never {
  if (error instanceof ServiceError)
    throw new CliError(error.message.replace(/^value: /, 'VALUE '), EXIT_USAGE);
  throw error;
}
