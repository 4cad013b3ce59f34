/** `org move` moves an organization's mail to another cell without a stop. */
import { MAIN_CELL } from '../database/database.ts';
import { MoveError } from '../operations/move/move-error.ts';
import { moveOrganization } from '../operations/move/move-organization.ts';
import { operatorName, recordOperatorAction } from './audit.ts';
import {
  CliError,
  type Command,
  type CommandAnswer,
  type CommandContext,
  EXIT_USAGE,
  type Options,
} from './command.ts';
import { directUrl, withDatabase } from './installation.ts';

export const moveCommand: Command = {
  name: 'org move',
  positionals: ['ID', 'CELL'],
  optional: { reach: 'URL' },
  flags: ['offline', 'abandon'],
  summary: 'Move all mail of an organization to another cell, resume an interrupted move, or undo it',
  explains: {
    ID: 'the organization, by its id',
    CELL: 'the cell to move the mail to, by its name in POSTRIDER_CELLS',
    '--reach':
      'the URL at which the PostgreSQL server of the new cell reaches the old one, if the configured address does not work from there',
    '--offline': 'refuse mail of the organization while it is copied; needs no replication',
    '--abandon': 'undo a move that has not reached the new cell',
  },
  example: 'org move org_ytnkdpwnz4sy2 two',
  run: (context, [id = '', cell = ''], options) => move(context, id, cell, options),
};

async function move(
  context: CommandContext,
  id: string,
  cell: string,
  options: Options,
): Promise<CommandAnswer> {
  const { config, clock, json, say, enough: signal } = context;
  if (options.reach !== undefined && !/^postgres(ql)?:\/\//.test(options.reach))
    throw new CliError('--reach must be an address that starts with postgres://.', EXIT_USAGE);
  const isAbandoned = options.abandon !== undefined;
  const cells = [{ name: MAIN_CELL, url: await directUrl(config) }, ...config.cells];
  const done = await withDatabase(config, async (control) => {
    const deps = { control, clock, cells, say: json ? () => undefined : say, signal };
    const about = { organizationId: id, to: cell, isOffline: options.offline !== undefined, isAbandoned };
    const row = await moveOrganization(deps, {
      ...about,
      reach: options.reach,
      by: operatorName(context),
    }).catch(explain);
    const action = isAbandoned ? 'organization.move_abandoned' : 'organization.moved';
    const details = { from: row.from_cell, to: row.to_cell };
    await recordOperatorAction(control, context, { organizationId: id, targetId: id, action, details });
    return row;
  });
  const { from_cell: from, to_cell: to, way } = done;
  const line = isAbandoned
    ? `The organization stays in ${from}. No rows of the organization remain in ${to}.`
    : `Moved from ${from} to ${to}.`;
  return {
    json: { organization_id: id, from, to, way, outcome: isAbandoned ? 'abandoned' : 'moved' },
    lines: [line],
  };
}

function explain(error: unknown): never {
  throw error instanceof MoveError ? new CliError(error.message) : error;
}
