/** Writes the route table of a test's database like an operator. */

import type { Database } from '../../src/database/database.ts';
import { PROVIDER_PROFILES } from '../../src/delivery/scheduler/providers.ts';
import { relayPasswordBox } from '../../src/routing/password-box.ts';
import { type RoutingDeps, replaceTable, type WantedTable } from '../../src/routing/service.ts';
import { routeVersion, type StoredTable } from '../../src/routing/store.ts';
import { parseConfig } from '../../src/runtime/config.ts';
import { loadKeyRing } from '../../src/runtime/key-store.ts';
import { TEST_SECRET_KEY } from './secret-key.ts';
import type { SmtpSink } from './smtp-sink.ts';

export function routingDeps(db: Database, secretKey = TEST_SECRET_KEY): RoutingDeps {
  const ring = loadKeyRing(parseConfig({ POSTRIDER_SECRET_KEY: secretKey }));
  return { db, box: relayPasswordBox(ring), providers: PROVIDER_PROFILES.map(({ name }) => name) };
}

/** Replaces the route table, whatever its version. */
export async function setRoutes(db: Database, table: Omit<WantedTable, 'version'>): Promise<StoredTable> {
  return replaceTable(routingDeps(db), { ...table, version: await routeVersion(db) });
}

export function relayTo(name: string, { address, port }: SmtpSink, more: object = {}) {
  return { kind: 'relay' as const, name, url: `smtp://${address}:${port}`, ...more };
}

/** Consecutive steps with one transport each. */
export function inTurn(...transports: readonly string[]) {
  return transports.map((transport) => ({ choices: [{ transport }] }));
}
