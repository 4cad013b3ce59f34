/**
 * Connections to SMTP servers, shared by all senders.
 *
 * Owns the destinations, each with its idle connections, its count of slots in use and a FIFO of sends
 * waiting for a slot. A connection is opening → busy ⇄ resting → gone. A slot is held from the dialling of a
 * connection until it rests or is gone; resting connections count against the same limit but are closed when
 * a slot is needed. Pool states: open → closed (waiting sends are refused, running ones finish;
 * `rollBackMove` cuts off those before their final dot) → stopping (running ones get a grace period) →
 * stopped.
 */
import type { Clock } from '../../runtime/clock.ts';
import { type OnStage, timed, untimed } from '../../runtime/stage-metrics.ts';
import { assertEnvelope, assertTarget } from './commands.ts';
import { openConnection, SmtpConnection, type Surroundings } from './connection.ts';
import { CutOff } from './cut-off.ts';
import { DEFAULT_DEADLINES, type Deadlines } from './deadlines.ts';
import {
  type PoolDestination,
  PoolDestinations,
  type PooledConnection,
  type PoolTurn,
} from './destinations.ts';
import type { Envelope, MayEnd, SmtpFacts, SmtpTarget } from './facts.ts';
import { TlsSessions } from './tls-sessions.ts';

export interface SmtpPoolOptions {
  readonly clock: Clock;
  readonly limits?: Partial<PoolLimits>;
  readonly deadlines?: Partial<Deadlines>;
  /** PEM; replaces the built-in authorities for targets that verify. */
  readonly trustedCertificates?: string;
  readonly onStage?: OnStage;
}

interface Outgoing {
  readonly envelope: Envelope;
  readonly wire: Buffer;
  readonly mayEnd: MayEnd;
}

export class SmtpPool {
  readonly name = 'smtp pool';
  readonly #clock: Clock;
  readonly #onStage: OnStage;
  readonly #limits: PoolLimits;
  readonly #surroundings: Surroundings;
  readonly #cutOff = new CutOff();
  readonly #destinations = new PoolDestinations();
  readonly #running = new Set<Promise<unknown>>();
  #isClosed = false;
  #stopping: Promise<void> | null = null;

