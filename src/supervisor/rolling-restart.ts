/**
 * Replaces the roles one by one with the program on disk: a new version, or the same one with other settings
 * and certificates. If a replacement fails, that role and all later ones keep running unchanged.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { RoleProcess } from './role-process.ts';

interface RollingRestart {
  readonly roles: readonly RoleProcess[];
  /** The command-line program on disk. */
  readonly commandLine: string;
  readonly env: NodeJS.ProcessEnv;
  readonly say: (line: string) => void;
  /** Aborted by a stop. */
  readonly signal: AbortSignal;
}

const READY_WITHIN_MS = 60_000;

/** True when all roles were replaced. */
export async function restartRolling(restart: RollingRestart): Promise<boolean> {
  const { roles, commandLine, env, say, signal } = restart;
  say('Restarting one by one…');
  if (!(await migrateOnline(commandLine, env))) {
    say(
      'The schema could not be brought up to date, for the reason above. The running processes continue unchanged.',
    );
    return false;
  }
  for (const role of roles) {
    const problem = await role.replace(READY_WITHIN_MS);
    if (signal.aborted) return false;
    if (problem !== null) {
      say(
        `The new ${role.name} did not become ready (${problem}). The old ${role.name} continues, and no other process is replaced.`,
      );
      return false;
    }
    say(`Restarted the ${role.name}.`);
  }
  return true;
}

/** Runs the new version's migrations. It refuses those that the running version could not work with. */
async function migrateOnline(commandLine: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const child = spawn(process.execPath, [commandLine, 'migrate', '--online'], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'exit').catch(() => [null]);
  return code === 0;
}
