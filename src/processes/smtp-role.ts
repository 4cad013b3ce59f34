/** Runs one or more SMTP servers as a process. */
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

interface ProcessDeps {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly db: Database;
  readonly metrics: Metrics | undefined;
  readonly onRefused: (problem: string) => void;
}

interface SmtpServerDeps extends ProcessDeps {
  readonly tracer: Tracer | undefined;
}

interface SmtpServer extends Service {
  readonly ports: readonly number[];
  /** Accepts no new connections, and resolves when all are closed. */
  retire(): Promise<void>;
}

/** How a process creates and starts one of the SMTP servers. */
export interface SmtpServerPlan {
  readonly name: 'inbound' | 'submission';
  readonly create: (deps: SmtpServerDeps) => SmtpServer;
  /** Set when the server's work belongs to a mail's trace. */
  readonly trace?: (role: string, config: Config, log: Log) => Promise<Tracer | undefined>;
  /** The log message when it is ready. */
  readonly says: string;
  /** `port` is the unavailable one, if known. */
  readonly listensAt: (config: Config, port: number | undefined) => ListensAt;
}

/** Ends the process if it cannot start. `plans` chooses the servers. */
export async function runSmtpRole(
  name: string,
  plans: (config: Config) => readonly SmtpServerPlan[],
): Promise<void> {
  try {
    await run(name, plans);
  } catch (error) {
    giveUp(name, error);
  }
}

function giveUp(role: string, error: unknown): never {
  createLog(role).fatal(error instanceof Error ? error.message : String(error));
  process.exit(startExitCode(error));
}

async function run(name: string, plans: (config: Config) => readonly SmtpServerPlan[]): Promise<void> {
  mapStacks();
  const config = loadConfig(await waitForGo());
  const log = createLog(name, config.logLevel, { outageOf });
  const opened = openRoleDatabase(name, config, log);
  const metrics = await serveMetrics(name, config, log);
  const onRefused = (problem: string) => giveUp(name, problem);
  const deps = { config, log, clock: systemClock, db: opened.db, metrics, onRefused };
  const servers = await Promise.all(plans(config).map((plan) => planned(plan, deps)));
  exitWhenAsked({
    stop: async () => {
      await Promise.all(servers.map(({ stop }) => stop()));
      await opened.close();
    },
    retire: async () => {
      await Promise.all(servers.map(({ server }) => server.retire()));
    },
  });
  await waitForSchema(opened.db, log);
  await checkCells(opened, log, (error) => giveUp(name, error));
  await opened.directory?.start();
  for (const { start } of servers) await start();
  announceReady();
}

async function planned({ name, create, trace, says, listensAt }: SmtpServerPlan, deps: ProcessDeps) {
  const { config, log } = deps;
  const tracer = await trace?.(name, config, log);
  const server = create({ ...deps, metrics: deps.metrics?.forRole(name), tracer });
  return {
    server,
    start: async () => {
      await server.start().catch((error: NodeJS.ErrnoException & { readonly port?: number }) => {
        throw explainListen(error, listensAt(config, error.port));
      });
      log.info({ ports: server.ports, host: config.hostname }, says);
    },
    stop: async () => {
      await server.stop();
      await tracer?.stop();
    },
  };
}
