import { insertMembership } from '../accounts/members/store.ts';
import { accountEmail } from '../accounts/users/email.ts';
import { findUserByEmail } from '../accounts/users/store.ts';
import { createInCell } from '../cells/directory.ts';
import { changedSince } from '../cells/store.ts';
import { MAIN_CELL } from '../database/database.ts';
import type { Sql } from '../database/sql.ts';
import { newOrganization, organizationNameProblem } from '../organizations/service.ts';
import { listOrganizations, type OrganizationRow, setDailyLimit } from '../organizations/store.ts';
import { type OperatorAction, recordOperatorAction } from './audit.ts';
import {
  CliError,
  type Command,
  type CommandAnswer,
  type CommandContext,
  EXIT_USAGE,
  parseCount,
} from './command.ts';
import { withDatabase } from './installation.ts';
import { minute, table } from './table.ts';

export const organizationCommands: readonly Command[] = [
  {
    name: 'org create',
    positionals: ['NAME'],
    optional: { owner: 'EMAIL', cell: 'NAME' },
    summary: 'Create an organization that an existing user owns',
    explains: {
      NAME: 'the name of the new organization',
      '--owner': 'the address of an existing user who becomes its owner',
      '--cell': 'the cell for its mail; the default is the first cell',
    },
    example: 'org create "Acme Ltd" --owner ada@example.org',
    run: (context, [name = ''], options) => create(context, name, options.owner, options.cell),
  },
  {
    name: 'org list',
    summary: 'List the organizations',
    example: 'org list',
    run: list,
  },
  {
    name: 'org limit',
    positionals: ['ID', 'RECIPIENTS'],
    summary: 'Set how many recipients an organization may send to per UTC day (0: no limit)',
    explains: {
      ID: 'the organization, by its id',
      RECIPIENTS: 'recipients per UTC day; 0 removes the limit',
    },
    example: 'org limit org_8zqh0yv5k2m1d 50000',
    run: (context, [id = '', recipients = '']) => limit(context, id, recipients),
  },
];

async function create(
  context: CommandContext,
  name: string,
  owner: string | undefined,
  cell = MAIN_CELL,
): Promise<CommandAnswer> {
  const { config, clock } = context;
  const problem = organizationNameProblem(name);
  if (problem !== undefined) throw new CliError(`The name of an organization ${problem}.`, EXIT_USAGE);
  const row = await withDatabase(config, async (db) => {
    const cells = db.cells.map((one) => one.name);
    if (!cells.includes(cell)) throw new CliError(`There is no cell ${cell}. There are: ${cells.join(', ')}`);
    const made = newOrganization(clock, { name, dailyLimit: config.dailyLimit });
    await createInCell(db, cell, made, async (tx) => {
      if (owner !== undefined) await insertMembership(tx, await ownerOf(tx, made, owner));
    });
    await recordOperatorAction(db, context, { ...targetFields(made), action: 'organization.created' });
    return made;
  });
  return {
    json: row,
    lines: [
      `Created the organization ${row.name}: ${row.id}`,
      `Give it a key: npx postrider key create --org ${row.id} --name NAME --scope full`,
    ],
  };
}

async function ownerOf(tx: Sql, { id, created_at }: OrganizationRow, email: string) {
  const user = await findUserByEmail(tx, accountEmail(email));
  if (!user) throw new CliError(`There is no user ${email}. See: npx postrider user list`);
  return { organizationId: id, userId: user.id, role: 'owner' as const, joinedAt: created_at };
}

const HEADER = ['ID', 'NAME', 'DAILY LIMIT', 'CREATED (UTC)'];

async function list({ config }: CommandContext): Promise<CommandAnswer> {
  const { rows, placed } = await withDatabase(config, async (db) => ({
    rows: await listOrganizations(db),
    placed: db.cells.length === 1 ? null : await cellsOf(db),
  }));
  if (placed === null) return { json: rows, lines: table(HEADER, rows.map(cells)) };
  const cellOf = ({ id }: OrganizationRow) => placed.get(id) ?? MAIN_CELL;
  return {
    json: rows.map((row) => ({ ...row, cell: cellOf(row) })),
    lines: table(
      [...HEADER, 'CELL'],
      rows.map((row) => [...cells(row), cellOf(row)]),
    ),
  };
}

async function cellsOf(db: Sql): Promise<ReadonlyMap<string, string>> {
  return new Map((await changedSince(db, 0)).map((one) => [one.organization_id, one.cell]));
}

async function limit(context: CommandContext, id: string, recipients: string): Promise<CommandAnswer> {
  const dailyLimit = parseCount('RECIPIENTS', recipients);
  const row = await withDatabase(context.config, async (db) => {
    const changed = await setDailyLimit(db, id, dailyLimit);
    if (!changed) throw new CliError(`There is no organization ${id}. See: npx postrider org list`);
    const details = { daily_limit: dailyLimit };
    await recordOperatorAction(db, context, {
      ...targetFields(changed),
      action: 'organization.limit_changed',
      details,
    });
    return changed;
  });
  return { json: row, lines: table(HEADER, [cells(row)]) };
}

function targetFields({ id, name }: OrganizationRow): Omit<OperatorAction, 'action'> {
  return { organizationId: id, targetId: id, targetName: name };
}

function cells(row: OrganizationRow): string[] {
  return [row.id, row.name, row.daily_limit === 0 ? 'none' : String(row.daily_limit), minute(row.created_at)];
}