  constructor(options: SmtpPoolOptions) {
    this.#clock = options.clock;
    this.#onStage = options.onStage ?? untimed;
    this.#limits = { ...DEFAULT_POOL_LIMITS, ...options.limits };
    this.#surroundings = {
      clock: options.clock,
      deadlines: { ...DEFAULT_DEADLINES, ...options.deadlines },
      tlsSessions: new TlsSessions(options.trustedCertificates),
      cutOff: this.#cutOff,
    };
  }

  async start(): Promise<void> {}

  /** Rejects only for strings that cannot be written safely; network errors are facts. */
  async send(
    target: SmtpTarget,
    envelope: Envelope,
    wire: Buffer,
    mayEnd: MayEnd = () => true,
  ): Promise<SmtpFacts> {
    assertTarget(target);
    assertEnvelope(envelope);
    if (this.#isClosed) return stoppedFacts(target);
    const destination = this.#destinations.findOrAdd(target);
    const turn =
      this.#takeTurn(destination, target) ??
      (await new Promise<PoolTurn>((go) => destination.waiting.push(go)));
    if (turn === 'stopped') return stoppedFacts(target);
    return await this.#track(this.#sendInSlot(destination, turn, target, { envelope, wire, mayEnd }));
  }

  /** The first target with an idle connection. */
  warmest(targets: readonly SmtpTarget[]): SmtpTarget | undefined {
    return targets.find((target) => (this.#destinations.find(target)?.resting.length ?? 0) > 0);
  }

  /**
   * Cuts off messages before their final dot, and sends no more. Servers that have a message may still reply.
   */
  rollBackMove(): void {
    this.#close();
    this.#cutOff.cutBeforeDot();
  }

  /** Messages whose final dot was sent without a reply yet. */
  get awaitedReplies(): number {
    return this.#cutOff.awaitedReplies;
  }

  /** Resolves when no message waits for a reply. */
  allReplied(): Promise<void> {
    return this.#cutOff.allReplied();
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stopAll();
    return this.#stopping;
  }

  /** Runs with a slot of the destination, and then frees the slot or passes it on. */
  async #sendInSlot(
    destination: PoolDestination,
    turn: PooledConnection | 'slot',
    target: SmtpTarget,
    { envelope, wire, mayEnd }: Outgoing,
  ): Promise<SmtpFacts> {
    if (turn !== 'slot') {
      const warm = await timed(this.#onStage, 'smtp', () =>
        turn.connection.send(envelope, wire, this.#isLast(turn, target), mayEnd),
      );
      if (!warm.stale) {
        this.#release(destination, turn, target);
        return warm.facts;
      }
      this.#discard(turn);
    }
    const fresh = await this.#dial(destination, target);
    if (!(fresh instanceof SmtpConnection)) {
      this.#freeSlot(destination);
      return fresh;
    }
    const pooled = this.#adopt(destination, fresh);
    const { facts } = await timed(this.#onStage, 'smtp', () =>
      fresh.send(envelope, wire, this.#isLast(pooled, target), mayEnd),
    );
    this.#release(destination, pooled, target);
    return facts;
  }

  async #dial(destination: PoolDestination, target: SmtpTarget): Promise<SmtpConnection | SmtpFacts> {
    destination.dialling += 1;
    const fresh = await timed(this.#onStage, 'connect', () =>
      openConnection(target, this.#surroundings),
    ).finally(() => {
      destination.dialling -= 1;
    });
    if (fresh instanceof SmtpConnection || fresh.kind !== 'refused') return fresh;
    // This connection counts as in use until its slot is free.
    return { ...fresh, openBeside: this.#destinations.openAt(destination) - 1 };
  }

  #takeTurn(destination: PoolDestination, target: SmtpTarget): PoolTurn | null {
    const warm = this.#wakeResting(destination);
    if (warm !== null) {
      destination.inUse++;
      return warm;
    }
    const limit = target.maxConnections ?? this.#limits.maxConnectionsPerTarget;
    if (destination.inUse >= Math.max(1, limit)) return null;
    if (destination.group !== undefined) this.#makeRoom(destination.group, limit);
    destination.inUse++;
    return 'slot';
  }

  /** Closes an idle connection when the group is at its limit, so that a new one can be dialled. */
  #makeRoom(group: string, limit: number): void {
    const destinations = this.#destinations.inGroup(group);
    const open = destinations.reduce(
      (sum, destination) => sum + destination.inUse + destination.resting.length,
      0,
    );
    const resting =
      open < limit ? undefined : destinations.find((destination) => destination.resting.length > 0);
    const pooled = resting?.resting.shift();
    if (resting === undefined || pooled === undefined) return;
    this.#retire(pooled);
    this.#destinations.dropIfEmpty(resting);
  }

  /** Takes the most recently used one, so that others expire when traffic falls. */
  #wakeResting(destination: PoolDestination): PooledConnection | null {
    const pooled = destination.resting.pop();
    if (pooled === undefined) return null;
    pooled.connection.watchIdle(null);
    return pooled;
  }

  #adopt(destination: PoolDestination, connection: SmtpConnection): PooledConnection {
    const retire = (): void => {
      const index = destination.resting.indexOf(pooled);
      if (index === -1) return;
      destination.resting.splice(index, 1);
      this.#retire(pooled);
      this.#destinations.dropIfEmpty(destination);
    };
    const restTimer = setTimeout(retire, this.#limits.idleMs).unref();
    const pooled: PooledConnection = { connection, bornMs: this.#clock.nowMs(), restTimer };
    return pooled;
  }

  #isLast({ connection, bornMs }: PooledConnection, target: SmtpTarget): boolean {
    const cap = target.maxMessagesPerConnection ?? this.#limits.maxMessagesPerConnection;
    if (connection.messages + 1 >= cap || this.#isClosed) return true;
    return this.#clock.nowMs() - bornMs >= this.#limits.maxAgeMs;
  }

  /** After a send: passes the connection to the next send, keeps it idle, or closes it. */
  #release(destination: PoolDestination, pooled: PooledConnection, target: SmtpTarget): void {
    const { connection } = pooled;
    const worn = this.#isWorn(pooled, target);
    if (!connection.isOpen || connection.quitSent || worn || this.#isClosed) {
      this.#retire(pooled);
      this.#freeSlot(destination);
      return;
    }
    const next = destination.waiting.shift();
    if (next !== undefined) next(pooled);
    else this.#rest(destination, pooled);
  }

  #isWorn({ connection, bornMs }: PooledConnection, target: SmtpTarget): boolean {
    const { maxMessagesPerConnection, maxRefusedInARow, maxAgeMs } = this.#limits;
    if (connection.messages >= (target.maxMessagesPerConnection ?? maxMessagesPerConnection)) return true;
    return connection.refusedInARow >= maxRefusedInARow || this.#clock.nowMs() - bornMs >= maxAgeMs;
  }

  #rest(destination: PoolDestination, pooled: PooledConnection): void {
    destination.inUse--;
    destination.resting.push(pooled);
    pooled.restTimer.refresh();
    pooled.connection.watchIdle(() => {
      const index = destination.resting.indexOf(pooled);
      if (index !== -1) destination.resting.splice(index, 1);
      this.#discard(pooled);
      this.#destinations.dropIfEmpty(destination);
    });
  }

  #freeSlot(destination: PoolDestination): void {
    const next = destination.waiting.shift();
    if (next !== undefined) {
      next('slot');
      return;
    }
    destination.inUse--;
    this.#destinations.dropIfEmpty(destination);
  }

  #retire(pooled: PooledConnection): void {
    clearTimeout(pooled.restTimer);
    pooled.connection.watchIdle(null);
    if (pooled.connection.isOpen) void this.#track(pooled.connection.quit());
  }

  #discard(pooled: PooledConnection): void {
    clearTimeout(pooled.restTimer);
    pooled.connection.close();
  }

  #close(): void {
    this.#isClosed = true;
    for (const destination of this.#destinations.all()) {
      for (const go of destination.waiting.splice(0)) go('stopped');
      for (const pooled of destination.resting.splice(0)) this.#retire(pooled);
    }
  }

  async #stopAll(): Promise<void> {
    this.#close();
    const grace = setTimeout(() => this.#cutOff.cutEverything(), this.#limits.stopGraceMs);
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
    clearTimeout(grace);
    this.#cutOff.cutEverything();
    this.#destinations.clear();
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work);
    const done = (): void => void this.#running.delete(work);
    work.then(done, done);
    return work;
  }
}

