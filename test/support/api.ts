/** The real API with all slices, on a real socket and a database of its own. */

import { createApiKey } from '../../src/accounts/api-keys/service.ts';
import type { Database } from '../../src/database/database.ts';
import type { Outside } from '../../src/doctor/reference-servers.ts';
import { type KeyPairDeps, UNBOUNDED } from '../../src/domains/key-pairs.ts';
import { findByName, insertDomain } from '../../src/domains/store.ts';
import type { UnauthenticatedLimits } from '../../src/http/unauthenticated-quotas.ts';
import { createOrganization } from '../../src/organizations/service.ts';
import { ApiServer } from '../../src/processes/api-server.ts';
import { type Clock, systemClock } from '../../src/runtime/clock.ts';
import { parseConfig } from '../../src/runtime/config.ts';
import type { StatFs } from '../../src/runtime/disk-space.ts';
import { DAY_MS } from '../../src/runtime/durations.ts';
import { newId } from '../../src/runtime/ids.ts';
import { createLog } from '../../src/runtime/log.ts';
import { createMetrics } from '../../src/runtime/metrics.ts';
import type { Scope } from '../../src/runtime/permissions.ts';
import { domainName } from './addresses.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { quickRsa } from './key-pairs.ts';
import { TEST_SECRET_KEY } from './secret-key.ts';

export interface TestApiOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  /** The database of another API, for tests of several processes. A shared database is not dropped. */
  readonly database?: TestDatabase;
  /** Simulates the free space of the disk. */
  readonly statfs?: StatFs;
  /** How often certificates are checked. */
  readonly certificateRoundMs?: number;
  /** How DKIM keys are made. By default none are made in advance, and their number is not limited. */
  readonly keyPairs?: Omit<KeyPairDeps, 'clock'>;
  readonly compileSchemasAtStart?: boolean;
  /** The limits of a client address without an API key. */
  readonly quotas?: Partial<UnauthenticatedLimits>;
  /** The external services that the doctor queries. */
  readonly outside?: Outside;
  /** The database that lists, statistics and events are read from. */
  readonly standby?: Database;
}

export interface TestOrganization {
  readonly id: string;
  /** A key of scope `full`. */
  readonly key: string;
  /** A verified domain, so that mail may be sent from it. */
  readonly domain: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers of every shape and check what they find
  readonly body: any;
}

export interface TestApi {
  readonly url: string;
  /** The ports with TLS, and for ACME challenges. */
  readonly httpsPorts: ApiServer['httpsPorts'];
  readonly db: Database;
  readonly database: TestDatabase;
  /** `path` is relative to /api/v1, or absolute if it begins with /api/ or /v1/. */
  api(method: string, path: string, body?: unknown, key?: string): Promise<Answer>;
  createOrganization(name?: string): Promise<TestOrganization>;
  createKey(
    organizationId: string,
    key?: { scope?: Scope; domain?: string; expiresAt?: Date },
  ): Promise<string>;
  addVerifiedDomain(organizationId: string, domain: string): Promise<void>;
  stop(): Promise<void>;
}

/** Makes the doctor query no external service, because tests use loopback only. */
const NOBODY_OUTSIDE: Outside = {
  receivers: [],
  blocklists: [],
  signedZone: 'signed.example',
  forgedName: 'forged.example',
  timeServers: [],
  timePort: 1,
  inboundPort: 1,
  timeoutMs: 1_000,
  leavesFrom: async () => null,
  machineMaker: async () => null,
};
/** An address without a DNS server. */
const NO_DNS = '127.0.0.1:1';

/** Weak parameters for password hashes. With the real parameters a hash takes a third of a second. */
const CHEAP_PASSWORDS = { ln: 4, r: 8, p: 1 };

let shared: Promise<TestApi> | undefined;

/**
 * One API with default options for all test files of a worker process, because a start takes half a second of processor time. For
 * files that read only organizations of their own, and that need no first user.
 */
