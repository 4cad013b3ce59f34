/**
 * Wires the inbound role: receives bounces and complaints over SMTP, stores them, and records what they say. The
 * process around it is `inbound.ts`; tests start it on a database of their own.
 *
 * It stops in the reverse order: no new connections, messages being received are stored and answered, and last the
 * current batch is recorded. What is stored but not recorded then is recorded after the next start, by any process.
 */

import { judgeRefusal } from '../delivery/policy/judge.ts';
import { ReportTrimmer } from '../domains/reports/trimmer.ts';
import type { CapsByKind } from '../inbound/caps.ts';
import { createInboundMetrics, type InboundMetrics } from '../inbound/inbound-metrics.ts';
import { Intake } from '../inbound/intake.ts';
import { authenticateMail } from '../inbound/received/authenticate.ts';
import { ReceivedIntake } from '../inbound/received/intake.ts';
import type { ReceivingLimits } from '../inbound/received/limits.ts';
import { checkOldNames } from '../inbound/received/names-check.ts';
import { type ReaderDeps, readUnreadMail } from '../inbound/received/reader.ts';
import { scanMail } from '../inbound/received/scanners/scan.ts';
import { type RecorderDeps, recordReports, recordWaiting } from '../inbound/recorder.ts';
import { selfSigned } from '../inbound/smtp/certificate.ts';
import { createMailboxes } from '../inbound/smtp/mailboxes.ts';
import {
  createInboundReceiver,
  type InboundLimits,
  type InboundReceiverOptions,
} from '../inbound/smtp/receiver.ts';
import { createServedMailboxes } from '../inbound/smtp/served-domains.ts';
import { trimKeptInbound } from '../inbound/store.ts';
import type { Database } from '../kit/database/database.ts';
import { createResolver, type Resolver } from '../kit/dns/resolver.ts';
import { readReference } from '../kit/message/return-path.ts';
import { decodeUnsubscribeToken } from '../kit/message/tracking-token.ts';
import type { Clock } from '../kit/runtime/clock.ts';
import type { Config } from '../kit/runtime/config.ts';
import { DiskWatch, type StatFs } from '../kit/runtime/disk-space.ts';
import { HOUR_MS, MINUTE_MS } from '../kit/runtime/durations.ts';
import { type KeyRing, withAnyKey } from '../kit/runtime/key-ring.ts';
import { loadKeyRing } from '../kit/runtime/key-store.ts';
import { Lifecycle, type Service } from '../kit/runtime/lifecycle.ts';
import type { Log } from '../kit/runtime/log.ts';
import type { Metrics } from '../kit/runtime/metrics.ts';
import type { SmtpListener } from '../kit/smtp/server/listener.ts';
import { WorkLoop } from '../kit/work-loop/loop.ts';
import { Housekeeper } from '../maintenance/housekeeper.ts';
import { KeyWatch } from '../maintenance/secret-keys/watch.ts';
import { createWaker } from '../outbox/wake.ts';
import { type CheckMx, mxChecker, sandboxMx } from '../received/mx-check.ts';
import { findReceiver } from '../received/receivers.ts';
import { isSimulated } from '../sandbox/simulator.ts';
import { CountedNames } from '../stats/counted-names.ts';
import { readCertificate } from './certificate-files.ts';
import { dataFolders } from './data-folders.ts';

export interface InboundDeps {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly db: Database;
  readonly metrics?: Metrics | undefined;
  /** Told why, where it turns out late that this process must not run: it has another secret key. */
  readonly onRefused?: ((problem: string) => void) | undefined;
  readonly limits?: Partial<InboundLimits>;
  /** Further settings of the receiver, in tests. */
  readonly receiver?: Partial<Pick<InboundReceiverOptions, 'times' | 'maxMessageBytes' | 'exempt'>>;
  /** A disk of the test's own making. */
  readonly statfs?: StatFs;
  /** How much may wait to be read; only tests say. */
  readonly caps?: CapsByKind;
  /** How much organizations may receive; only tests say. */
  readonly receivingLimits?: ReceivingLimits;
  /** How long somebody has for reading a mail before another takes it; only tests say. */
  readonly readingLeaseMs?: number;
  /** Takes mail without reading it, in tests. */
  readonly readsNothing?: true;
}

const POLL_MS = 1_000;
const DRAIN_MS = 4_000;

export class InboundServer implements Service {
  readonly name = 'inbound';
  readonly #deps: InboundDeps;
  readonly #lifecycle: Lifecycle;
  readonly #ring: KeyRing;
  readonly #receiver: SmtpListener;
  readonly #reading: WorkLoop<number>;
  readonly #receiving: WorkLoop<number>;
  readonly #intake: Intake;
  readonly #received: ReceivedIntake;
  readonly #resolver: Resolver;
  readonly #disk: DiskWatch;
  readonly #trimmer: ReportTrimmer;

