/**
 * Assembles the inbound role: receives bounces and complaints over SMTP, stores them, and processes them. The
 * process is in `inbound.ts`; tests start the server on their own database.
 *
 * It stops in reverse order: no new connections, messages in progress are stored and answered, and last the
 * current batch is processed. Stored but unprocessed mail is processed after the next start, by any process.
 */

import { selfSigned } from '../certificates/self-signed.ts';
import type { ServedCertificates } from '../certificates/served-certificates.ts';
import type { Cell, Database } from '../database/database.ts';
import { assignOrganization, type SignatureReaders } from '../inbound/assign-organization.ts';
import type { CapsByKind } from '../inbound/caps.ts';
import { createInboundMetrics, type InboundMetrics } from '../inbound/inbound-metrics.ts';
import type { IncomingMail } from '../inbound/received/intake.ts';
import type { ReceivingLimits } from '../inbound/received/limits.ts';
import type { Received } from '../inbound/smtp/inbound-dialogue.ts';
import { createMailboxes } from '../inbound/smtp/mailboxes.ts';
import {
  createInboundReceiver,
  type InboundLimits,
  type InboundReceiverOptions,
} from '../inbound/smtp/receiver.ts';
import { createServedMailboxes } from '../inbound/smtp/served-domains.ts';
import { KeyWatch } from '../operations/secret-keys/watch.ts';
import { createResolver, type Resolver } from '../protocols/dns/resolver.ts';
import type { SmtpListener } from '../protocols/smtp/server/listener.ts';
import { findReceiver } from '../received/receivers.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import { DiskWatch, type StatFs } from '../runtime/disk-space.ts';
import type { KeyRing } from '../runtime/key-ring.ts';
import { loadKeyRing } from '../runtime/key-store.ts';
import { closing, Lifecycle, type Service } from '../runtime/lifecycle.ts';
import type { Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { readCertificate } from './certificate-files.ts';
import { createSmtpCertificates } from './certificates.ts';
import { dataFolders } from './data-folders.ts';
import { InboundCell, signedBy } from './inbound-cell.ts';

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
      this.#deps.log.warn({ err: error }, 'it is not known just now whose a message is');
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
      this.#deps.log.warn({ err: error }, 'it is not known just now where received mail is to be stored');
      return 'failed';
    }
  }

  #cellOf(organizationId: string): InboundCell {
    return this.#cells.get(this.#deps.db.of(organizationId)) as InboundCell;
  }
}
