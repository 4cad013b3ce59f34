import { migrate, SchemaError } from '../../kit/database/migrate.ts';
import type { Command, CommandAnswer, World } from './command.ts';
import { databaseUrl, explainError } from './installation.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  positionals: [],
  required: {},
  optional: {},
  summary: 'Bring the database schema up to date',
  run: bringUpToDate,
};

async function bringUpToDate({ config }: World): Promise<CommandAnswer> {
  const url = await databaseUrl(config);
  const applied = await migrate(url).catch((error) => {
    throw error instanceof SchemaError ? error : explainError(error, config);
  });
  const lines =
    applied.length === 0 ? ['The schema is up to date.'] : applied.map((name) => `Applied ${name}`);
  return { json: { applied }, lines };
}
