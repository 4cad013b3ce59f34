/** `npx postrider start` runs the supervisor, or a single role, in this process. */
import { CliError, type Command, type CommandContext, EXIT_USAGE, type StartProgram } from './command.ts';

const ROLES: readonly StartProgram[] = ['api', 'worker', 'smtp', 'inbound', 'submission'];

export const startCommand: Command = {
  name: 'start',
  isElsewhere: true,
  optionalPositionals: ['ROLE'],
  summary: `Run everything on this machine, or only one role (${ROLES.join(', ')}) with DATABASE_URL`,
  explains: {
    ROLE: 'the process to run alone; without it, everything runs',
  },
  choices: { ROLE: ROLES },
  example: 'start',
  json: false,
  run: start,
};

async function start({ become }: CommandContext, [wanted]: readonly string[]): Promise<null> {
  const role = ROLES.find((one) => one === wanted);
  if (wanted !== undefined && role === undefined) {
    throw new CliError(
      `There is no role \`${wanted}\`: choose ${ROLES.join(', ')}, or none to run everything.`,
      EXIT_USAGE,
    );
  }
  await become(role ?? 'start');
  return null;
}
