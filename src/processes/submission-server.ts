/**
 * Assembles SMTP submission: receives messages, and accepts them like the API. The process is in
 * `submission.ts`; tests start the server on their own database.
 *
 * It stops in reverse order: no new connections, then messages in progress are accepted and answered.
 */

import { KeyCounts } from '../accounts/api-keys/key-counts.ts';
import { createKeyLookUp } from '../accounts/api-keys/service.ts';
import { KeyUsage } from '../accounts/api-keys/usage.ts';
import type { Database } from '../database/database.ts';
import { senderWithKey } from '../emails/http/send-request.ts';
import { ErasedAddresses } from '../erasure/erased-address-hash.ts';
import { isAllowed } from '../http/access.ts';
import { KeyCache } from '../http/key-cache.ts';
import { RateLimiter } from '../http/rate-limit.ts';
import { RateShares } from '../http/rate-shares.ts';
import { createReadOptions } from '../ingress/smtp-submission/options.ts';
import type { LookUpSender } from '../ingress/smtp-submission/submission-dialogue.ts';
import {
  createSubmissionListeners,
  type SubmissionReceiverOptions,
} from '../ingress/smtp-submission/submission-receiver.ts';
import { createSubmitMessage } from '../ingress/smtp-submission/submit-message.ts';
import { KeyWatch } from '../operations/secret-keys/watch.ts';
import { createShareTaker } from '../organizations/request-shares.ts';
import { createSettings } from '../organizations/settings/list.ts';
import { firstOrganization } from '../organizations/store.ts';
import { countDrops } from '../protocols/smtp/server/drop-metrics.ts';
import type { SmtpListener } from '../protocols/smtp/server/listener.ts';
import type { Reply } from '../protocols/smtp/server/replies.ts';
import { RequestRecorder } from '../request-logs/recorder.ts';
import { type Clock, steadyClock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import { DiskWatch, type StatFs } from '../runtime/disk-space.ts';
import { loadKeyRing } from '../runtime/key-store.ts';
import { Lifecycle, type Service } from '../runtime/lifecycle.ts';
import type { Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { Tracer } from '../runtime/tracing.ts';
import { RecipientScreen } from '../submission/recipient-screen.ts';
import type { Sender } from '../submission/submit.ts';
import { createAccepting } from './accepting.ts';
import { createAddressValidation } from './address-validation.ts';
import { createSmtpCertificates, readCertificate } from './certificates.ts';
import { dataFolders } from './data-folders.ts';

export interface SubmissionServerDeps {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly db: Database;
  readonly metrics?: Metrics | undefined;
  readonly tracer?: Tracer | undefined;
  /** Called with the reason when this process turns out to have the wrong secret key. */
  readonly onRefused?: ((problem: string) => void) | undefined;
  /** Reads a disk's free space; tests pass their own. */
  readonly statfs?: StatFs | undefined;
  /** Interval for reloading certificates; tests pass their own. */
  readonly certificateRoundMs?: number;
  /** Further receiver settings, in tests. */
  readonly receiver?: Partial<
    Pick<
      SubmissionReceiverOptions,
      'limits' | 'times' | 'paces' | 'maxMessageBytes' | 'memoryBytes' | 'exempt'
    >
  >;
}

export class SubmissionServer implements Service {
  readonly name = 'submission';
  readonly #lifecycle: Lifecycle;
  /** In starting order. */
  readonly #services: readonly Service[];
  readonly #listeners: readonly SmtpListener[];

  constructor(deps: SubmissionServerDeps) {
    const { config, db, clock, log } = deps;
    this.#lifecycle = new Lifecycle(log);
    const ring = loadKeyRing(config);
    const erased = new ErasedAddresses(db, ring);
    const usage = new KeyUsage(db, clock, log);
    const counts = new KeyCounts(db, clock, log);
    const requests = new RequestRecorder(deps);
    const validation = createAddressValidation(deps);
    const disk = new DiskWatch({ folders: () => dataFolders(config), log, statfs: deps.statfs });
    const settings = createSettings(db, steadyClock, validation);
    const { submission } = createAccepting({ ...deps, disk, erased, settings, counts, ring });
    const shared = new RateShares({
      limit: config.rateLimit,
      clock,
      ask: createShareTaker(db, 'submission'),
    });
    const certificates = createSmtpCertificates({ ...deps, ring });
    this.#listeners = createSubmissionListeners({
      ...deps.receiver,
      ...placeOf(config),
      tls: certificates ?? undefined,
      log,
      nowMs: () => clock.nowMs(),
      onRefused: requests.onRefused,
      onReply: deps.metrics && countReplies(deps.metrics, () => this.sessions),
      lookUp: createLookUp(db, clock, usage),
      anybody: config.mode === 'sandbox' ? createFirstSender(db) : null,
      rate: new RateLimiter(config.rateLimit, clock, shared),
      screen: new RecipientScreen({ db, ...settings, hash: (address) => erased.keyOf(address) }),
      submit: createSubmitMessage({ db, submission, readOptions: createReadOptions(clock) }),
    });
    const onOthers = (others: number) => shared.setOthers(others);
    const keys = new KeyWatch({ ...deps, ring, erased, role: 'submission', onOthers });
    const served = certificates === null ? [] : [certificates];
    const workers = [usage, counts, requests, validation.lookups];
    this.#services = [keys, disk, ...served, ...workers, ...this.#listeners];
  }

  get sessions(): number {
    return this.#listeners.reduce((sum, { sessions }) => sum + sessions, 0);
  }

  /** The first port is the one without implicit TLS. */
  get ports(): readonly number[] {
    return this.#listeners.map(({ port }) => port);
  }

  async start(): Promise<void> {
    for (const service of this.#services) await this.#lifecycle.start(service);
  }

  async retire(): Promise<void> {
    await Promise.all(this.#listeners.map((listener) => listener.retire()));
  }

  stop(): Promise<void> {
    return this.#lifecycle.stop();
  }
}

function placeOf({ submission, inbound, hostname }: Config) {
  const { host, port, tlsPort = null, offersStartTls } = submission;
  return {
    listen: { host, port, tlsPort },
    host: hostname,
    certificate: readCertificate(inbound),
    offersStartTls,
  };
}

/** A key has the same rights here as for sending over the API. */
function createLookUp(db: Database, clock: Clock, usage: KeyUsage): LookUpSender {
  const cache = new KeyCache(createKeyLookUp(db, clock, usage));
  return async (hash) => {
    const principal = await cache.lookUp(hash);
    if (principal === null) return null;
    return isAllowed(principal, { scope: 'send', tied: true }, 'POST')
      ? senderWithKey(principal)
      : 'may_not_send';
  };
}

/** Cached, because the first organization never changes. */
function createFirstSender(db: Database): () => Promise<Sender> {
  let found: Sender | null = null;
  return async () => {
    if (found !== null) return found;
    const first = await firstOrganization(db);
    if (first === undefined) throw new Error('There is no organization yet.');
    found = { organizationId: first.id, keyId: null, tiedTo: null, policy: null };
    return found;
  };
}

function countReplies(metrics: Metrics, sessions: () => number): (reply: Reply) => void {
  const count = metrics.counter(
    'postrider_submission_replies_total',
    'Replies to clients that submit mail, by reply code.',
    ['reply'],
  );
  const onDrop = countDrops(metrics, 'submission');
  metrics.gauge('postrider_submission_sessions', 'Open connections of clients that submit mail.', sessions);
  return (reply) => {
    count({ reply: `${reply.code} ${reply.enhanced}` });
    onDrop(reply);
  };
}