  constructor(deps: InboundDeps) {
    this.#deps = deps;
    this.#lifecycle = new Lifecycle(deps.log);
    this.#ring = loadKeyRing(deps.config);
    const { db, log, clock } = deps;
    const numbers = deps.metrics && createInboundMetrics(deps.metrics, db, () => this.#receiver.sessions);
    this.#disk = new DiskWatch({ folders: () => dataFolders(deps.config), log, statfs: deps.statfs });
    this.#trimmer = new ReportTrimmer(db);
    this.#resolver = createResolver({ clock, servers: deps.config.dnsServers });
    this.#reading = this.#createReading(numbers);
    this.#receiving = this.#createReceiving(numbers);
    this.#received = new ReceivedIntake({
      ...{ db, log, clock, limits: deps.receivingLimits },
      onStored: () => this.#receiving.wake(),
    });
    this.#intake = new Intake({ db, log, clock, caps: deps.caps, onStored: () => this.#reading.wake() });
    this.#receiver = this.#createReceiver(numbers);
  }

  get ports(): readonly number[] {
    return [this.#receiver.port];
  }

  async start(): Promise<void> {
    const { db, log, readsNothing } = this.#deps;
    const chore = { name: 'kept inbound mail', everyMs: HOUR_MS, run: () => trimKeptInbound(db) };
    const reports = { name: 'old reports', everyMs: HOUR_MS, run: () => this.#trimmer.run() };
    const names = {
      name: 'receiving names',
      everyMs: 5 * MINUTE_MS,
      run: () => checkOldNames(db, this.#deps.clock, this.#checkMx),
    };
    const chores = [chore, reports, names].map((one) => ({ ...one, inBackground: true as const }));
    await this.#lifecycle.start(new Housekeeper(chores, log));
    await this.#lifecycle.start(new KeyWatch({ ...this.#deps, ring: this.#ring, role: 'inbound' }));
    await this.#lifecycle.start(this.#disk);
    await this.#lifecycle.start({
      name: 'inbound lookups',
      start: async () => {},
      stop: async () => this.#resolver.close(),
    });
    if (!readsNothing) await this.#lifecycle.start(this.#reading);
    if (!readsNothing) await this.#lifecycle.start(this.#receiving);
    await this.#lifecycle.start({
      name: 'inbound intake',
      start: async () => {},
      stop: () => this.#intake.drained(),
    });
    await this.#lifecycle.start(this.#receiver);
  }

  retire(): Promise<void> {
    return this.#receiver.retire();
  }

  stop(): Promise<void> {
    return this.#lifecycle.stop();
  }

  /** Recording is a transaction of its own and claims what it records, so a turn of the loop is one batch. */
  #createReading(numbers: InboundMetrics | undefined): WorkLoop<number> {
    const { log } = this.#deps;
    const deps = this.#recorderDeps(numbers);
    return new WorkLoop<number>({
      name: 'inbound reports',
      log,
      capacity: 1,
      pollMs: POLL_MS,
      drainMs: DRAIN_MS,
      claim: async () => {
        const count = (await recordWaiting(deps)) + (await recordReports(deps));
        return count > 0 ? [count] : [];
      },
      work: async () => {},
    });
  }

  /** What takes long here keeps no report waiting. */
  #createReceiving(numbers: InboundMetrics | undefined): WorkLoop<number> {
    const { db, log, readingLeaseMs: leaseMs, clock, config } = this.#deps;
    const scanning = { log, ...(numbers ? { onScan: numbers.onScan } : {}) };
    const authenticating = { resolver: this.#resolver, nowMs: () => clock.nowMs() };
    const deps: ReaderDeps = {
      ...{ db, log, leaseMs },
      authenticate: (mail) => authenticateMail(authenticating, mail),
      scan: (mail) => scanMail({ ...scanning, scanners: config.inbound.scanners }, mail),
      onRecorded: createWaker(db),
      ...(numbers ? { onRead: numbers.onRead } : {}),
    };
    return new WorkLoop<number>({
      name: 'received mail',
      log,
      capacity: 1,
      pollMs: POLL_MS,
      drainMs: DRAIN_MS,
      claim: async () => {
        const count = await readUnreadMail(deps);
        return count > 0 ? [count] : [];
      },
      work: async () => {},
    });
  }

  get #checkMx(): CheckMx {
    const { mode, hostname } = this.#deps.config;
    const host = hostname.toLowerCase();
    return mode === 'sandbox' ? sandboxMx(host) : mxChecker(this.#resolver, host);
  }

  #recorderDeps(numbers: InboundMetrics | undefined): RecorderDeps {
    const { db, clock, log, config } = this.#deps;
    const keys = this.#ring.keysFor('return-path');
    const tracking = this.#ring.keysFor('tracking');
    return {
      db,
      clock,
      log,
      judge: judgeRefusal,
      identify: (reference) => withAnyKey(keys, (key) => readReference(reference, key)),
      names: new CountedNames(),
      unsubscriber: (token) => withAnyKey(tracking, (key) => decodeUnsubscribeToken(token, key)),
      isSimulated: (address) => config.mode === 'sandbox' && isSimulated(address),
      onRecorded: createWaker(db),
      onReport: (domain) => this.#trimmer.note(domain),
      ...(numbers ? { onResult: numbers.onResult } : {}),
    };
  }

  #createReceiver(numbers: InboundMetrics | undefined): SmtpListener {
    const { config, log, clock, db, limits, receiver } = this.#deps;
    const nowMs = () => clock.nowMs();
    const host = config.hostname;
    const keys = this.#ring.keysFor('return-path');
    const reportKeys = this.#ring.keysFor('report-addresses');
    const replyKeys = this.#ring.keysFor('reply-addresses');
    return createInboundReceiver({
      ...receiver,
      ...(limits ? { limits } : {}),
      ...(numbers ? { onReply: numbers.onReply } : {}),
      listen: config.inbound,
      host,
      log,
      nowMs,
      find: createServedMailboxes(createMailboxes({ host, keys, reportKeys, nowMs }), db, nowMs, (address) =>
        findReceiver({ db, host: host.toLowerCase(), keys: replyKeys }, address),
      ),
      receiving: {
        hasRoom: (organizationId) => this.#received.hasRoom(organizationId),
        store: async (mail) => (this.#disk.state === 'full' ? 'full' : this.#received.store(mail)),
      },
      store: async (message) => (this.#disk.state === 'full' ? 'full' : this.#intake.store(message)),
      certificate: readCertificate(config.inbound) ?? selfSigned(host, nowMs()),
    });
  }
}
