/** Holds mail and decides on held mail, for an operator who must stop something at once. */

import type { Database } from '../database/database.ts';
import { isStatementTimeout } from '../database/errors.ts';
import { counted } from '../doctor/finding.ts';
import type { HoldFigures } from '../interventions/holds/coverage.ts';
import { executeEndingHold } from '../interventions/holds/end-holds.ts';
import { type HoldEnding, holdName, PLACED_SCOPES, type PlacedScope } from '../interventions/holds/hold.ts';
import {
  endInCells,
  figuresInCells,
  findInCells,
  listInCells,
  placeInCells,
} from '../interventions/holds/holds-in-cells.ts';
import { holdDetailView, holdStateOf, placedHoldView } from '../interventions/holds/schema.ts';
import type { HoldRow } from '../interventions/holds/store.ts';
import { holdTargetOf } from '../interventions/holds/targets.ts';
import { ServiceError } from '../runtime/service-error.ts';
import { webhookBacklog } from '../webhooks/queue.ts';
import { type OperatorAction, operatorName, recordOperatorAction } from './audit.ts';
import {
  CliError,
  type Command,
  type CommandAnswer,
  type CommandContext,
  EXIT_USAGE,
  type Options,
} from './command.ts';
import { answering, sum, withAway } from './each-cell.ts';
import { withDatabase, withDatabaseEvenStopped } from './installation.ts';
import { checkOrganization, organizationOfKey, organizationWithTemplate } from './organization-lookup.ts';
import { duration, minute, table } from './table.ts';
import { takeOverInEach } from './take-over.ts';

export const holdCommands: readonly Command[] = [
  {
    name: 'hold',
    positionals: ['SCOPE'],
    optionalPositionals: ['VALUE'],
    required: { reason: 'TEXT' },
    optional: { org: 'ORGANIZATION' },
    flags: ['with-webhooks', 'ahead'],
    summary: `Hold mail, so that it is accepted and not sent: ${PLACED_SCOPES.join(', ')}`,
    explains: {
      SCOPE: 'the kind of mail to hold',
      VALUE: 'the id, alias, domain, tag or provider to hold; omit it for `all`',
      '--reason': 'the reason, which is shown with the hold',
      '--org': 'only mail of this organization, by its id',
      '--with-webhooks': 'with `all`: hold webhooks, too',
      '--ahead': 'place the hold even if it matches no mail yet',
    },
    choices: { SCOPE: PLACED_SCOPES },
    example: 'hold template welcome --org org_8zqh0yv5k2m1d --reason "wrong prices"',
    run: (context, [scope = '', value = null], options) => hold(context, scopeOf(scope), value, options),
  },
  {
    name: 'hold list',
    summary: 'List the holds, active ones first',
    example: 'hold list',
    run: listAll,
  },
  {
    name: 'release',
    optionalPositionals: ['HOLD'],
    flags: ['yes'],
    summary: 'Release a hold: shows the amount and the age of its mail, and with --yes sends it',
    explains: {
      HOLD: 'the hold, by its id; optional if there is only one',
      '--yes': 'send the mail; without this option, the command only shows the amount',
    },
    example: 'release hold_194jp1w6sswskmwd0q0j --yes',
    run: (context, [id], { yes }) => end(context, id, { how: 'release', reason: null }, yes !== undefined),
  },
  {
    name: 'discard',
    positionals: ['HOLD'],
    required: { reason: 'TEXT' },
    flags: ['yes'],
    summary: 'Discard the mail of a hold; with --yes every recipient ends as failed, with an event',
    explains: {
      HOLD: 'the hold, by its id',
      '--reason': 'the reason, which is stored in the events of the recipients',
      '--yes': 'discard the mail; without this option, the command only shows the amount',
    },
    example: 'discard hold_194jp1w6sswskmwd0q0j --reason "sent again with the right prices" --yes',
    run: (context, [id], { reason = null, yes }) =>
      end(context, id, { how: 'discard', reason }, yes !== undefined),
  },
];

