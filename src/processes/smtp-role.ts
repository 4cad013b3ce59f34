/** Runs a role with an SMTP server as a process. */
import type { Database } from '../database/database.ts';
import { outageOf } from '../database/errors.ts';
import { type Clock, systemClock } from '../runtime/clock.ts';
import { type Config, loadConfig } from '../runtime/config.ts';
import type { Service } from '../runtime/lifecycle.ts';
import { createLog, type Log } from '../runtime/log.ts';
import { mapStacks } from '../runtime/mapped-stacks.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { startExitCode } from '../runtime/refused-start.ts';
import type { Tracer } from '../runtime/tracing.ts';
import { checkCells, waitForSchema } from './check-cells.ts';
import { explainListen, type ListensAt } from './listen-problem.ts';
import { announceReady } from './ready.ts';
import { openRoleDatabase, serveMetrics } from './role.ts';
import { exitWhenAsked } from './stop-signals.ts';
import { waitForGo } from './wait-for-go.ts';

interface SmtpRoleDeps {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly db: Database;
  readonly metrics: Metrics | undefined;
  readonly tracer: Tracer | undefined;
  readonly onRefused: (problem: string) => void;
}

interface SmtpServer extends Service {
  readonly ports: readonly number[];
  /** Accepts no new connections, and resolves when all are closed. */
  retire(): Promise<void>;
}

interface SmtpRole {
  readonly name: 'inbound' | 'submission';
  readonly create: (deps: SmtpRoleDeps) => SmtpServer;
  /** Set when the role's work belongs to a mail's trace. */
  readonly trace?: (role: string, config: Config, log: Log) => Promise<Tracer | undefined>;
  /** The log message when it is ready. */
  readonly says: string;
  /** `port` is the unavailable one, if known. */
  readonly listensAt: (config: Config, port: number | undefined) => ListensAt;
}

/** Ends the process if it cannot start. */
export async function runSmtpRole(role: SmtpRole): Promise<void> {
  try {
    await run(role);
  } catch (error) {
    giveUp(role.name, error);
  }
}

function giveUp(role: string, error: unknown): never {
  createLog(role).fatal(error instanceof Error ? error.message : String(error));
  process.exit(startExitCode(error));
}

async function run({ name, create, trace, says, listensAt }: SmtpRole): Promise<void> {
  mapStacks();
  const config = loadConfig(await waitForGo());
  const log = createLog(name, config.logLevel, { outageOf });
  const opened = openRoleDatabase(name, config, log);
  const { db, directory, close } = opened;
  const metrics = await serveMetrics(name, config, log);
  const tracer = await trace?.(name, config, log);
  const onRefused = (problem: string) => giveUp(name, problem);
  const server = create({ config, log, clock: systemClock, db, metrics, tracer, onRefused });
  exitWhenAsked({
    stop: async () => {
      await server.stop();
      await tracer?.stop();
      await close();
    },
    retire: () => server.retire(),
  });
  await waitForSchema(db, log);
  await checkCells(opened, log, (error) => giveUp(name, error));
  await directory?.start();
  await server.start().catch((error: NodeJS.ErrnoException & { readonly port?: number }) => {
    throw explainListen(error, listensAt(config, error.port));
  });
  log.info({ ports: server.ports, host: config.hostname }, says);
  announceReady();
}
