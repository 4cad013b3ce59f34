/** Identifies the machine and its boot, because a pid is only unique together with them. */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * On Linux, the boot id and the pid namespace: containers may share a host name but never these. Elsewhere,
 * the host name.
 */
export function machineId(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

/** Whether a process of this machine has ended. For other machines this is unknown, so false. */
export function isGone({ machine, pid }: { readonly machine: string; readonly pid: number }): boolean {
  return machine === machineId() && !isRunning(pid);
}

/** Whether a process with this pid runs. A reused pid gives a false positive. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
