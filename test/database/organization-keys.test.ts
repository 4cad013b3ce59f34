/**
 * The organization is part of the key of all that is an organization's, and of every statement that changes a row of it: what
 * replicating or moving the mail of one organization stands on (docs/decisions/0039-organization-in-every-key.md).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { allStatements, sourceFiles } from '../support/statements.ts';
import { conflictClauses, writesIn } from './writes-in.ts';

/** Tables that are no organization's, and why. */
const OF_THE_INSTALLATION: Readonly<Record<string, string>> = {
  organizations: 'who there is',
  users: 'people, who may be in several organizations',
  account_links: 'of people',
  second_factor_failures: 'of people',
  sign_in_attempts: 'of people',
  sessions: 'of people: one moves from organization to organization',
  holds: 'one may be for everybody, and workers know all that are in force',
  request_shares: 'counts of callers, who may be addresses on the network',
  workers: 'deliver for everybody',
  sending_workers: 'as workers',
  sites: 'what a provider takes, it takes from all together',
  site_domains: 'as sites',
  tls_reports: 'about domains that everybody sends to',
  tls_sessions: 'as tls_reports',
  mta_sts_policies: 'what a domain demands, it demands of all senders',
  site_times: 'as sites',
  source_days: 'what mail of everybody leaves from',
  canaries: 'which way mail of everybody leaves',
  canary_shares: 'as canaries',
  canary_counts: 'as canaries',
  canary_steps: 'as canaries',
  sending_hosts: 'what mail of everybody leaves from',
  transports: 'what mail of everybody leaves through',
  route_table: 'which way mail of everybody leaves',
  worker_sources: 'of workers',
  own_dkim_keys: 'sign mail of everybody',
  certificates: 'of the installation',
  acme_accounts: 'of the installation',
  acme_challenges: 'of the installation',
  data_keys: 'of the installation',
  secret_keys: 'of the installation',
  secret_key_holders: 'of the installation',
  search_backfill: 'goes through the mail of everybody',
  schema_migrations: 'of the schema',
  cell_identity: 'of the database',
};

/** Unique without the organization, and why. */
const UNIQUE_FOR_ALL: Readonly<Record<string, string>> = {
  api_keys_hash_key: 'the organization is found by it',
  invites_hash_key: 'the organization is found by it',
  receiving_names_name: 'mail to a name has one receiver, who is found by it',
  dkim_rotations_of_domain: 'for ON CONFLICT (domain_id) of the version before; goes with the next',
};

/** Statements that change rows of all organizations at once, by what they look for. */
const FOR_ALL: Readonly<Record<string, readonly string[]>> = {
  'what a worker holds': [
    ...['outbox.reclaim_worker', 'outbox.release_orphaned'],
    ...['webhook_deliveries.release', 'webhook_deliveries.release_orphaned'],
  ],
  'what waits, after the clock was set back': [
    ...['outbox.set_back', 'webhook_deliveries.set_back', 'inbound.set_back'],
    'received.set_back',
  ],
  'what is old': [
    ...['sandbox.delete_stale_greylisted', 'inbound.delete_kept', 'mailbox_failures.delete_stale'],
    ...[
      ...['approvals.remove_orphaned', 'key_budgets.remove_before'],
      'suppression_imports.delete',
      'empty_batches.remove_old',
      'collapse_keys.remove_old',
      'hourly_counts.remove_old',
      'stream_counts.remove_old',
      'stream_reactions.remove_old',
    ],
    ...[
      'delivery_counts.remove_old',
      'complaint_counts.remove_old',
      'click_counts.remove_old',
      'api_key_usage.remove_old',
      'email_counts.remove_days',
      'invites.remove_expired',
    ],
    'dkim_rotations.retire',
    'content_weeks.delete',
  ],
  'what only the sandbox vouched for': [
    ...['domains.delete_sandbox', 'domains.recheck_unverified', 'idempotency.delete_sandbox'],
  ],
  'what a person made': ['api_keys.revoke_all_of', 'invites.remove_all_of_maker'],
  'what a link is for': ['invites.take'],
};

interface Key {
  readonly table: string;
  readonly name: string;
  readonly is_primary: boolean;
  readonly has_organization: boolean;
}

const TABLES = `
  SELECT c.relname AS name FROM pg_class c
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace ORDER BY 1`;

