/**
 * The outside servers that the doctor queries (receivers, block lists, time servers) and the timeouts for
 * them.
 */
import { createSocket } from 'node:dgram';
import { readFile } from 'node:fs/promises';
import { BLOCKLISTS, type Blocklist } from './blocklists/lists.ts';

/** A large mailbox provider. */
export interface BigReceiver {
  readonly name: string;
  readonly domain: string;
  /** Text in its servers' greeting; any other greeting comes from another server. */
  readonly greetsWith: string;
}

export interface Outside {
  readonly receivers: readonly BigReceiver[];
  readonly blocklists: readonly Blocklist[];
  /** A signed zone, and a name with deliberately invalid signatures. */
  readonly signedZone: string;
  readonly forgedName: string;
  readonly timeServers: readonly string[];
  readonly timePort: number;
  /** The port on which other mail servers deliver bounces. */
  readonly inboundPort: number;
  /** The port for policies; 443 except in tests. */
  readonly httpsPort?: number;
  /** Timeout for each response of a server. */
  readonly timeoutMs: number;
  /** PEM; replaces the built-in authorities. */
  readonly trustedCertificates?: string;
  /** The source address of this machine's packets; null without a route. */
  readonly leavesFrom: () => Promise<string | null>;
  /** The manufacturer of this machine, real or virtual; null when unknown. */
  readonly machineMaker: () => Promise<string | null>;
}

export const OUTSIDE: Outside = {
  receivers: [
    { name: 'Google', domain: 'gmail.com', greetsWith: 'google.com' },
    { name: 'Microsoft', domain: 'outlook.com', greetsWith: 'outlook.com' },
    { name: 'Yahoo', domain: 'yahoo.com', greetsWith: 'yahoo' },
  ],
  blocklists: BLOCKLISTS,
  signedZone: 'org',
  forgedName: 'dnssec-failed.org',
  timeServers: ['time.cloudflare.com', 'time.google.com', 'time.apple.com'],
  timePort: 123,
  inboundPort: 25,
  timeoutMs: 6_000,
  leavesFrom: sourceAddress,
  machineMaker,
};

/** A documentation address, for which the default route is chosen. */
const SOMEWHERE = { address: '192.0.2.1', port: 25 };

/** Choosing a route sends no packet. */
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

/** Linux reads it from the firmware, where hosting providers write their name. */
async function machineMaker(): Promise<string | null> {
  const files = ['sys_vendor', 'chassis_asset_tag', 'product_name'].map(
    (name) => `/sys/class/dmi/id/${name}`,
  );
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
  return (
    texts
      .map((text) => text.trim())
      .filter((text) => text !== '')
      .join(', ') || null
  );
}
