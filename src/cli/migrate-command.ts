/** `npx postrider migrate` updates the schema, or shows what an update would do. */
import { type Database, MAIN_CELL } from '../database/database.ts';
import { SchemaError } from '../database/errors.ts';
import { type MigrationPlan, planMigrations, type SizedEffect } from '../database/migration-plan.ts';
import { CellError, type MigratedCell, migrateCells } from '../processes/migrate-cells.ts';
import type { Config } from '../runtime/config.ts';
import {
  CliError,
  type Command,
  type CommandAnswer,
  type CommandContext,
  EXIT_FAILED,
  type Options,
} from './command.ts';
import { directUrl, explainError, openDatabase, reason } from './installation.ts';

/** The running processes must be stopped first. */
const EXIT_STOP_FIRST = 3;
const UP_TO_DATE = 'The schema is up to date.';

export const migrateCommand: Command = {
  name: 'migrate',
  flags: ['dry-run', 'online'],
  summary:
    'Migrate the database schema; --online only if the running processes can continue; --dry-run shows the migrations ' +
    '(exit code 3: stop the processes first)',
  explains: {
    '--dry-run': 'show the migrations without running them',
    '--online': 'refuse migrations that the running processes cannot continue with',
  },
  example: 'migrate --dry-run',
  run: (context, _positionals, options) =>
    options['dry-run'] === undefined ? bringUpToDate(context, options) : printPlan(context),
};

async function bringUpToDate(
  { config, json, say }: CommandContext,
  { online }: Options,
): Promise<CommandAnswer> {
  const url = await directUrl(config);
  const onApplying = (name: string, done: number, total: number) => {
    if (!json) say(`Applying ${name}, ${done + 1} of ${total}`, done / total);
  };
  const options = { isOnline: online !== undefined, onApplying };
  const cells = await migrateCells(config, url, options).catch((error) => {
    throw explainMigrationError(error, config);
  });
  const [{ applied }] = cells as [MigratedCell];
  if (cells.length === 1) return { json: { applied }, lines: appliedLines(applied) };
  return {
    json: { applied, cells },
    lines: cells.flatMap(cellLines),
    exitCode: cells.some(({ away }) => away !== null) ? EXIT_FAILED : 0,
  };
}

function appliedLines(applied: readonly string[]): string[] {
  return applied.length === 0 ? [UP_TO_DATE] : applied.map((name) => `Applied ${name}`);
}

function cellLines({ cell, applied, away }: MigratedCell): string[] {
  const lines =
    away === null
      ? appliedLines(applied)
      : [`This cell does not answer: ${away}. Run the command again when the cell answers.`];
  return lines.map((line) => `${cell}: ${line}`);
}

async function printPlan({ config }: CommandContext): Promise<CommandAnswer> {
  const { db, close } = await openDatabase(config);
  try {
    const plans = await planEach(db);
    const [plan] = plans as [CellPlan];
    const exitCode = plans.every(({ isOnline }) => isOnline) ? 0 : EXIT_STOP_FIRST;
    const conclusion = conclusionOf(plans);
    if (plans.length === 1)
      return { json: planJson(plan), lines: [...planLines(plan), ...conclusion], exitCode };
    return {
      json: { ...planJson(plan), cells: plans.map((one) => ({ cell: one.cell, ...planJson(one) })) },
      lines: [...plans.flatMap((one) => planLines(one).map((line) => `${one.cell}: ${line}`)), ...conclusion],
      exitCode,
    };
  } catch (error) {
    throw explainMigrationError(error, config);
  } finally {
    await close();
  }
}

type CellPlan = MigrationPlan & { readonly cell: string };

async function planEach(db: Database): Promise<readonly CellPlan[]> {
  const plans: CellPlan[] = [];
  for (const { name, db: cell } of db.cells)
    plans.push({ cell: name, ...(await planMigrations(cell).catch((error) => inCell(name, error))) });
  return plans;
}

/** Attributes errors of the first cell to DATABASE_URL. */
function inCell(name: string, error: unknown): never {
  if (name === MAIN_CELL) throw error;
  throw new CliError(`The cell ${name} does not answer: ${reason(error)}`);
}

function explainMigrationError(error: unknown, config: Config): Error {
  if (error instanceof SchemaError || error instanceof CliError) return error;
  return error instanceof CellError ? new CliError(error.message) : explainError(error, config);
}

function planJson({ version, pending, isOnline }: MigrationPlan) {
  return { schema: version, pending, online: isOnline };
}

/** One conclusion for all cells: processes are stopped for all of them, or for none. */
function conclusionOf(plans: readonly MigrationPlan[]): string[] {
  const pending = plans.filter((one) => one.pending.length > 0);
  if (pending.length === 0 || pending.every(({ version }) => version === 0)) return [];
  return [
    plans.every(({ isOnline }) => isOnline)
      ? 'Conclusion: the running processes can continue during and after the migration. Run `npx postrider migrate`.'
      : 'Conclusion: stop Postrider on every machine first; the running processes may not work afterwards. Then start the new version. If roles run separately, run `npx postrider migrate` before.',
  ];
}

function planLines({ version, pending }: MigrationPlan): string[] {
  if (pending.length === 0) return [UP_TO_DATE];
  const count = pending.length === 1 ? '1 migration' : `${pending.length} migrations`;
  if (version === 0) return [`The database has no tables yet; ${count} would make them.`];
  return [
    `The database is at schema ${version}; ${count} would run:`,
    ...pending.flatMap(({ name, effects, needs }) => [
      `  ${name}`,
      ...effects.map((effect) => `      ${effectWords(effect, needs)}`),
    ]),
  ];
}

function effectWords({ kind, table, what, rows, bytes }: SizedEffect, needs: number): string {
  const size =
    rows === null || bytes === null
      ? ''
      : ` (about ${rows.toLocaleString('en-US')} rows, ${megabytes(bytes)})`;
  const about = table === null ? '' : `${table}${size}: `;
  return `${about}${kind === 'breaks' ? `takes away what code older than schema ${needs} uses: ` : ''}${what}`;
}

function megabytes(bytes: number): string {
  return bytes < 1e6 ? 'less than 1 MB' : `${Math.round(bytes / 1e6).toLocaleString('en-US')} MB`;
}
