/** Who stands outside, and how long is waited for them: the receivers, the lists and the clocks that are asked. */
import { createSocket } from 'node:dgram';
import { readFile } from 'node:fs/promises';
import { BLOCKLISTS, type Blocklist } from './blocklists/lists.ts';

/** Somebody who receives much of the world's mail. */
export interface BigReceiver {
  readonly name: string;
  readonly domain: string;
  /** What its servers say first has this in it; whoever does not say it is somebody else. */
  readonly greetsWith: string;
}

export interface Outside {
  readonly receivers: readonly BigReceiver[];
  readonly blocklists: readonly Blocklist[];
  /** One that is signed, and a name whose signatures are wrong on purpose. */
  readonly signedZone: string;
  readonly forgedName: string;
  readonly timeServers: readonly string[];
  readonly timePort: number;
  /** Where other mail servers bring bounces to. */
  readonly inboundPort: number;
  /** Where policies are fetched from; 443 unless a test says otherwise. */
  readonly httpsPort?: number;
  /** For each answer of a server. */
  readonly patienceMs: number;
  /** PEM; instead of the built-in authorities. */
  readonly trustedCertificates?: string;
  /** The address that this machine gives its packets; null where there is no way out. */
  readonly leavesFrom: () => Promise<string | null>;
  /** Who made this machine, real or virtual; null where it does not say. */
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
  patienceMs: 6_000,
  leavesFrom: sourceAddress,
  machineMaker,
};

/** An address of no one, kept for documentation: the way to it is the way to everybody. */
const SOMEWHERE = { address: '192.0.2.1', port: 25 };

/** Choosing it sends nothing. */
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

/** Linux knows it from the firmware; hosting providers write their name there. */
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
