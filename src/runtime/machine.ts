/** Identifies the machine and its boot: a pid means something only together with this. */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * On Linux the boot and the pid namespace, because containers may share a host name and never share these; elsewhere
 * the host's name.
 */
export function machineId(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

/** Whether somebody ran on this machine and is there no more. Of other machines nothing is known from here. */
export function isGone({ machine, pid }: { readonly machine: string; readonly pid: number }): boolean {
  return machine === machineId() && !isRunning(pid);
}

/** Whether a process of this machine runs. A number that was given to another process since looks as if it did. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
