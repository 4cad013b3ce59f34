/** PostgreSQL: its version, and settings that endanger its data. */
import { type Sql, sql } from '../../database/sql.ts';
import { doctorCheck } from '../doctor-check.ts';
import { databaseOf } from '../doctor-context.ts';
import type { Observation } from '../finding.ts';

export interface DatabaseFacts {
  /** 180001 is 18.1. */
  readonly version: number;
  readonly fsync: string;
  readonly synchronous_commit: string;
  readonly full_page_writes: string;
  readonly server_encoding: string;
  readonly is_standby: boolean;
}

const selectSettings = sql<DatabaseFacts>(
  'doctor.settings',
  `SELECT current_setting('server_version_num')::int AS version,
          current_setting('fsync') AS fsync,
          current_setting('synchronous_commit') AS synchronous_commit,
          current_setting('full_page_writes') AS full_page_writes,
          current_setting('server_encoding') AS server_encoding,
          pg_is_in_recovery() AS is_standby`,
  { home: 'either' },
);

const TESTED_VERSION = 18;

export const databaseCheck = doctorCheck({
  name: 'database',
  isQuick: true,
  needsDatabase: true,
  matters: 'The database has all mail. Data that the database loses cannot be restored without a backup.',
  gather: (context) => readSettings(databaseOf(context)),
  judge: judgeDatabase,
});

export function readSettings(db: Sql): Promise<DatabaseFacts> {
  return db.one(selectSettings);
}

export function judgeDatabase(facts: DatabaseFacts): Observation[] {
  const major = Math.floor(facts.version / 10_000);
  const number = `PostgreSQL ${major}.${facts.version % 10_000}`;
  const wrong = [...unsafeSettings(facts), ...olderThanTested(major, number), ...unfit(facts)];
  if (wrong.length > 0) return wrong;
  return [
    {
      level: 'ok',
      seen: `${number} waits for the disk before it confirms a commit (fsync, synchronous_commit, full_page_writes).`,
    },
  ];
}

function unsafeSettings(facts: DatabaseFacts): Observation[] {
  const settings = [
    ['fsync', 'A power failure damages the whole database, beyond repair.'],
    ['synchronous_commit', 'A crash loses mail that was accepted (201) moments before.'],
    [
      'full_page_writes',
      'A power failure damages pages of the database, unless the file system writes whole pages at once (ZFS).',
    ],
  ] as const;
  return settings
    .filter(([name]) => facts[name] === 'off')
    .map(([name, why]) => ({
      level: 'bad',
      seen: `PostgreSQL runs with ${name} = off.`,
      why,
      fix: turnOn(name),
    }));
}

/** A setting of the role or database overrides the server's. */
function turnOn(name: string): string {
  const forAll = `ALTER SYSTEM SET ${name} = on; SELECT pg_reload_conf();`;
  return name === 'synchronous_commit'
    ? `In psql: ${forAll} If it stays off, it is set for the role or the database (\\drds shows where): ALTER ROLE … RESET synchronous_commit;`
    : `In psql: ${forAll}`;
}

function olderThanTested(major: number, number: string): Observation[] {
  if (major >= TESTED_VERSION) return [];
  const why = 'Statements may be slower, or fail.';
  const fix = `Upgrade PostgreSQL to version ${TESTED_VERSION}.`;
  return [
    { level: 'warn', seen: `This is ${number}; Postrider is tested with ${TESTED_VERSION}.`, why, fix },
  ];
}

function unfit({ server_encoding: encoding, is_standby: isStandby }: DatabaseFacts): Observation[] {
  const standby: Observation[] = isStandby
    ? [
        {
          level: 'bad',
          seen: 'This PostgreSQL is a standby, which takes no writes.',
          fix: 'Let DATABASE_URL name the primary.',
        },
      ]
    : [];
  if (encoding === 'UTF8') return standby;
  const why = 'Mail has characters of every script. Mail with characters that the encoding lacks is refused.';
  const fix =
    "Dump it, create it anew and restore: CREATE DATABASE postrider ENCODING 'UTF8' TEMPLATE template0;";
  return [
    ...standby,
    { level: 'bad', seen: `The encoding of the database is ${encoding}, not UTF8.`, why, fix },
  ];
}
