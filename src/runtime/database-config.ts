/** How processes connect to PostgreSQL. */
import { type CellConfig, cellsConfig } from './cells-config.ts';
import type { Reader } from './config-reader.ts';

export interface DatabaseConfig {
  /** Undefined means the embedded database. */
  readonly databaseUrl: string | undefined;
  /** A standby of the database, for lists, statistics and events. */
  readonly databaseReadUrl: string | undefined;
  /**
   * PostgreSQL's own address when `databaseUrl` leads through a pooler, for operations that need their own
   * session.
   */
  readonly databaseDirectUrl: string | undefined;
  readonly databasePort: number | undefined;
  /** Undefined means wherever prepared statements work. */
  readonly preparedStatements: boolean | undefined;
  /** Cells in addition to the first, which is at `databaseUrl`. */
  readonly cells: readonly CellConfig[];
  /** The cell that a worker serves and that commands on all organizations use; undefined means the first. */
  readonly cell: string | undefined;
}

/** Permitted values of `target_session_attrs`. */
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
