/**
 * The account that PostgreSQL runs as. PostgreSQL refuses to run as root, so root uses an existing unprivileged account:
 * Postrider must not create users on an operator's machine. Any other user runs PostgreSQL itself.
 */
import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** In order of preference. `nobody` is near the end because other services may share it. */
const CANDIDATES = ['postgres', '_postgres', 'daemon', 'nobody', 'www-data'];

/** The account to use, or undefined if this process may run PostgreSQL itself. */
export async function borrowAccount(
  clusterDir: string | undefined,
  candidates: readonly string[] = CANDIDATES,
): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  // An existing cluster belongs to the account that created it, whatever accounts exist now.
  const owner = clusterDir === undefined ? undefined : await ownerOf(clusterDir);
  if (owner !== undefined && owner.uid !== 0) return owner;
  for (const name of candidates) {
    const account = await lookUp(name);
    if (account !== undefined && account.uid !== 0) return account;
  }
  throw new Error(
    `PostgreSQL refuses to run as root, and none of the accounts ${candidates.join(', ')} exists here. ` +
      'Start Postrider as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.',
  );
}

/** Uses the kernel's access check instead of mode bits, because ACLs and mount options count, too. */
export async function canEnter(directory: string, account: Account): Promise<boolean> {
  try {
    await run('/bin/sh', ['-c', 'cd "$1"', 'sh', directory], { ...account, cwd: '/' });
    return true;
  } catch {
    return false;
  }
}

async function ownerOf(path: string): Promise<Account | undefined> {
  try {
    const { uid, gid } = await stat(path);
    return { uid, gid };
  } catch {
    return undefined;
  }
}

async function lookUp(name: string): Promise<Account | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}
