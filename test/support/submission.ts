/** The real submission server in this process, on its own ports, and SMTP clients. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { selfSigned } from '../../src/certificates/self-signed.ts';
import { SubmissionServer, type SubmissionServerDeps } from '../../src/processes/submission-server.ts';
import { type Clock, systemClock } from '../../src/runtime/clock.ts';
import { parseConfig } from '../../src/runtime/config.ts';
import { createLog } from '../../src/runtime/log.ts';
import type { TestDatabase } from './database.ts';
import { TEST_SECRET_KEY } from './secret-key.ts';

export const SUBMISSION_HOST = 'localhost';

export interface TestSubmission {
  readonly port: number;
  /** The port with TLS from the first byte; 0 if there is none. */
  readonly tlsPort: number;
  /** The certificate that clients must trust. */
  readonly ca: string;
  readonly server: SubmissionServer;
  stop(): Promise<void>;
}

export interface TestSubmissionOptions
  extends Pick<SubmissionServerDeps, 'receiver' | 'metrics' | 'statfs' | 'certificateRoundMs'> {
  readonly clock?: Clock;
  readonly env?: Readonly<Record<string, string>>;
  /** Live mode, with a certificate. */
  readonly live?: boolean;
}

export async function startSubmission(
  database: TestDatabase,
  { clock = systemClock, env = {}, live = false, ...options }: TestSubmissionOptions = {},
): Promise<TestSubmission> {
  const dataDir = mkdtempSync(join(tmpdir(), 'postrider-submission-'));
  const { cert, key } = selfSigned(SUBMISSION_HOST, Date.now());
  const files = { cert: join(dataDir, 'cert.pem'), key: join(dataDir, 'key.pem') };
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key);
  const secured = {
    POSTRIDER_MODE: 'live',
    POSTRIDER_INBOUND_TLS_CERT: files.cert,
    POSTRIDER_INBOUND_TLS_KEY: files.key,
    POSTRIDER_SUBMISSION_TLS_PORT: '0',
    POSTRIDER_SUBMISSION_HOST: '127.0.0.1',
  };
  const server = new SubmissionServer({
    ...options,
    config: parseConfig({
      POSTRIDER_DATA_DIR: dataDir,
      POSTRIDER_SECRET_KEY: TEST_SECRET_KEY,
      POSTRIDER_HOSTNAME: SUBMISSION_HOST,
      POSTRIDER_SUBMISSION_PORT: '0',
      POSTRIDER_RATE_LIMIT: '1000000',
      ...(live ? secured : {}),
      ...env,
    }),
    log: createLog('test', 'silent'),
    clock,
    db: database.db,
  });
  await server.start();
  const [port = 0, tlsPort = 0] = server.ports;
  return {
    port,
    tlsPort,
    ca: cert,
    server,
    async stop() {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The id in the reply to a message. */
export function idIn(reply: string): string {
  const id = /^250 2\.0\.0 Ok: queued as ([0-9a-f-]{36})$/.exec(reply.trim())?.[1];
  if (id === undefined) throw new Error(`No id in: ${reply}`);
  return id;
}
