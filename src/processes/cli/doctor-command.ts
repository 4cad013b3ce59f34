import { inspectSendingHost, isProblem } from '../going-live.ts';
import { type Command, type CommandAnswer, EXIT_FAILED, type World } from './command.ts';
import { table } from './table.ts';

export const doctorCommand: Command = {
  name: 'doctor',
  positionals: [],
  required: {},
  optional: {},
  summary: 'Check what live mode needs: host name, DNS, SPF, reverse DNS, public address',
  run: ({ config }: World) => doctor(config),
};

/** Needs no database, and nothing that runs: it is for before as well as for after. */
async function doctor(config: World['config']): Promise<CommandAnswer> {
  const findings = await inspectSendingHost(config);
  const rows = findings.map(({ about, status, message }) => [about, status, message]);
  return {
    json: { host: config.hostname, mode: config.mode, findings },
    lines: table(['WHAT', 'RESULT', 'WHAT TO DO'], rows),
    exitCode: findings.some(isProblem) ? EXIT_FAILED : 0,
  };
}