async function listAll({ config }: CommandContext): Promise<CommandAnswer> {
  const { rows, away } = await withDatabase(config, async (db) => {
    const { answers, away } = await answering(db);
    const cells = answers.map(({ value }) => value);
    return { ...(await listInCells(cells, 'everybody', { limit: 100, offset: 0 })), away };
  });
  const head = ['ID', 'SCOPE', 'ORGANIZATION', 'STATE', 'SINCE (UTC)', 'BY', 'REASON'];
  const lines = rows.length === 0 ? ['Nothing is held.'] : table(head, rows.map(cells));
  return withAway({ json: rows, lines }, away);
}

function cells(row: HoldRow): string[] {
  const { id, organization_id, placed_at, placed_by, reason } = row;
  const name = holdName(row, organization_id);
  return [id, name, organization_id ?? '', holdStateOf(row), minute(placed_at), placed_by, reason];
}

async function hold(
  context: CommandContext,
  scope: PlacedScope,
  value: string | null,
  options: Options,
): Promise<CommandAnswer> {
  const { reason = '', 'with-webhooks': webhooks, ahead } = options;
  const withWebhooks = webhooks !== undefined;
  if (withWebhooks && scope !== 'all')
    throw new CliError(
      '--with-webhooks works with `hold all` only, because webhooks are held all together. Leave out --with-webhooks.',
      EXIT_USAGE,
    );
  const { placed, figures } = await withDatabaseEvenStopped(context, async (db) => {
    const organizationId = await organizationMeant(db, scope, value, options.org ?? null);
    const named = { organizationId, scope, value: scope === 'organization' ? null : value };
    const asked = { ...named, ahead: ahead !== undefined };
    const target = await holdTargetOf(db, asked).catch(inWords);
    const row = await placeInCells(db, { ...target, reason, by: operatorName(context), withWebhooks });
    if (row === undefined)
      throw new CliError('An identical hold already exists. See: npx postrider hold list');
    const details = { scope, value: row.value, reason };
    await recordOperatorAction(db, context, { ...targetFields(row), action: 'hold.placed', details });
    return { placed: row, figures: await countedInTime(db, row.id) };
  });
  return {
    json: placedHoldView({ hold: placed, figures }),
    lines: [
      `Held: ${holdName(placed, placed.organization_id)}. This mail is not sent until the hold ends. Mail is still accepted.`,
      coverageWords(figures),
      `To send it: npx postrider release ${placed.id}`,
      `To drop it: npx postrider discard ${placed.id} --reason TEXT`,
    ],
  };
}

/** Null means all organizations. `hold organization ORG` passes it as the value. */
async function organizationMeant(
  db: Database,
  scope: PlacedScope,
  value: string | null,
  org: string | null,
): Promise<string | null> {
  const named = scope === 'organization' ? value : org;
  if (scope === 'organization' && org !== null && org !== value)
    throw new CliError(`--org says ${org}, and VALUE says ${value}. Leave out --org.`, EXIT_USAGE);
  if (named !== null) await checkOrganization(db, named);
  if (scope === 'all' && named !== null)
    throw new CliError(
      'To hold one organization: npx postrider hold organization ID --reason TEXT',
      EXIT_USAGE,
    );
  if (named !== null || value === null) return named;
  if (scope === 'template') return organizationWithTemplate(db, value);
  return scope === 'key' ? organizationOfKey(db, value) : null;
}

/** The hold is already in force, so a slow count of the queue must not appear as a failure. */
export async function countedInTime(db: Database, id: string): Promise<HoldFigures | null> {
  const cells = db.cells.map((cell) => cell.db);
  return figuresInCells(cells, id).catch((error: unknown) => {
    if (isStatementTimeout(error)) return null;
    throw error;
  });
}

export function coverageWords(figures: HoldFigures | null): string {
  if (figures === null) return 'The queue is too long to count how many deliveries the hold covers.';
  const { held, later } = figures;
  if (held + later === 0)
    return 'The hold covers no delivery in the queue now, only mail that is still to come.';
  const rest = later === 0 ? '' : `, ${later} of them due later`;
  return `The hold covers ${counted(held + later, 'delivery', 'deliveries')} in the queue now${rest}.`;
}

interface Ending {
  readonly how: HoldEnding;
  readonly reason: string | null;
}