function stoppedFacts(target: SmtpTarget): SmtpFacts {
  const { host, address, port } = target;
  const finding = { kind: 'broken', phase: 'connect', failure: 'stopped', afterDot: false } as const;
  return {
    ...finding,
    detail: 'sending was stopped',
    host,
    address,
    port,
    tls: null,
    reused: false,
    transcript: [],
  };
}

/** Limits the connections to a destination and the messages per connection. */
export interface PoolLimits {
  readonly maxConnectionsPerTarget: number;
  readonly maxMessagesPerConnection: number;
  /**
   * Servers count consecutive errors, and a refused recipient makes two: RCPT, and the pipelined DATA.
   * Postfix delays every reply by a second after 10 errors, and disconnects after 20. So the next message
   * gets a new connection before that.
   */
  readonly maxRefusedInARow: number;
  readonly idleMs: number;
  readonly maxAgeMs: number;
  /** How long `stop` waits for running sends before it cuts their connections. */
  readonly stopGraceMs: number;
}

const DEFAULT_POOL_LIMITS: PoolLimits = {
  maxConnectionsPerTarget: 10,
  maxMessagesPerConnection: 100,
  maxRefusedInARow: 4,
  idleMs: 5_000,
  maxAgeMs: 300_000,
  stopGraceMs: 5_000,
};
