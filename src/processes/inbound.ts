/** The inbound process: `node dist/processes/inbound.js`, against DATABASE_URL. Any number may run side by side. */
import { systemClock } from '../kit/runtime/clock.ts';
import { type Config, loadConfig } from '../kit/runtime/config.ts';
import { createLog } from '../kit/runtime/log.ts';
import { goAhead } from './go-ahead.ts';
import { InboundServer } from './inbound-server.ts';
import { openRoleDatabase, waitForSchema } from './role.ts';
import { serveMetrics } from './role-metrics.ts';
import { exitWhenAsked } from './stop-signals.ts';

try {
  await run();
} catch (error) {
  createLog('inbound').fatal(error instanceof Error ? error.message : String(error));
  process.exit(1);
}

async function run(): Promise<void> {
  const config = loadConfig(await goAhead());
  const log = createLog('inbound', config.logLevel);
  const { db } = openRoleDatabase('inbound', config, log);
  const metrics = await serveMetrics('inbound', config.inbound.metricsPort, config, log);
  const server = new InboundServer({ config, log, clock: systemClock, db, metrics });
  exitWhenAsked(async () => {
    await server.stop();
    await db.close();
  });
  await waitForSchema(db, log);
  await server.start().catch((error: NodeJS.ErrnoException) => {
    throw new Error(explain(error, config));
  });
  log.info({ port: server.port, host: config.hostname }, 'taking bounces and complaints');
}

function explain(error: NodeJS.ErrnoException, { inbound }: Config): string {
  const { host, port } = inbound;
  if (error.code === 'EADDRINUSE') {
    return `Port ${port} on ${host} is taken by another program. Set POSTRIDER_INBOUND_PORT to a free port.`;
  }
  if (error.code === 'EACCES') {
    return `This user may not listen on port ${port}. Set POSTRIDER_INBOUND_PORT to one above 1023.`;
  }
  return error.message;
}