async function end(
  context: CommandContext,
  id: string | undefined,
  ending: Ending,
  sure: boolean,
): Promise<CommandAnswer> {
  const { config, enough, clock } = context;
  return withDatabaseEvenStopped(context, async (db) => {
    const found = await findOpen(db, id);
    const cells = db.cells.map((cell) => cell.db);
    // First settles what crashed workers had sent: those emails were delivered, and must not be sent again or
    // recorded as failed.
    await takeOverInEach(db, config);
    const figures = await figuresInCells(cells, found.id);
    if (!sure) {
      const webhooks = found.with_webhooks ? sum(await Promise.all(cells.map(countWebhooks))) : null;
      throw notSure(found, figures, ending, clock.nowMs(), webhooks);
    }
    await endInCells(db, found, { ...ending, by: operatorName(context) });
    await recordOperatorAction(db, context, {
      ...targetFields(found),
      action: ending.how === 'release' ? 'hold.released' : 'hold.discarded',
      ...(ending.reason === null ? {} : { details: { reason: ending.reason } }),
    });
    for (const cell of cells)
      await executeEndingHold({ db: cell, nowMs: () => clock.nowMs() }, found.id, enough);
    return ended((await findInCells(db, found.id)) as HoldRow, await figuresInCells(cells, found.id));
  });
}

async function countWebhooks(cell: Database): Promise<number> {
  const { waiting, due } = await webhookBacklog(cell);
  return waiting + due;
}

function targetFields(hold: HoldRow): Omit<OperatorAction, 'action'> {
  const { id: targetId, organization_id: organizationId } = hold;
  return { organizationId, targetId, targetName: holdName(hold, null) };
}

function ended(row: HoldRow, figures: HoldFigures): CommandAnswer {
  const done = `${counted(row.released, 'delivery', 'deliveries')} let go, ${row.discarded} discarded.`;
  const lines = [`The hold is ${holdStateOf(row)}: ${done}`];
  if (row.ended_at === null) lines.push('Workers process the rest. See: npx postrider hold list');
  return { json: holdDetailView({ hold: row, figures }), lines };
}

/** The hold with this id; without an id the only open one. */
async function findOpen(db: Database, id: string | undefined): Promise<HoldRow> {
  if (id !== undefined) {
    const found = await findInCells(db, id);
    if (found === undefined) throw new CliError(`There is no hold ${id}. See: npx postrider hold list`);
    if (found.ending !== null) throw new CliError(`This hold is ${holdStateOf(found)} already.`);
    return found;
  }
  const cells = db.cells.map((cell) => cell.db);
  const { rows } = await listInCells(cells, 'everybody', { limit: 2, offset: 0 });
  const [first, second] = rows.filter((row) => row.ending === null);
  if (first === undefined) throw new CliError('Nothing is held.');
  if (second !== undefined)
    throw new CliError(
      'There are several holds. Name a hold by its id. See: npx postrider hold list',
      EXIT_USAGE,
    );
  return first;
}

function notSure(
  row: HoldRow,
  figures: HoldFigures,
  { how }: Ending,
  nowMs: number,
  webhooks: number | null,
): CliError {
  const { held, later } = figures;
  const what =
    how === 'release'
      ? `Deliveries that would be sent: ${held - figures.expired}${ageWords(figures, nowMs)}${expiredWords(figures)}.`
      : `Deliveries that would never be sent: ${held + later}${ageWords(figures, nowMs)}. That cannot be undone.`;
  const more =
    later === 0
      ? ''
      : ` ${later} ${how === 'release' ? 'more' : 'of them'} are due later: scheduled, or between two attempts.`;
  const webhooksNote = webhooks === null ? '' : ` Webhooks that would be sent in any case: ${webhooks}.`;
  return new CliError(
    `${holdName(row, row.organization_id)} is held: ${row.reason}\n${what}${more}${webhooksNote} Add --yes to confirm.`,
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

function scopeOf(text: string): PlacedScope {
  const scope = PLACED_SCOPES.find((one) => one === text);
  if (scope === undefined)
    throw new CliError(`SCOPE must be one of ${PLACED_SCOPES.join(', ')}.`, EXIT_USAGE);
  return scope;
}

function inWords(error: unknown): never {
  if (error instanceof ServiceError)
    throw new CliError(
      error.message
        .replace(/^value: /, 'VALUE ')
        .replace('add `ahead`', 'add --ahead')
        .replace(/^ahead: /, '--ahead '),
      EXIT_USAGE,
    );
  throw error;
}
