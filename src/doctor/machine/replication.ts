/**
 * Several PostgreSQL hosts per cell: which one accepts writes, and whether commits are replicated
 * synchronously.
 */
import { MAIN_CELL } from '../../database/database.ts';
import { type HostState, probeHostRole } from '../../database/host-finder.ts';
import { type Sql, sql } from '../../database/sql.ts';
import { databasePlaces } from '../../runtime/database-url.ts';
import { doctorCheck } from '../doctor-check.ts';
import { type DoctorContext, databaseOf } from '../doctor-context.ts';
import type { Observation } from '../finding.ts';

interface HostFacts {
  readonly name: string;
  /** The host's state, or why it could not be queried. */
  readonly state: HostState | string;
}

export interface ReplicationFacts {
  /** The hosts in its address, if there are several. */
  readonly hosts: readonly HostFacts[];
  /** The hosts in DATABASE_READ_URL; only for the first cell. */
  readonly readHosts: readonly HostFacts[];
  readonly synchronous_standby_names: string;
  readonly synchronous_commit: string;
  /** Standbys connected now; their state is null when this account may not read it. */
  readonly standbys: readonly { readonly name: string | null; readonly state: string | null }[];
}

/** Identifies the server: cells that share one are reported once. */
type FromDatabase = Omit<ReplicationFacts, 'hosts' | 'readHosts'> & { readonly server: string };

interface CellReplication {
  readonly cell: string;
  readonly facts: ReplicationFacts;
}

const selectReplication = sql<FromDatabase>(
  'doctor.replication',
  `SELECT current_setting('synchronous_standby_names') AS synchronous_standby_names,
          current_setting('synchronous_commit') AS synchronous_commit,
          pg_postmaster_start_time()::text || ' ' || current_setting('port') AS server,
          (SELECT coalesce(json_agg(json_build_object('name', application_name, 'state', sync_state)), '[]')
           FROM pg_stat_replication) AS standbys`,
  { home: 'either' },
);

export const replicationCheck = doctorCheck({
  name: 'replication',
  isQuick: true,
  needsDatabase: true,
  matters: 'If PostgreSQL is lost with its disk, only the data of a standby remains.',
  gather: gatherCells,
  judge: judgeEach,
});

/** For cells that answer, the first one first. A separate check reports the others. */
async function gatherCells(context: DoctorContext): Promise<readonly CellReplication[]> {
  const { databaseUrl, databaseReadUrl, cells } = context.config;
  const [main, ...others] = databaseOf(context).cells;
  const urls = new Map(cells.map(({ name, url }) => [name, url]));
  const asked = others.map(({ name, db }) =>
    gatherReplication(db, urls.get(name), undefined).then(
      (one) => [{ cell: name, ...one }],
      () => [],
    ),
  );
  const first = await gatherReplication(main?.db ?? databaseOf(context), databaseUrl, databaseReadUrl);
  const found = [{ cell: MAIN_CELL, ...first }, ...(await Promise.all(asked)).flat()];
  return found.filter(({ server, facts }, i) => {
    const isKnown = found.slice(0, i).some((other) => other.server === server);
    return !isKnown || facts.hosts.length > 0;
  });
}

async function gatherReplication(db: Sql, url: string | undefined, readUrl: string | undefined) {
  const named = hostsOf(url);
  const [hosts, readHosts, { server, ...facts }] = await Promise.all([
    Promise.all(named.length > 1 ? named.map(factsOf) : []),
    Promise.all(hostsOf(readUrl).map(factsOf)),
    db.one(selectReplication),
  ]);
  return { server, facts: { hosts, readHosts, ...facts } };
}

function hostsOf(url: string | undefined) {
  return url === undefined ? [] : databasePlaces(url);
}

async function factsOf(place: ReturnType<typeof databasePlaces>[number]): Promise<HostFacts> {
  const state = await probeHostRole(place).catch((error: Error) => error.message || error.name);
  return { name: place.name, state };
}

function judgeEach(cells: readonly CellReplication[]): Observation[] {
  const found = cells.flatMap(({ cell, facts }) =>
    judgeReplication(facts, cell === MAIN_CELL ? 'DATABASE_URL' : 'POSTRIDER_CELLS').map((one) => ({
      ...one,
      seen: cell === MAIN_CELL ? one.seen : `The cell ${cell}: ${one.seen}`,
    })),
  );
  const wrong = found.filter(({ level }) => level !== 'ok');
  return wrong.length > 0 ? wrong : [{ level: 'ok', seen: found.map(({ seen }) => seen).join(' ') }];
}

