/** The real inbound server in this process, on its own port, and a raw SMTP client. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type InboundDeps, InboundServer } from '../../src/processes/inbound-server.ts';
import { encodeReference, returnPathOf } from '../../src/protocols/message/return-path.ts';
import { type Clock, systemClock } from '../../src/runtime/clock.ts';
import { parseConfig } from '../../src/runtime/config.ts';
import { createLog } from '../../src/runtime/log.ts';
import { SecretKey } from '../../src/runtime/secret-key.ts';
import type { TestDatabase } from './database.ts';
import { TEST_SECRET_KEY } from './secret-key.ts';

export const INBOUND_HOST = 'bounces.postrider.test';

export interface TestInbound {
  readonly port: number;
  stop(): Promise<void>;
}

export interface TestInboundOptions
  extends Pick<
    InboundDeps,
    | 'caps'
    | 'limits'
    | 'receiver'
    | 'readsNothing'
    | 'certificateRoundMs'
    | 'metrics'
    | 'statfs'
    | 'receivingLimits'
    | 'readingLeaseMs'
  > {
  readonly clock?: Clock;
  readonly env?: Readonly<Record<string, string>>;
}

export async function startInbound(
  database: TestDatabase,
  { clock = systemClock, env = {}, ...options }: TestInboundOptions = {},
): Promise<TestInbound> {
  const dataDir = mkdtempSync(join(tmpdir(), 'postrider-inbound-'));
  const server = new InboundServer({
    ...options,
    config: parseConfig({
      POSTRIDER_DATA_DIR: dataDir,
      POSTRIDER_SECRET_KEY: TEST_SECRET_KEY,
      POSTRIDER_HOSTNAME: INBOUND_HOST,
      POSTRIDER_INBOUND_PORT: '0',
      ...env,
    }),
    log: createLog('test', 'silent'),
    clock,
    db: database.db,
  });
  await server.start();
  return {
    port: server.ports[0] ?? 0,
    async stop() {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export interface Delivery {
  readonly organizationId: string;
  readonly emailId: string;
  readonly position: number;
}

/** The reference of a delivery, made with the key of the tests. */
export function referenceOf(delivery: Delivery, lastAttemptMs: number = Date.now()): string {
  const key = new SecretKey(Buffer.from(TEST_SECRET_KEY)).derive('return-path');
  return encodeReference(delivery, key, lastAttemptMs);
}

export function returnPathTo(delivery: Delivery, lastAttemptMs?: number): string {
  return returnPathOf(referenceOf(delivery, lastAttemptMs), INBOUND_HOST);
}
