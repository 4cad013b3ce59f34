/** `npx postrider migrate`: brings the schema up to date, or says what that would do. */
import { SchemaError } from '../../kit/database/errors.ts';
import { migrate } from '../../kit/database/migrate.ts';
import { type MigrationPlan, planMigrations, type SizedEffect } from '../../kit/database/migration-plan.ts';
import type { Config } from '../../kit/runtime/config.ts';
import type { Command, CommandAnswer, Options, World } from './command.ts';
import { directUrl, explainError, openDatabase } from './installation.ts';

/** What runs has to be stopped before. */
const EXIT_STOP_FIRST = 3;
const UP_TO_DATE = 'The schema is up to date.';

export const migrateCommand: Command = {
  name: 'migrate',
  positionals: [],
  required: {},
  optional: {},
  flags: ['dry-run', 'online'],
  summary:
    'Bring the database schema up to date; --online only if what runs can go on; --dry-run says what would be done ' +
    '(exit code 3: stop what runs first)',
  run: (world, _positionals, options) =>
    options['dry-run'] === undefined ? bringUpToDate(world, options) : tell(world),
};

async function bringUpToDate({ config }: World, { online }: Options): Promise<CommandAnswer> {
  const url = await directUrl(config);
  const applied = await migrate(url, { isOnline: online !== undefined }).catch((error) => {
    throw told(error, config);
  });
  const lines = applied.length === 0 ? [UP_TO_DATE] : applied.map((name) => `Applied ${name}`);
  return { json: { applied }, lines };
}

async function tell({ config }: World): Promise<CommandAnswer> {
  const db = await openDatabase(config);
  try {
    const plan = await planMigrations(db);
    return { json: planJson(plan), lines: planLines(plan), exitCode: plan.isOnline ? 0 : EXIT_STOP_FIRST };
  } catch (error) {
    throw told(error, config);
  } finally {
    await db.close();
  }
}

function told(error: unknown, config: Config): Error {
  return error instanceof SchemaError ? error : explainError(error, config);
}

function planJson({ version, pending, isOnline }: MigrationPlan) {
  return { schema: version, pending, online: isOnline };
}

function planLines({ version, pending, isOnline }: MigrationPlan): string[] {
  if (pending.length === 0) return [UP_TO_DATE];
  const count = pending.length === 1 ? '1 migration' : `${pending.length} migrations`;
  return [
    `The database is at schema ${version}; ${count} would run:`,
    ...pending.flatMap(({ name, effects }) => [
      `  ${name}`,
      ...effects.map((effect) => `      ${effectWords(effect)}`),
    ]),
    isOnline
      ? 'Processes that run can go on meanwhile.'
      : 'Stop Postrider on every machine first: what runs now may not work afterwards.',
  ];
}

function effectWords({ kind, table, what, rows, bytes }: SizedEffect): string {
  const size =
    rows === null || bytes === null
      ? ''
      : ` (about ${rows.toLocaleString('en-US')} rows, ${megabytes(bytes)})`;
  const about = table === null ? '' : `${table}${size}: `;
  return `${about}${kind === 'breaks' ? 'takes away what older versions use: ' : ''}${what}`;
}

function megabytes(bytes: number): string {
  return bytes < 1e6 ? 'less than 1 MB' : `${Math.round(bytes / 1e6).toLocaleString('en-US')} MB`;
}
