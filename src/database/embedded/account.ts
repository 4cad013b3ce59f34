/**
 * Which account PostgreSQL runs as. It refuses to run as root, so root borrows an unprivileged account that
 * exists already: creating users on somebody's machine is not ours to do. Anyone else runs it as themselves.
 */
import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** In order of preference. `nobody` is last but one because other services may share it. */
const CANDIDATES = ['postgres', '_postgres', 'daemon', 'nobody', 'www-data'];

/** The account to borrow, or undefined when this process may run PostgreSQL as itself. */
export async function borrowAccount(
  clusterDir: string | undefined,
  candidates: readonly string[] = CANDIDATES,
): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  // An existing cluster belongs to the account that made it, whatever accounts have appeared since.
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

/** Asks the kernel rather than reading mode bits: ACLs and mount options count too. */
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
