/** What live mode needs from DNS and the network: checked before it starts, and again while it runs. */
import { createSocket } from 'node:dgram';
import { checkSendingHost, type HostFinding, refusalOf } from '../domains/sending-host/check.ts';
import { recordSendingHost } from '../domains/sending-host/store.ts';
import type { Database } from '../kit/database/database.ts';
import { createResolver } from '../kit/dns/resolver.ts';
import { systemClock } from '../kit/runtime/clock.ts';
import type { Config } from '../kit/runtime/config.ts';
import { MINUTE_MS } from '../kit/runtime/durations.ts';
import type { Log } from '../kit/runtime/log.ts';
import type { Chore } from '../maintenance/housekeeper.ts';

/** Refuses what could only fail, with what to set; says everything else that is wrong. */
export async function goLive(config: Config, say: (line: string) => void): Promise<void> {
  if (!isPublic(config)) return;
  const findings = await inspectSendingHost(config);
  const refusal = refusalOf(findings, config);
  if (refusal !== null)
    throw new Error(`${refusal} \`npx postrider doctor\` shows everything that live mode needs.`);
  for (const { message } of findings.filter(isProblem)) say(`Warning: ${message}`);
}

/** In the sandbox nothing leaves; where private addresses are allowed it is a test, or a network of its own. */
function isPublic({ mode, allowPrivateDestinations }: Config): boolean {
  return mode === 'live' && !allowPrivateDestinations;
}

export function isProblem({ status }: HostFinding): boolean {
  return status === 'fail' || status === 'warn';
}

export async function inspectSendingHost(config: Config): Promise<HostFinding[]> {
  const resolver = createResolver({ clock: systemClock, servers: config.dnsServers });
  try {
    return await checkSendingHost(resolver, config, await sourceAddress());
  } finally {
    resolver.close();
  }
}

const EVERY_MS = 15 * MINUTE_MS;

/** DNS changes while it runs. What is found stands in the table, for whoever asks what needs attention. */
export function sendingHostChores(deps: {
  readonly config: Config;
  readonly db: Database;
  readonly log: Log;
}): readonly Chore[] {
  const { config, db, log } = deps;
  if (!isPublic(config)) return [];
  let before = '';
  const run = async () => {
    const findings = await inspectSendingHost(config);
    const problems = findings.filter(isProblem).map(({ message }) => message);
    if (problems.join() !== before && problems.length > 0)
      log.warn({ event: 'sending_host_wrong', problems }, 'mail of this host may be refused');
    before = problems.join();
    await recordSendingHost(db, { host: config.hostname.toLowerCase(), findings });
  };
  return [{ name: 'sending host', everyMs: EVERY_MS, run, inBackground: true }];
}

/** The address that packets to the world carry; null where there is no way out. Choosing it sends nothing. */
async function sourceAddress(): Promise<string | null> {
  const socket = createSocket('udp4');
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.connect(SOMEWHERE.port, SOMEWHERE.address, resolve);
    });
    return socket.address().address;
  } catch {
    return null;
  } finally {
    socket.close();
  }
}

/** An address of no one, kept for documentation: the way to it is the way to everybody. */
const SOMEWHERE = { address: '192.0.2.1', port: 25 };
