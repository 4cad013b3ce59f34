/**
 * Which source addresses of the route table are on this machine. Each check binds a socket, because lists of interfaces do not
 * contain every address that the system accepts.
 *
 * Owns the result of the last check. Checks when the table names other addresses, and every LOOK_MS.
 */
import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { Service } from '../../runtime/lifecycle.ts';
import type { Log } from '../../runtime/log.ts';
import type { Metrics } from '../../runtime/metrics.ts';

const LOOK_MS = 30_000;

interface LocalSourcesOptions {
  readonly log: Log;
  /** The result has changed. */
  readonly onChange: () => void;
}

export class LocalSources implements Service {
  readonly name = 'source addresses';
  readonly #options: LocalSourcesOptions;
  #named: readonly string[] = [];
  #found = new Map<string, boolean>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();

  constructor(options: LocalSourcesOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    this.#timer = setInterval(() => void this.#look(), LOOK_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }

  /** Sets all addresses that transports name, also those of other machines. */
  watch(addresses: readonly string[]): Promise<void> {
    this.#named = addresses;
    return this.#look();
  }

  has(address: string): boolean {
    return this.#found.get(address) === true;
  }

  /** Each address, and whether it is on this machine. */
  get all(): ReadonlyMap<string, boolean> {
    return this.#found;
  }

  /** A connection from the address has just failed: the address is gone until a check finds it again. */
  miss(address: string): void {
    if (this.#found.get(address) === true) this.#take(new Map(this.#found).set(address, false));
  }

  #look(): Promise<void> {
    this.#looking = this.#looking.then(async () => {
      const named = this.#named;
      const found = await Promise.all(named.map(async (one) => [one, await canBind(one)] as const));
      this.#take(new Map(found));
    });
    return this.#looking;
  }

  #take(found: Map<string, boolean>): void {
    const before = this.#found;
    this.#found = found;
    const isSame = before.size === found.size && [...found].every(([one, is]) => before.get(one) === is);
    if (isSame) return;
    for (const [address, isHere] of found) this.#logChange(address, isHere, before.get(address));
    this.#options.onChange();
  }

  /** Logs each change once. */
  #logChange(address: string, isHere: boolean, before: boolean | undefined): void {
    const { log } = this.#options;
    if (!isHere && before !== false)
      log.warn(
        { source: address },
        'a source address is not on this machine: this worker sends nothing from the address',
      );
    if (isHere && before === false) log.info({ source: address }, 'a source address is on this machine now');
  }
}

function canBind(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
    const end = (can: boolean) => socket.close(() => resolve(can));
    socket.once('error', () => end(false));
    socket.bind(0, address, () => end(true));
  });
}

/** Metrics of source addresses. */
export function registerRouteMetrics(metrics: Metrics, sources: Pick<LocalSources, 'all'>): void {
  metrics.gauges(
    'postrider_source_present',
    'Source addresses of transports: 1 if the address is on the machine of this worker, 0 if not.',
    ['source'],
    async () => [...sources.all].map(([source, isHere]) => ({ labels: { source }, value: isHere ? 1 : 0 })),
  );
}
