/**
 * The OpenAPI document as the API itself serves it. The server is started without a database, which it only needs
 * to answer for data.
 */
import { Database } from '../../src/database/database.ts';
import { ApiServer } from '../../src/processes/api-server.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { parseConfig } from '../../src/runtime/config.ts';
import { createLog } from '../../src/runtime/log.ts';
import { createMetrics } from '../../src/runtime/metrics.ts';
import type { ApiDocument } from './api-schema.ts';

export async function apiDocument(): Promise<ApiDocument> {
  const log = createLog('sdk', 'silent');
  const db = new Database({ url: 'postgres://127.0.0.1:1/none', log, applicationName: 'sdk' });
  const config = parseConfig({
    POSTRIDER_PORT: '0',
    POSTRIDER_SECRET_KEY: Buffer.alloc(32).toString('base64'),
  });
  const server = new ApiServer({ config, log, db, clock: systemClock, metrics: createMetrics('sdk') });
  await server.start();
  try {
    const response = await fetch(`${server.url}/openapi.json`);
    return (await response.json()) as ApiDocument;
  } finally {
    await server.stop();
    await db.close();
  }
}
