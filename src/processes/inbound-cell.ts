/** The inbound role for one cell: stores mail for the cell's organizations, and processes reports. */

import { CountedNames } from '../counters/counted-names.ts';
import type { Database } from '../database/database.ts';
import { judgeRefusal } from '../delivery/policy/judge.ts';
import { ReportTrimmer } from '../domains/reports/trimmer.ts';
import type { CapsByKind } from '../inbound/caps.ts';
import type { InboundMetrics } from '../inbound/inbound-metrics.ts';
import { Intake } from '../inbound/intake.ts';
import { authenticateMail } from '../inbound/received/authenticate.ts';
import { ReceivedIntake } from '../inbound/received/intake.ts';
import type { ReceivingLimits } from '../inbound/received/limits.ts';
import { checkOldNames } from '../inbound/received/names-check.ts';
import { type ReaderDeps, readUnreadMail } from '../inbound/received/reader.ts';
import { scanMail } from '../inbound/received/scanners/scan.ts';
import { type RecorderDeps, recordReports, recordWaiting } from '../inbound/recorder.ts';
import { trimKeptInbound } from '../inbound/store.ts';
import { type Chore, Housekeeper } from '../operations/housekeeper.ts';
import { createWaker } from '../outbox/wake.ts';
import type { Resolver } from '../protocols/dns/resolver.ts';
import { readReference } from '../protocols/message/return-path.ts';
import { decodeUnsubscribeToken } from '../protocols/message/tracking-token.ts';
import { type CheckMx, mxChecker, sandboxMx } from '../received/mx-check.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import { HOUR_MS, MINUTE_MS } from '../runtime/durations.ts';
import { type KeyRing, withAnyKey } from '../runtime/key-ring.ts';
import { closing, Lifecycle, type Service } from '../runtime/lifecycle.ts';
import type { Log } from '../runtime/log.ts';
import { WorkLoop } from '../runtime/work-loop/loop.ts';
import { isSimulated } from '../sandbox/simulator.ts';

export interface InboundCellDeps {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  /** The cell's database. */
  readonly db: Database;
  /** The same database, limited to organizations that live in the cell. */
  readonly residents: Database;
  readonly ring: KeyRing;
  readonly resolver: Resolver;
  readonly numbers?: InboundMetrics | undefined;
  readonly caps?: CapsByKind | undefined;
  readonly receivingLimits?: ReceivingLimits | undefined;
  readonly readingLeaseMs?: number | undefined;
  readonly readsNothing?: true | undefined;
}

const POLL_MS = 1_000;
const DRAIN_MS = 4_000;

export class InboundCell implements Service {
  readonly name = 'inbound of a cell';
  readonly intake: Intake;
  readonly received: ReceivedIntake;
  readonly #deps: InboundCellDeps;
  readonly #lifecycle: Lifecycle;
  readonly #reading: WorkLoop<number>;
  readonly #receiving: WorkLoop<number>;
  readonly #trimmer: ReportTrimmer;

  constructor(deps: InboundCellDeps) {
    this.#deps = deps;
    const { db, residents, log, clock, caps } = deps;
    this.#lifecycle = new Lifecycle(log);
    this.#trimmer = new ReportTrimmer(db);
    this.#reading = this.#createReading();
    this.#receiving = this.#createReceiving();
    this.intake = new Intake({ db: residents, log, clock, caps, onStored: () => this.#reading.wake() });
    this.received = new ReceivedIntake({
      ...{ db: residents, log, clock, limits: deps.receivingLimits },
      onStored: () => this.#receiving.wake(),
    });
  }

  async start(): Promise<void> {
    const { log, readsNothing } = this.#deps;
    await this.#lifecycle.start(new Housekeeper(this.#chores(), log));
    if (!readsNothing) await this.#lifecycle.start(this.#reading);
    if (!readsNothing) await this.#lifecycle.start(this.#receiving);
    await this.#lifecycle.start(closing('inbound intake', () => this.intake.drained()));
  }

  stop(): Promise<void> {
    return this.#lifecycle.stop();
  }

  #chores(): Chore[] {
    const { db, clock } = this.#deps;
    const chores = [
      { name: 'kept inbound mail', everyMs: HOUR_MS, run: () => trimKeptInbound(db) },
      { name: 'old reports', everyMs: HOUR_MS, run: () => this.#trimmer.run() },
      {
        name: 'receiving names',
        everyMs: 5 * MINUTE_MS,
        run: () => checkOldNames(db, clock, this.#checkMx),
      },
    ];
    return chores.map((one) => ({ ...one, inBackground: true as const }));
  }

  /** Each batch is one transaction that claims its own work, so a turn of the loop is one batch. */
  #createReading(): WorkLoop<number> {
    const deps = this.#recorderDeps();
    return this.#createLoop(
      'inbound reports',
      async () => (await recordWaiting(deps)) + (await recordReports(deps)),
    );
  }

  /** A separate loop, so that slow messages do not delay reports. */
  #createReceiving(): WorkLoop<number> {
    const { db, log, readingLeaseMs: leaseMs, clock, config, resolver, numbers } = this.#deps;
    const scanning = { log, ...(numbers ? { onScan: numbers.onScan } : {}) };
    const authenticating = { resolver, nowMs: () => clock.nowMs() };
    const deps: ReaderDeps = {
      ...{ db, log, leaseMs },
      authenticate: (mail) => authenticateMail(authenticating, mail),
      scan: (mail) => scanMail({ ...scanning, scanners: config.inbound.scanners }, mail),
      onRecorded: createWaker(db),
      ...(numbers ? { onRead: numbers.onRead } : {}),
    };
    return this.#createLoop('received mail', () => readUnreadMail(deps));
  }

  #createLoop(name: string, read: () => Promise<number>): WorkLoop<number> {
    return new WorkLoop<number>({
      name,
      log: this.#deps.log,
      capacity: 1,
      pollMs: POLL_MS,
      drainMs: DRAIN_MS,
      claim: async () => {
        const count = await read();
        return count > 0 ? [count] : [];
      },
      work: async () => {},
    });
  }

  get #checkMx(): CheckMx {
    const { config, resolver } = this.#deps;
    const host = config.hostname.toLowerCase();
    return config.mode === 'sandbox' ? sandboxMx(host) : mxChecker(resolver, host);
  }

  #recorderDeps(): RecorderDeps {
    const { db, clock, log, config, ring, numbers } = this.#deps;
    return {
      ...{ db, clock, log },
      judge: judgeRefusal,
      ...signedBy(ring),
      names: new CountedNames(),
      isSimulated: (address) => config.mode === 'sandbox' && isSimulated(address),
      onRecorded: createWaker(db),
      onReport: (domain) => this.#trimmer.note(domain),
      ...(numbers ? { onResult: numbers.onResult } : {}),
    };
  }
}

/** Identifies a message's email by tokens that we signed. */
export function signedBy(ring: KeyRing): Pick<RecorderDeps, 'identify' | 'unsubscriber'> {
  const keys = ring.keysFor('return-path');
  const tracking = ring.keysFor('tracking');
  return {
    identify: (reference) => withAnyKey(keys, (key) => readReference(reference, key)),
    unsubscriber: (token) => withAnyKey(tracking, (key) => decodeUnsubscribeToken(token, key)),
  };
}
