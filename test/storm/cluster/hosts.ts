/**
 * Hosts for the servers of a cluster. Root gives each a network namespace of its own, with an address on a bridge, so that
 * it can be cut off; others have them all on loopback, by their ports.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { freePort } from '../../processes/supervised.ts';
import { until } from '../../support/until.ts';

export interface Host {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  /** What to write before a command so that it runs there. */
  readonly at: readonly string[];
  /** Packets are lost from now on, in both directions: nobody is told that a connection is gone. */
  cutOff(): void;
  reconnect(): void;
}

export interface Hosts {
  readonly all: readonly Host[];
  /** Where whatever watches over them runs: it reaches all. */
  readonly address: string;
  end(): void;
}

const PORT = 5432;
const [LEAST, COUNT] = [10, 240];

/** Why hosts cannot be cut off here; null where they can. */
export function whyNoNetworks(): string | null {
  const { status } = spawnSync('unshare', ['--net', 'ip', 'link', 'set', 'lo', 'up']);
  return status === 0 ? null : 'root, and `ip` of iproute2, are needed to give hosts a network of their own';
}

export async function layHosts(names: readonly string[]): Promise<Hosts> {
  if (whyNoNetworks() === null) return layNetwork(names);
  const all = await Promise.all(
    names.map(async (name) => {
      const nothing = () => undefined;
      return {
        name,
        address: '127.0.0.1',
        port: await freePort(),
        at: [],
        cutOff: nothing,
        reconnect: nothing,
      };
    }),
  );
  return { all, address: '127.0.0.1', end: () => undefined };
}

async function layNetwork(names: readonly string[]): Promise<Hosts> {
  const number = LEAST + (process.pid % COUNT);
  const bridge = `storm${process.pid}`;
  const address = `10.213.${number}.1`;
  ip(['link', 'add', bridge, 'type', 'bridge']);
  ip(['addr', 'add', `${address}/24`, 'dev', bridge]);
  ip(['link', 'set', bridge, 'up']);
  const holders = names.map(() => spawn('unshare', ['--net', 'sleep', 'infinity'], { stdio: 'ignore' }));
  const all = await Promise.all(
    names.map(async (name, i): Promise<Host> => {
      const pid = String(holders[i]?.pid);
      await until(() => readlinkSync(`/proc/${pid}/ns/net`) !== readlinkSync('/proc/self/ns/net'));
      const at = ['nsenter', '--target', pid, '--net', '--'];
      const cable = `${bridge}n${i}`;
      const own = `10.213.${number}.${i + 11}`;
      ip(['link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', pid]);
      ip(['link', 'set', cable, 'master', bridge, 'up']);
      ip(['link', 'set', 'lo', 'up'], at);
      ip(['addr', 'add', `${own}/24`, 'dev', 'eth0'], at);
      ip(['link', 'set', 'eth0', 'up'], at);
      // Out of the bridge, not down: a host whose cable is pulled is not told either.
      return {
        name,
        address: own,
        port: PORT,
        at,
        cutOff: () => ip(['link', 'set', cable, 'nomaster']),
        reconnect: () => ip(['link', 'set', cable, 'master', bridge]),
      };
    }),
  );
  return {
    all,
    address,
    end() {
      for (const holder of holders) holder.kill('SIGKILL');
      spawnSync('ip', ['link', 'del', bridge]);
    },
  };
}

function ip(args: readonly string[], at: readonly string[] = []): void {
  const [program = 'ip', ...rest] = [...at, 'ip', ...args];
  execFileSync(program, rest, { stdio: 'pipe' });
}
