/**
 * What is fuzzed: the built API and a worker as processes of their own, in sandbox mode, on a database that the caller
 * gives, with two organizations that know nothing of each other and a key of every kind for each.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApiKey } from '../../src/accounts/api-keys/service.ts';
import type { Database } from '../../src/database/database.ts';
import { insertDomain } from '../../src/domains/store.ts';
import { bootstrap } from '../../src/operations/bootstrap.ts';
import { createOrganization } from '../../src/organizations/service.ts';
import type { DomainName } from '../../src/protocols/message/domain-name.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { parseConfig } from '../../src/runtime/config.ts';
import { newId } from '../../src/runtime/ids.ts';
import type { Scope } from '../../src/runtime/permissions.ts';
import { freePort } from '../processes/supervised.ts';
import { domainName } from '../support/addresses.ts';
import { type HeldTurn, LoopWatch } from '../support/loop-watch.ts';
import { Role } from '../support/role.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';
import { until } from '../support/until.ts';
import { ApiDescription, type Document } from './document.ts';
import { IdPool } from './id-pool.ts';

export interface FuzzOrganization {
  readonly id: string;
  readonly domain: string;
  readonly mark: string;
  readonly ids: IdPool;
  readonly callers: readonly Caller[];
}

/** Somebody who asks: a key of some kind, or a person. */
export interface Caller {
  readonly kind: 'full' | 'send' | 'read' | 'domain' | 'owner' | 'nobody';
  readonly headers: Readonly<Record<string, string>>;
}

export interface FuzzFixture {
  readonly url: string;
  readonly db: Database;
  readonly api: ApiDescription;
  readonly organizations: readonly [FuzzOrganization, FuzzOrganization];
  /** Turns of the event loop of the API that took more than 50 ms of processor time. */
  readonly loop: ApiLoop;
  /** What the processes complained about. */
  readonly complaints: () => string;
  stop(): Promise<void>;
}

export interface ApiLoop {
  turns(): Promise<readonly HeldTurn[]>;
  heldEachTimeMs(work: () => Promise<unknown>): Promise<number>;
}

const ADMIN = { email: 'owner@example.org', password: 'correct horse battery' };

/** `planted`: modules to load into the API, for tests of the fuzzer itself. */
export async function openFuzzFixture(
  databaseUrl: string,
  db: Database,
  ...planted: readonly URL[]
): Promise<FuzzFixture> {
  const config = { POSTRIDER_ADMIN_EMAIL: ADMIN.email, POSTRIDER_ADMIN_PASSWORD: ADMIN.password };
  const { organizationId } = await bootstrap(
    db,
    parseConfig({ POSTRIDER_SECRET_KEY: TEST_SECRET_KEY, ...config }),
    systemClock,
  );
  const roles = await startRoles(databaseUrl, planted);
  try {
    return await equipped(roles, db, organizationId);
  } catch (error) {
    await roles.stop();
    throw error;
  }
}

async function equipped(roles: Roles, db: Database, firstId: string): Promise<FuzzFixture> {
  const { url, api, worker, watch } = roles;
  const owner = await signIn(url);
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Document;
  const { id: secondId } = await createOrganization(db, systemClock, { name: 'zqbeta', dailyLimit: 0 });
  return {
    url,
    db,
    api: new ApiDescription(document),
    organizations: [await equip(db, firstId, 'zqalpha', [owner]), await equip(db, secondId, 'zqbeta', [])],
    loop: {
      turns: () => watch.turns(api.pid),
      heldEachTimeMs: (work) => watch.heldEachTimeMs(api.pid, work),
    },
    complaints: () => api.output + worker.output,
    stop: () => roles.stop(),
  };
}

interface Roles {
  readonly url: string;
  readonly api: Role;
  readonly worker: Role;
  readonly watch: LoopWatch;
  stop(): Promise<void>;
}

async function startRoles(databaseUrl: string, planted: readonly URL[]): Promise<Roles> {
  const dataDir = mkdtempSync(join(tmpdir(), 'postrider-fuzz-'));
  const port = await freePort();
  const env = {
    DATABASE_URL: databaseUrl,
    POSTRIDER_DATA_DIR: dataDir,
    POSTRIDER_PORT: String(port),
    POSTRIDER_SECRET_KEY: TEST_SECRET_KEY,
    POSTRIDER_RATE_LIMIT: '10000000',
    POSTRIDER_LOG_LEVEL: 'error',
  };
  const watch = new LoopWatch(join(dataDir, 'held-turns'));
  const api = new Role('api', { ...env, ...watch.env(...planted) });
  const worker = new Role('worker', env);
  api.start();
  worker.start();
  const url = `http://127.0.0.1:${port}`;
  await until(async () => {
    if (!api.isRunning) throw new Error(`The API ended before it was ready:\n${api.output}`);
    return (await fetch(`${url}/readyz`).catch(() => null))?.ok;
  });
  return {
    url,
    api,
    worker,
    watch,
    async stop() {
      await Promise.all([api.end('SIGTERM'), worker.end('SIGTERM')]);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A verified domain and a key of every kind, beside the people it has. */
async function equip(
  db: Database,
  id: string,
  mark: string,
  people: readonly Caller[],
): Promise<FuzzOrganization> {
  const domain = domainName(`${mark}.test`);
  const now = new Date();
  await insertDomain(db, {
    id: newId('dom'),
    organization_id: id,
    domain,
    spf_verified: true,
    dkim_verified: true,
    verified_at: now,
    created_at: now,
  });
  const keyed = async (
    kind: Caller['kind'],
    scope: Scope,
    tied: DomainName | null = null,
  ): Promise<Caller> => {
    const key = { name: `${mark} ${kind}`, scope, domain: tied, expiresAt: null };
    const { secret } = await createApiKey(db, systemClock, id, key);
    return { kind, headers: { authorization: `Bearer ${secret}` } };
  };
  const callers = [
    await keyed('full', 'full'),
    await keyed('send', 'send'),
    await keyed('read', 'read'),
    await keyed('domain', 'send', domain),
    ...people,
  ];
  return { id, domain, mark, ids: new IdPool(), callers };
}

async function signIn(url: string): Promise<Caller> {
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const body = JSON.stringify(ADMIN);
  const answer = await fetch(`${url}/api/v1/auth/sign-in`, { method: 'POST', headers, body });
  const [cookie = ''] = answer.headers.get('set-cookie')?.split(';') ?? [];
  if (answer.status !== 200) throw new Error(`sign-in answered ${answer.status}: ${await answer.text()}`);
  return { kind: 'owner', headers: { cookie, 'sec-fetch-site': 'same-origin' } };
}
