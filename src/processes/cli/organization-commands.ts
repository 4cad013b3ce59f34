import { createOrganization, organizationNameProblem } from '../../resources/organizations/service.ts';
import { listOrganizations, type OrganizationRow } from '../../resources/organizations/store.ts';
import { type Answer, CliError, type Command, EXIT_USAGE, type World } from './command.ts';
import { withDatabase } from './installation.ts';
import { minute, table } from './table.ts';

export const organizationCommands: readonly Command[] = [
  {
    name: 'org create',
    positionals: ['NAME'],
    required: {},
    optional: {},
    summary: 'Create an organization',
    run: (world, [name = '']) => create(world, name),
  },
  {
    name: 'org list',
    positionals: [],
    required: {},
    optional: {},
    summary: 'List the organizations',
    run: list,
  },
];

async function create({ config, clock }: World, name: string): Promise<Answer> {
  const problem = organizationNameProblem(name);
  if (problem !== undefined) throw new CliError(`The name of an organization ${problem}.`, EXIT_USAGE);
  const row = await withDatabase(config, (db) =>
    createOrganization(db, clock, { name, dailyLimit: config.dailyLimit }),
  );
  return {
    json: row,
    lines: [
      `Created the organization ${row.name}: ${row.id}`,
      `Give it a key: npx postrider key create --org ${row.id} --name NAME --scope full`,
    ],
  };
}

async function list({ config }: World): Promise<Answer> {
  const rows = await withDatabase(config, listOrganizations);
  return { json: rows, lines: table(['ID', 'NAME', 'DAILY LIMIT', 'CREATED (UTC)'], rows.map(cells)) };
}

function cells(row: OrganizationRow): string[] {
  return [row.id, row.name, row.daily_limit === 0 ? 'none' : String(row.daily_limit), minute(row.created_at)];
}