/** `setting` is the one that lists its hosts. */
export function judgeReplication(facts: ReplicationFacts, setting = 'DATABASE_URL'): Observation[] {
  const wrong = [
    ...judgeHosts(facts.hosts, setting),
    ...judgeStandbys(facts, setting),
    ...judgeReadHosts(facts.readHosts),
  ];
  return wrong.length > 0 ? wrong : [{ level: 'ok', seen: wellSaid(facts) }];
}

function judgeHosts(hosts: readonly HostFacts[], setting: string): Observation[] {
  const writing = hosts.filter(({ state }) => typeof state !== 'string' && !state.onlyReads);
  const silent = hosts.flatMap(({ name, state }): Observation[] =>
    typeof state === 'string'
      ? [
          {
            level: 'warn',
            seen: `${name}, which ${setting} names, cannot be reached: ${state}.`,
            why: 'One host less can take over.',
            fix: `Start it, or take it out of ${setting}.`,
          },
        ]
      : [],
  );
  if (writing.length < 2) return silent;
  const both: Observation = {
    level: 'bad',
    seen: `${writing.map(({ name }) => name).join(' and ')} all accept writes.`,
    why: 'Only one of these hosts has all mail, and mail that the others accepted is lost.',
    fix: 'Stop all hosts except the leader of your cluster manager, and make the others standbys of the leader.',
  };
  return [both, ...silent];
}

function judgeStandbys(facts: ReplicationFacts, setting: string): Observation[] {
  const { hosts, standbys, synchronous_standby_names: names, synchronous_commit: commit } = facts;
  if (hosts.length === 0 && standbys.length === 0 && names === '') return [];
  if (names === '' || ['off', 'local'].includes(commit))
    return [
      {
        level: 'warn',
        seen:
          names === ''
            ? 'Commits do not wait for a standby (synchronous_standby_names is empty).'
            : `Commits do not wait for a standby (synchronous_commit = ${commit}).`,
        why: 'A standby that takes over lacks mail that was answered 201 moments before.',
        fix: "In psql: ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)'; ALTER SYSTEM SET synchronous_commit = on; SELECT pg_reload_conf(); With Patroni: synchronous_mode and synchronous_mode_strict.",
      },
    ];
  if (standbys.some(({ state }) => state === 'sync' || state === 'quorum')) return unflushed(commit);
  if (standbys.some(({ state }) => state === null))
    return [
      {
        level: 'unknown',
        seen: 'This account may not see whether a standby is synchronous.',
        fix: `In psql: GRANT pg_monitor TO the account of its address in ${setting}.`,
      },
    ];
  return [
    {
      level: 'bad',
      seen: `Commits wait for a standby, and no standby is connected (synchronous_standby_names = '${names}').`,
      why: 'Nothing can be stored: every send is answered with 503 until a standby is back.',
      fix: 'Start a standby. If no standby is available, and you accept mail on a single disk: ALTER SYSTEM RESET synchronous_standby_names; SELECT pg_reload_conf();',
    },
  ];
}

function unflushed(commit: string): Observation[] {
  if (commit !== 'remote_write') return [];
  return [
    {
      level: 'warn',
      seen: 'Commits wait until a standby has them in memory, not on its disk (synchronous_commit = remote_write).',
      why: 'If primary and standby lose power together, mail that was answered 201 in the last moments is lost.',
      fix: 'In psql: ALTER SYSTEM SET synchronous_commit = on; SELECT pg_reload_conf();',
    },
  ];
}

function judgeReadHosts(hosts: readonly HostFacts[]): Observation[] {
  if (hosts.length === 0 || hosts.some(({ state }) => typeof state !== 'string' && state.isStandby))
    return [];
  const seen = hosts.map(
    ({ name, state }) => `${name} (${typeof state === 'string' ? state : 'no standby'})`,
  );
  return [
    {
      level: 'warn',
      seen: `DATABASE_READ_URL names no reachable standby: ${seen.join(', ')}.`,
      why: 'Lists, searches and statistics are read from the primary meanwhile.',
      fix: 'Start the standby, or correct DATABASE_READ_URL.',
    },
  ];
}

function wellSaid({ hosts, standbys }: ReplicationFacts): string {
  const second = standbys.filter(({ state }) => state === 'sync' || state === 'quorum');
  if (second.length === 0) return 'This PostgreSQL has no standby.';
  const names = second.map(({ name }) => name).join(', ');
  const writing = hosts.find(({ state }) => typeof state !== 'string' && !state.onlyReads);
  const takes = writing === undefined ? '' : `${writing.name} accepts writes. `;
  return `${takes}A commit is answered when a standby has it on its disk, too (${names}).`;
}
