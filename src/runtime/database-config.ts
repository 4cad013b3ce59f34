/** How PostgreSQL is reached. */
import { type CellConfig, cellsConfig } from './cells-config.ts';
import type { Reader } from './config-reader.ts';

export interface DatabaseConfig {
  /** Undefined: the embedded one. */
  readonly databaseUrl: string | undefined;
  /** A standby of it, for lists, statistics and events. */
  readonly databaseReadUrl: string | undefined;
  /** PostgreSQL itself, where `databaseUrl` leads through a pooler: for what needs a session of its own. */
  readonly databaseDirectUrl: string | undefined;
  /** Of the embedded one. */
  readonly databasePort: number | undefined;
  /** Undefined: wherever they work. */
  readonly preparedStatements: boolean | undefined;
  /** Besides the first, which is where `databaseUrl` leads. */
  readonly cells: readonly CellConfig[];
  /** The one that a worker serves, and that commands about all organizations are about; undefined: the first. */
  readonly cell: string | undefined;
}

/** What `target_session_attrs` may ask for. */
const PRIMARY = ['read-write', 'primary'];
const STANDBY = ['standby', 'prefer-standby', 'read-only', 'any'];

export function databaseConfig(read: Reader): DatabaseConfig {
  const databaseUrl = read.databaseUrl('DATABASE_URL', PRIMARY);
  const directName = read.renamed('DATABASE_DIRECT_URL', 'POSTRIDER_LISTEN_URL');
  const databaseDirectUrl = read.databaseUrl(directName, PRIMARY);
  if (databaseDirectUrl !== undefined && read.text('DATABASE_URL') === undefined)
    read.problems.push(`${directName} needs DATABASE_URL: it is another way to the same database.`);
  return {
    databaseUrl,
    databaseReadUrl: read.databaseUrl('DATABASE_READ_URL', STANDBY),
    databaseDirectUrl,
    databasePort: read.optionalInteger('POSTRIDER_DATABASE_PORT', 1, 65_535),
    preparedStatements: read.optionalBoolean('POSTRIDER_PREPARED_STATEMENTS'),
    ...cellsConfig(read, PRIMARY),
  };
}
