/** What the lab needs of the machine, by Debian's names. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian's own first: a Python of somewhere else does not see Debian's packages. */
export const PYTHON = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';

const NEEDED: Readonly<Record<string, string>> = {
  postfix: 'postfix',
  opendkim: 'opendkim',
  ip: 'iproute2',
  unshare: 'util-linux',
  nsenter: 'util-linux',
  [PYTHON]: 'python3',
};

/** Why it cannot be run here, and what to do; null when it can. */
export function whyNoLab(): string | null {
  if (process.platform !== 'linux') return 'network namespaces are a matter of Linux';
  const packages = Object.entries(NEEDED).flatMap(([program, name]) => (isInstalled(program) ? [] : [name]));
  if (packages.length > 0) {
    const names = [...new Set(packages)].join(' ');
    return `${names.replaceAll(' ', ' and ')} must be installed (Debian: apt-get install --no-install-recommends ${names}; rspamd and python3-dkim are used, too, where they are installed)`;
  }
  if (process.getuid?.() !== 0)
    return 'it needs root: for network namespaces, and because Postfix starts as root';
  const tried = spawnSync('unshare', ['--net', '--mount', '--pid', '--fork', 'true'], { encoding: 'utf8' });
  return tried.status === 0
    ? null
    : `namespaces cannot be made here (${tried.stderr.trim()}); a container needs --privileged, or CAP_SYS_ADMIN and CAP_NET_ADMIN`;
}

export function isInstalled(program: string): boolean {
  if (program.startsWith('/')) return existsSync(program);
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  return folders.some((folder) => existsSync(join(folder, program)));
}
