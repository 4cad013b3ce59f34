/**
 * The faults themselves. To kill is to stop the process, look which connections it holds, and end it: so it is a fact,
 * and no guess, which of the sink's connections were its, and nothing can happen between the look and the end.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { adHoc } from '../../src/database/sql.ts';
import { type Fault, type FaultLog, type Harm, wallMs } from './fault-log.ts';
import type { Installation } from './installation.ts';
import { childrenOf, connectionsOf, isRunning, postmasterOf, runningProcesses, signal } from './processes.ts';
import { type FaultKind, PAST_LEASE, type PlannedFault } from './schedule.ts';
import { journaledRecipients } from './snapshots.ts';
import { untilTakenOver } from './taken-over.ts';
import type { Traffic } from './traffic.ts';
import { lastTurnMs } from './turns.ts';

interface Target {
  readonly victim: string;
  readonly pid: number;
}

/** How long a fault waits for somebody to happen to: roles that were killed take a moment to come back. */
const TARGET_WITHIN_MS = 1_500;
const POLL_MS = 100;
/** How long a fault waits for mail in hand: on a busy machine a worker takes seconds to start. */
const TRAFFIC_WITHIN_MS = 30_000;
/** A lease, with the time that a busy machine takes to notice that it is over. */
const TAKEN_OVER_WITHIN_MS = 45_000;

const endSession = adHoc<{ pid: number }>(
  `SELECT pid FROM (SELECT pid, row_number() OVER (ORDER BY pid) - 1 AS nth, count(*) OVER () AS of
                    FROM pg_stat_activity
                    WHERE application_name LIKE $1 AND backend_type = 'client backend') AS sessions
   WHERE nth = floor($2::float8 * of) AND pg_terminate_backend(pid)`,
);

export class Faults {
  readonly #installation: Installation;
  readonly #log: FaultLog;
  readonly #traffic: Traffic | null;
  readonly #frozen = new Map<number, Fault>();

  /** Without `traffic`, before anything is sent, nobody counts what was in hand. */
  constructor(installation: Installation, log: FaultLog, traffic: Traffic | null = null) {
    this.#installation = installation;
    this.#log = log;
    this.#traffic = traffic;
  }

  /**
   * A fault that meets no mail proves nothing: waits until workers have so much in hand, and have delivered so much since
   * the last fault, for a while at most.
   */
  async untilTraffic({ inHand = 1, made = 0 } = {}): Promise<void> {
    await this.#traffic?.met({ inHand, made }, TRAFFIC_WITHIN_MS);
  }

