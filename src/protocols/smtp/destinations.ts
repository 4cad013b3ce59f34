/**
 * The destinations of a pool. Owns their list, keyed by everything that distinguishes connections, and the
 * groups that share a limit.
 */
import type { SmtpConnection } from './connection.ts';
import type { SmtpTarget } from './facts.ts';

export interface PooledConnection {
  readonly connection: SmtpConnection;
  readonly bornMs: number;
  readonly restTimer: NodeJS.Timeout;
}

/** The result of waiting: an idle connection, a slot to open one, or a refusal at a stop. */
export type PoolTurn = PooledConnection | 'slot' | 'stopped';

export interface PoolDestination {
  readonly key: string;
  readonly group: string | undefined;
  inUse: number;
  /** Part of those in use: the server may still refuse them. */
  dialling: number;
  readonly resting: PooledConnection[];
  readonly waiting: ((turn: PoolTurn) => void)[];
}

export class PoolDestinations {
  readonly #all = new Map<string, PoolDestination>();
  readonly #groups = new Map<string, Set<PoolDestination>>();

  find(target: SmtpTarget): PoolDestination | undefined {
    return this.#all.get(keyOf(target));
  }

  findOrAdd(target: SmtpTarget): PoolDestination {
    const key = keyOf(target);
    let destination = this.#all.get(key);
    if (destination === undefined) {
      destination = { key, group: target.group, inUse: 0, dialling: 0, resting: [], waiting: [] };
      this.#all.set(key, destination);
      this.#join(destination);
    }
    return destination;
  }

  inGroup(group: string): readonly PoolDestination[] {
    return [...(this.#groups.get(group) ?? [])];
  }

  /** Connections that a destination's servers accepted, including others that share its limit. */
  openAt(destination: PoolDestination): number {
    const all = destination.group === undefined ? [destination] : this.inGroup(destination.group);
    return all.reduce((sum, { inUse, dialling, resting }) => sum + inUse - dialling + resting.length, 0);
  }

  all(): Iterable<PoolDestination> {
    return this.#all.values();
  }

  dropIfEmpty(destination: PoolDestination): void {
    if (destination.inUse > 0 || destination.resting.length > 0) return;
    this.#all.delete(destination.key);
    const group = this.#groups.get(destination.group ?? '');
    group?.delete(destination);
    if (group?.size === 0) this.#groups.delete(destination.group ?? '');
  }

  clear(): void {
    this.#all.clear();
    this.#groups.clear();
  }

  #join(destination: PoolDestination): void {
    if (destination.group === undefined) return;
    const group = this.#groups.get(destination.group) ?? new Set();
    group.add(destination);
    this.#groups.set(destination.group, group);
  }
}

/** None of these values can contain a tab. */
function keyOf(target: SmtpTarget): string {
  const {
    host,
    address,
    port,
    tls,
    ehloName,
    verifyCertificate,
    dane,
    tlsPolicy,
    auth,
    group,
    localAddress,
  } = target;
  const parts = [
    ...[host, address, port, tls, ehloName, verifyCertificate === true, dane?.key, tlsPolicy, group],
    localAddress,
  ];
  return [...parts, auth?.user, auth?.password].join('\t');
}
