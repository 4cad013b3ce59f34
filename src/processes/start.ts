/**
 * `npm start` runs everything on one machine: starts PostgreSQL, migrates the schema, creates the first
 * organization, runs the roles as processes and restarts them until it is stopped.
 */
import { fileURLToPath } from 'node:url';
import { type Config, ConfigError, loadConfig } from '../runtime/config.ts';
import { createLog } from '../runtime/log.ts';
import { EXIT_CONFIG, startExitCode } from '../runtime/refused-start.ts';
import { Installation } from '../supervisor/installation.ts';
import { onStopRequest } from './stop-signals.ts';

const config = readConfig();
const installation = new Installation({
  config,
  log: createLog('start', config.logLevel),
  say: (line) => console.log(line),
  roles: rolesOf(config),
  commandLine: programAt('./cli.js'),
  env: process.env,
});
onStopRequest({
  stop: () => void installation.stop().then(() => process.exit(0)),
  force: () => {
    if (installation.endWait()) return;
    installation.kill();
    process.exit(1);
  },
  renew: () => installation.restartRoles(),
});
await installation.start().catch(giveUp);

function rolesOf({ separateSmtp }: Config): Record<string, string> {
  return {
    api: programAt('./api.js'),
    worker: programAt('./worker.js'),
    ...(separateSmtp
      ? { inbound: programAt('./inbound.js'), submission: programAt('./submission.js') }
      : { smtp: programAt('./smtp.js') }),
  };
}

function programAt(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}

function readConfig(): Config {
  try {
    return loadConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(EXIT_CONFIG);
  }
}

async function giveUp(error: unknown): Promise<void> {
  // Errors during a stop are expected; the stop in progress ends this process.
  if (installation.isStopping) return;
  const detail = error instanceof Error && config.logLevel !== 'debug' ? error.message : error;
  // The reason is printed last, because readers look at the end of a log.
  await installation.stop();
  console.error('Postrider could not start.', detail);
  process.exit(startExitCode(error));
}
