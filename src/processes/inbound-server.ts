/**
 * Assembles the inbound role: receives bounces and complaints over SMTP, stores them, and processes them. The
 * process is in `inbound.ts`; tests start the server on their own database.
 *
 * It stops in reverse order: no new connections, messages in progress are stored and answered, and last the
 * current batch is processed. Stored but unprocessed mail is processed after the next start, by any process.
 */

import { selfSigned } from '../certificates/self-signed.ts';
import type { ServedCertificates } from '../certificates/served-certificates.ts';
import { CountedNames } from '../counters/counted-names.ts';
import type { Cell, Database } from '../database/database.ts';
import { judgeRefusal } from '../delivery/policy/judge.ts';
import { ReportTrimmer } from '../domains/reports/store.ts';
import { assignOrganization, type SignatureReaders } from '../inbound/assign-organization.ts';
import type { CapsByKind } from '../inbound/caps.ts';
import { createInboundMetrics, type InboundMetrics } from '../inbound/inbound-metrics.ts';
import { Intake } from '../inbound/intake.ts';
import { authenticateMail } from '../inbound/received/authenticate.ts';
import { type IncomingMail, ReceivedIntake } from '../inbound/received/intake.ts';
import type { ReceivingLimits } from '../inbound/received/limits.ts';
import { checkOldNames } from '../inbound/received/names-check.ts';
import { type ReaderDeps, readUnreadMail } from '../inbound/received/reader.ts';
import { scanMail } from '../inbound/received/scanners/scan.ts';
import { type RecorderDeps, recordReports, recordWaiting } from '../inbound/recorder.ts';
import type { Received } from '../inbound/smtp/inbound-dialogue.ts';
import { createMailboxes } from '../inbound/smtp/mailboxes.ts';
import {
  createInboundReceiver,
  type InboundLimits,
  type InboundReceiverOptions,
} from '../inbound/smtp/receiver.ts';
import { createServedMailboxes } from '../inbound/smtp/served-domains.ts';
import { trimKeptInbound } from '../inbound/store.ts';
import { type Chore, Housekeeper } from '../operations/housekeeper.ts';
import { KeyWatch } from '../operations/secret-keys/watch.ts';
import { createWaker } from '../outbox/wake.ts';
import { createResolver, type Resolver } from '../protocols/dns/resolver.ts';
import { readReference } from '../protocols/message/return-path.ts';
import { decodeUnsubscribeToken } from '../protocols/message/tracking-token.ts';
import type { SmtpListener } from '../protocols/smtp/server/listener.ts';
import { type CheckMx, mxChecker, sandboxMx } from '../received/mx-check.ts';
import { findReceiver } from '../received/receivers.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import { DiskWatch, type StatFs } from '../runtime/disk-space.ts';
import { HOUR_MS, MINUTE_MS } from '../runtime/durations.ts';
import { type KeyRing, withAnyKey } from '../runtime/key-ring.ts';
import { loadKeyRing } from '../runtime/key-store.ts';
import { closing, Lifecycle, type Service } from '../runtime/lifecycle.ts';
import type { Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { WorkLoop } from '../runtime/work-loop/loop.ts';
import { isSimulated } from '../sandbox/simulator.ts';
import { createSmtpCertificates, readCertificate } from './certificates.ts';
import { dataFolders } from './data-folders.ts';

export interface InboundDeps {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly db: Database;
  readonly metrics?: Metrics | undefined;
  /** Called with the reason when this process turns out to have the wrong secret key. */
  readonly onRefused?: ((problem: string) => void) | undefined;
  readonly limits?: Partial<InboundLimits>;
  /** Further receiver settings, in tests. */
  readonly receiver?: Partial<
    Pick<InboundReceiverOptions, 'times' | 'paces' | 'maxMessageBytes' | 'memoryBytes' | 'exempt'>
  >;
  /** Reads a disk's free space; tests pass their own. */
  readonly statfs?: StatFs;
  /** Limits for unprocessed mail; tests pass their own. */
  readonly caps?: CapsByKind;
  /** Receiving limits of organizations; tests pass their own. */
  readonly receivingLimits?: ReceivingLimits;
  /** Lease for processing a mail; tests pass their own. */
  readonly readingLeaseMs?: number;
  /** Interval for reloading certificates; tests pass their own. */
  readonly certificateRoundMs?: number;
  /** Stores mail without processing it, in tests. */
  readonly readsNothing?: true;
}

export class InboundServer implements Service {
  readonly name = 'inbound';
  readonly #deps: InboundDeps;
  readonly #lifecycle: Lifecycle;
  readonly #ring: KeyRing;
  readonly #signed: SignatureReaders;
  readonly #receiver: SmtpListener;
  readonly #cells: ReadonlyMap<Database, InboundCell>;
  readonly #resolver: Resolver;
  readonly #disk: DiskWatch;
  readonly #certificates: ServedCertificates | null;

  constructor(deps: InboundDeps) {
    this.#deps = deps;
    this.#lifecycle = new Lifecycle(deps.log);
    const ring = loadKeyRing(deps.config);
    this.#ring = ring;
    this.#signed = signedBy(ring);
    const { db, log, clock } = deps;
    const numbers = deps.metrics && createInboundMetrics(deps.metrics, db, () => this.#receiver.sessions);
    this.#disk = new DiskWatch({ folders: () => dataFolders(deps.config), log, statfs: deps.statfs });
    const resolver = createResolver({ clock, servers: deps.config.dnsServers });
    this.#resolver = resolver;
    const inCell = (cell: Cell) => new InboundCell({ ...deps, ...cell, ring, resolver, numbers });
    this.#cells = new Map(db.cells.map((cell) => [cell.residents, inCell(cell)]));
    this.#certificates = createSmtpCertificates({ ...deps, ring });
    this.#receiver = this.#createReceiver(numbers);
  }

  get ports(): readonly number[] {
    return [this.#receiver.port];
  }

  async start(): Promise<void> {
    await this.#lifecycle.start(new KeyWatch({ ...this.#deps, ring: this.#ring, role: 'inbound' }));
    await this.#lifecycle.start(this.#disk);
    await this.#lifecycle.start(closing('inbound lookups', async () => this.#resolver.close()));
    for (const cell of this.#cells.values()) await this.#lifecycle.start(cell);
    if (this.#certificates !== null) await this.#lifecycle.start(this.#certificates);
    await this.#lifecycle.start(this.#receiver);
  }

  retire(): Promise<void> {
    return this.#receiver.retire();
  }

  stop(): Promise<void> {
    return this.#lifecycle.stop();
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
        mayReceive: async (organizationId) => {
          await db.located();
          return this.#cellOf(organizationId).received.mayReceive(organizationId);
        },
        store: async (mail) => (this.#disk.state === 'full' ? 'full' : this.#storeReceived(mail)),
      },
      store: async (message) => (this.#disk.state === 'full' ? 'full' : this.#store(message)),
      certificate: readCertificate(config.inbound) ?? selfSigned(host, nowMs()),
      tls: this.#certificates ?? undefined,
    });
  }

  async #store(received: Received): Promise<'stored' | 'full' | 'failed'> {
    try {
      await this.#deps.db.located();
      const { organizationId, message } = await assignOrganization(this.#deps.db, this.#signed, received);
      return await this.#cellOf(organizationId).intake.store(message);
    } catch (error) {
      this.#deps.log.warn(
        { err: error },
        'the organization of an inbound message cannot be determined at the moment',
      );
      return 'failed';
    }
  }

  /**
   * If one cell fails after another has stored the mail, the sender is asked to retry and the mail is offered
   * to both again.
   */
  async #storeReceived(mail: IncomingMail): Promise<'stored' | 'failed'> {
    try {
      await this.#deps.db.located();
      const parts = this.#deps.db.byCell(mail.receivers, ({ organizationId }) => organizationId);
      for (const { db, items } of parts) {
        const stored = await this.#cells.get(db)?.received.store({ ...mail, receivers: items });
        if (stored !== 'stored') return 'failed';
      }
      return 'stored';
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'the cell for received mail cannot be determined at the moment');
      return 'failed';
    }
  }

  #cellOf(organizationId: string): InboundCell {
    return this.#cells.get(this.#deps.db.of(organizationId)) as InboundCell;
  }
}

interface InboundCellDeps {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
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

/** The inbound role for one cell: stores mail for the cell's organizations, and processes reports. */
class InboundCell implements Service {
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
function signedBy(ring: KeyRing): Pick<RecorderDeps, 'identify' | 'unsubscriber'> {
  const keys = ring.keysFor('return-path');
  const tracking = ring.keysFor('tracking');
  return {
    identify: (reference) => withAnyKey(keys, (key) => readReference(reference, key)),
    unsubscriber: (token) => withAnyKey(tracking, (key) => decodeUnsubscribeToken(token, key)),
  };
}