export async function sharedApi(): Promise<TestApi> {
  shared ??= startApi();
  // The API ends with its process, and the database with the PostgreSQL server of the run.
  return { ...(await shared), stop: async () => undefined };
}

export async function startApi(options: TestApiOptions = {}): Promise<TestApi> {
  const database = options.database ?? (await createTestDatabase());
  const clock = options.clock ?? systemClock;
  let made = 0;
  // The installation uses the domains of the oldest organization, so this one must be the oldest even with a stopped clock.
  const before = { nowMs: () => clock.nowMs() - 60_000 + made++ };
  const { db } = database;
  const server = new ApiServer({
    config: parseConfig({
      POSTRIDER_PORT: '0',
      POSTRIDER_RATE_LIMIT: '1000000',
      POSTRIDER_SECRET_KEY: TEST_SECRET_KEY,
      // Most tests need several organizations. Few test that creating them is forbidden.
      POSTRIDER_OWNERS_CREATE_ORGANIZATIONS: 'true',
      POSTRIDER_DNS_SERVERS: NO_DNS,
      ...options.env,
    }),
    log: createLog('test', 'silent'),
    clock,
    // A test that moves its clock moves the monotonic clock as well.
    ...(options.clock === undefined ? {} : { steady: options.clock }),
    db,
    standby: options.standby,
    metrics: createMetrics('test'),
    passwordCost: CHEAP_PASSWORDS,
    keyPairs: options.keyPairs ?? { limits: UNBOUNDED, generate: quickRsa },
    compileSchemasAtStart: options.compileSchemasAtStart ?? false,
    ...(options.certificateRoundMs ? { certificateRoundMs: options.certificateRoundMs } : {}),
    ...(options.statfs ? { statfs: options.statfs } : {}),
    ...(options.quotas ? { quotas: options.quotas } : {}),
    outside: options.outside ?? NOBODY_OUTSIDE,
  });
  await server.start();
  const { url } = server;

  return {
    url,
    httpsPorts: server.httpsPorts,
    db,
    database,
    api: (method, path, body, key) => request(url, method, path, body, key),
    async createOrganization(name = 'Acme') {
      const { id } = await createOrganization(db, before, { name, dailyLimit: 0 });
      const domain = `${id.replace('_', '-')}.test`;
      await addVerifiedDomain(db, clock, id, domain);
      return { id, domain, key: await createKey(db, clock, id, {}) };
    },
    createKey: (organizationId, key = {}) => createKey(db, clock, organizationId, key),
    addVerifiedDomain: (organizationId, domain) => addVerifiedDomain(db, clock, organizationId, domain),
    async stop() {
      await server.stop();
      if (options.database === undefined) await database.drop();
    },
  };
}

async function request(
  url: string,
  method: string,
  path: string,
  body: unknown,
  key: string | undefined,
): Promise<Answer> {
  const response = await fetch(/^\/(api|v1)\//.test(path) ? url + path : `${url}/api/v1${path}`, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

async function createKey(
  db: Database,
  clock: Clock,
  organizationId: string,
  key: { scope?: Scope; domain?: string; expiresAt?: Date },
): Promise<string> {
  // A key can only be restricted to an existing domain.
  const domain = key.domain === undefined ? null : domainName(key.domain);
  if (domain !== null && !(await findByName(db, organizationId, domain)))
    await addVerifiedDomain(db, clock, organizationId, domain);
  const { secret } = await createApiKey(db, clock, organizationId, {
    name: 'test',
    scope: key.scope ?? 'full',
    domain,
    expiresAt: key.expiresAt ?? null,
  });
  return secret;
}

async function addVerifiedDomain(
  db: Database,
  clock: Clock,
  organizationId: string,
  domain: string,
): Promise<void> {
  const now = new Date(clock.nowMs());
  await insertDomain(db, {
    id: newId('dom'),
    organization_id: organizationId,
    domain: domainName(domain),
    spf_verified: true,
    dkim_verified: true,
    verified_at: now,
    // As after a check. A check during the test would find nothing in DNS.
    next_check_at: new Date(now.getTime() + DAY_MS),
    created_at: now,
  });
}