/** An expression has the column number 0: it keeps nothing apart that PostgreSQL could tell by the column. */
const KEYS = `
  SELECT t.relname AS table, i.relname AS name, x.indisprimary AS is_primary,
         coalesce(a.attnum = ANY ((x.indkey::smallint[])[0:x.indnkeyatts - 1]), false) AS has_organization
  FROM pg_index x
  JOIN pg_class t ON t.oid = x.indrelid
  JOIN pg_class i ON i.oid = x.indexrelid
  LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attname = 'organization_id'
  WHERE t.relnamespace = 'public'::regnamespace AND NOT t.relispartition AND t.relkind IN ('r', 'p')
    AND (x.indisunique OR x.indisexclusion)
  ORDER BY 1, 2`;

const FUNCTIONS = `
  SELECT proname || '()' AS name, prosrc AS text FROM pg_proc
  WHERE pronamespace = 'public'::regnamespace AND prokind = 'f'`;

const statements = await allStatements();

let test: TestDatabase;
let tables: string[];
let keys: Key[];
let sql: { readonly name: string; readonly text: string }[];
beforeAll(async () => {
  test = await createTestDatabase();
  tables = (await test.db.many(adHoc<{ name: string }>(TABLES))).map(({ name }) => name);
  keys = await test.db.many(adHoc<Key>(KEYS));
  sql = [...statements, ...(await test.db.many(adHoc<{ name: string; text: string }>(FUNCTIONS)))];
});
afterAll(() => test.drop());

const ofOrganizations = () => tables.filter((table) => !(table in OF_THE_INSTALLATION));

describe('the keys of tables', () => {
  it('have the organization in the primary key of every table that is an organization’s', () => {
    const having = new Set(
      keys.filter((key) => key.is_primary && key.has_organization).map(({ table }) => table),
    );
    expect(ofOrganizations().filter((table) => !having.has(table))).toEqual([]);
  });

  it('have the organization, as a column, in whatever else is unique there', () => {
    const theirs = new Set(ofOrganizations());
    const without = keys.filter(({ table, has_organization }) => theirs.has(table) && !has_organization);
    expect(without.map(({ name }) => name).filter((name) => !(name in UNIQUE_FOR_ALL))).toEqual([]);
  });

  it('are excused only where there is something to excuse', () => {
    const without = keys.filter((key) => !key.has_organization);
    const primary = without.filter((key) => key.is_primary).map(({ table }) => table);
    expect(Object.keys(OF_THE_INSTALLATION).filter((table) => !primary.includes(table))).toEqual([]);
    const names = without.map(({ name }) => name);
    expect(Object.keys(UNIQUE_FOR_ALL).filter((name) => !names.includes(name))).toEqual([]);
  });

  it('let the rows of one organization be replicated while all tables are written', async () => {
    const filtered = ofOrganizations().map((table) => `${table} WHERE (organization_id = 'org_moves')`);
    await test.db.exec(
      adHoc(`CREATE PUBLICATION moves FOR TABLE ${filtered.join(', ')} WITH (publish_via_partition_root)`),
    );
    for (const table of ofOrganizations()) {
      await test.db.exec(adHoc(`DELETE FROM ${table} WHERE organization_id = 'org_stays'`));
    }
  });
});

describe('the statements', () => {
  it('name the organization of the rows they change, or are known to be for all of them', () => {
    const theirs = new Set(ofOrganizations());
    const without = sql.filter(({ text }) =>
      writesIn(text).some(({ table, where }) => theirs.has(table) && !/\borganization_id\b/.test(where)),
    );
    expect(without.map(({ name }) => name).toSorted()).toEqual(Object.values(FOR_ALL).flat().toSorted());
  });

  it('find rows by their keys, never by where they lie', () => {
    const naming = [...sql, ...sourceFiles().map(({ file, text }) => ({ name: file, text }))];
    expect(naming.filter(({ text }) => /\bctid\b/i.test(text)).map(({ name }) => name)).toEqual([]);
  });

  it('take the time from outside where rows are in conflict', () => {
    // A time less an interval depends on the session's time zone; the difference of two times does not.
    const changing =
      /\b(now|random|\w+_timestamp|gen_random_uuid|nextval)\s*\(|\bcurrent_(?:time|date)|[-+]\s*(\$\d+\s*\*\s*)?interval\b/i;
    const found = sql.filter(({ text }) => conflictClauses(text).some((clause) => changing.test(clause)));
    expect(found.map(({ name }) => name)).toEqual([]);
  });
});
