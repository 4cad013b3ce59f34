/** The submission process: `node dist/processes/submission.js`, against DATABASE_URL. Any number may run side by side. */
import { systemClock } from '../kit/runtime/clock.ts';
import { type Config, loadConfig } from '../kit/runtime/config.ts';
import { createLog } from '../kit/runtime/log.ts';
import { goAhead } from './go-ahead.ts';
import { openRoleDatabase, waitForSchema } from './role.ts';
import { serveMetrics } from './role-metrics.ts';
import { exitWhenAsked } from './stop-signals.ts';
import { SubmissionServer } from './submission-server.ts';

try {
  await run();
} catch (error) {
  createLog('submission').fatal(error instanceof Error ? error.message : String(error));
  process.exit(1);
}

async function run(): Promise<void> {
  const config = loadConfig(await goAhead());
  const log = createLog('submission', config.logLevel);
  const { db } = openRoleDatabase('submission', config, log);
  const metrics = await serveMetrics('submission', config.submission.metricsPort, config, log);
  const server = new SubmissionServer({ config, log, clock: systemClock, db, metrics });
  exitWhenAsked(async () => {
    await server.stop();
    await db.close();
  });
  await waitForSchema(db, log);
  await server.start().catch((error: NodeJS.ErrnoException) => {
    throw new Error(explain(error, config));
  });
  log.info({ ports: server.ports, host: config.hostname }, 'taking mail over SMTP');
}

function explain(error: NodeJS.ErrnoException & { readonly port?: number }, { submission }: Config): string {
  const port = error.port ?? submission.port;
  const name = port === submission.tlsPort ? 'POSTRIDER_SUBMISSION_TLS_PORT' : 'POSTRIDER_SUBMISSION_PORT';
  if (error.code === 'EADDRINUSE') {
    return `Port ${port} on ${submission.host} is taken by another program. Set ${name} to a free port.`;
  }
  if (error.code === 'EACCES')
    return `This user may not listen on port ${port}. Set ${name} to one above 1023.`;
  return error.message;
}