  /** Resolves when it was done; a freeze goes on by itself and ends by itself. */
  async strike({ kind, pick, forMs }: PlannedFault): Promise<void> {
    if (kind === 'end-session') return this.endSession(kind, pick);
    const target = await this.#find(kind, pick);
    if (target === undefined) this.#log.missed += 1;
    else if (kind.startsWith('kill-')) this.kill(kind, target);
    else if (kind === PAST_LEASE) await this.freezePastLease(target);
    else void this.freeze(kind, this.#withChildren(kind, target), forMs);
  }

  kill(kind: string, { victim, pid }: Target): void {
    const fromMs = wallMs();
    if (!signal(pid, 'SIGSTOP')) return;
    if (victim === 'supervisor') this.#noteOrphans(kind);
    const connections = lookAt({ victim, pid });
    this.#log.strike(kind, this.#claimedOf([{ victim, pid }]));
    this.#note(kind, 'killed', { victim, pid }, fromMs, connections);
    signal(pid, 'SIGKILL');
    const frozen = this.#frozen.get(pid);
    if (frozen !== undefined) frozen.toMs = fromMs;
  }

  /** Everything stops in one moment, and none of it goes on. */
  async endAll(kind: string, meanwhile: () => Promise<void>): Promise<void> {
    await this.untilTraffic();
    const fromMs = wallMs();
    const stopped = this.everything().filter(({ pid }) => signal(pid, 'SIGSTOP'));
    this.#log.strike(kind, this.#claimedOf(stopped));
    for (const target of stopped) {
      this.#frozen.delete(target.pid); // nothing may wake it
      this.#note(kind, 'killed', target, fromMs, lookAt(target));
    }
    try {
      await meanwhile();
    } finally {
      for (const { pid } of stopped) signal(pid, 'SIGKILL');
    }
  }

  /** All of them at once, and all of them go on at once. */
  async freeze(kind: string, targets: readonly Target[], forMs: number, over?: AbortSignal): Promise<void> {
    const free = targets.filter(({ pid }) => !this.#frozen.has(pid));
    const fromMs = wallMs();
    const stopped = free.filter(({ pid }) => signal(pid, 'SIGSTOP'));
    if (stopped.length > 0) this.#log.strike(kind, this.#claimedOf(stopped));
    const faults = stopped.map((target) => {
      const fault = this.#note(kind, 'frozen', target, fromMs, lookAt(target));
      this.#frozen.set(target.pid, fault);
      return fault;
    });
    await sleep(forMs, undefined, over && { signal: over }).catch(() => undefined);
    for (const fault of faults) this.#thaw(fault);
  }

  /** The worker goes on when others have its deliveries in hand. Nothing else is struck meanwhile: a killed watcher forgets. */
  async freezePastLease(worker: Target): Promise<void> {
    const over = new AbortController();
    const frozen = this.freeze(PAST_LEASE, [worker], TAKEN_OVER_WITHIN_MS, over.signal);
    await untilTakenOver(this.#installation.db, worker.pid, TAKEN_OVER_WITHIN_MS);
    over.abort();
    await frozen;
    this.#traffic?.noteStrike(); // deliveries of the others while it was frozen do not count
  }

  /** Of those whose application's name is like `of`. */
  async endSession(kind: string, pick: number, of = 'postrider-%'): Promise<void> {
    await this.untilTraffic();
    const fromMs = wallMs();
    const ended = await this.#installation.db.many(endSession, [of, pick]).catch(() => []);
    if (ended.length === 0) this.#log.missed += 1;
    else this.#log.strike(kind, this.#claimedOf([]));
    for (const { pid } of ended) this.#note(kind, 'killed', { victim: 'session', pid }, fromMs, new Map());
  }

  /** Whatever is frozen goes on. */
  thawAll(): void {
    for (const fault of this.#frozen.values()) this.#thaw(fault);
  }

  /** Every process of the installation, PostgreSQL and supervisor too. */
  everything(): Target[] {
    const { supervisorPid } = this.#installation;
    const supervisor = supervisorPid === null ? [] : [{ victim: 'supervisor', pid: supervisorPid }];
    return [...supervisor, ...this.roles(), ...this.postgres()];
  }

  roles(): Target[] {
    return this.#installation.roles().map(({ role, pid }) => ({ victim: role, pid }));
  }

  postgres(): Target[] {
    const all = runningProcesses();
    const pid = postmasterOf(this.#installation.clusterDir);
    if (pid === undefined) return [];
    return [
      { victim: 'postmaster', pid },
      ...childrenOf(pid, all).map((one) => ({ victim: 'postgres', pid: one.pid })),
    ];
  }

  async #find(kind: FaultKind, pick: number): Promise<Target | undefined> {
    const deadline = performance.now() + (kind === PAST_LEASE ? TRAFFIC_WITHIN_MS : TARGET_WITHIN_MS);
    for (;;) {
      const candidates = this.#candidates(kind).toSorted((a, b) => a.pid - b.pid);
      const found = candidates[Math.floor(pick * candidates.length)];
      if (found !== undefined || performance.now() > deadline) return found;
      await sleep(POLL_MS);
    }
  }

  #candidates(kind: FaultKind): Target[] {
    const whom = kind.replace(/^(kill|freeze)-/, '');
    switch (whom) {
      case 'past-lease':
        return this.roles().filter(({ victim, pid }) => victim === 'worker' && this.#traffic?.inHand(pid));
      case 'supervisor':
        return this.everything().filter(({ victim, pid }) => victim === 'supervisor' && isRunning(pid));
      case 'postmaster':
      case 'postgres':
        return this.postgres().filter(({ victim }) => victim === 'postmaster');
      case 'backend':
        return this.#backends();
      case 'other':
        return this.roles().filter(({ victim }) => victim !== 'api' && victim !== 'worker');
      default:
        return this.roles().filter(({ victim }) => victim === whom);
    }
  }

  /** Sessions of the roles, not ours and not PostgreSQL's own helpers. */
  #backends(): Target[] {
    const pid = postmasterOf(this.#installation.clusterDir);
    if (pid === undefined) return [];
    const clients = childrenOf(pid).filter(({ command }) =>
      /^postgres: postrider .*127\.0\.0\.1/.test(command),
    );
    return clients.map((one) => ({ victim: 'backend', pid: one.pid }));
  }

  /** A worker's own deliveries; all that there are where anything else is struck, too. */
  #claimedOf(targets: readonly Target[]): number | null {
    if (this.#traffic === null) return null;
    this.#traffic.noteStrike();
    const only = targets.length === 1 && targets[0]?.victim === 'worker' ? targets[0].pid : undefined;
    return this.#traffic.inHand(only);
  }

  #withChildren(kind: string, target: Target): Target[] {
    return kind === 'freeze-postgres' ? this.postgres() : [target];
  }

  /** Roles whose supervisor dies are told so by their channel, and stop. */
  #noteOrphans(kind: string): void {
    const fromMs = wallMs();
    for (const role of this.roles()) this.#note(kind, 'stopped', role, fromMs, lookAt(role));
  }

  #note(kind: string, harm: Harm, target: Target, fromMs: number, connections: Map<number, number>): Fault {
    const isWorker = target.victim === 'worker';
    const noted = isWorker ? journaledRecipients(this.#installation.dataDir) : new Set<string>();
    return this.#log.add({
      kind,
      harm,
      ...target,
      connections,
      lastTurnMs: isWorker ? lastTurnMs(target.pid) : undefined,
      noted,
      fromMs,
      toMs: Number.POSITIVE_INFINITY,
    });
  }

  #thaw(fault: Fault): void {
    if (!this.#frozen.delete(fault.pid)) return;
    if (fault.toMs === Number.POSITIVE_INFINITY) fault.toMs = wallMs();
    signal(fault.pid, 'SIGCONT');
  }
}

/** PostgreSQL talks to nobody outside. */
function lookAt({ victim, pid }: Target): Map<number, number> {
  return /^(postgres|postmaster|backend)$/.test(victim) ? new Map() : connectionsOf(pid);
}
