/**
 * Assembles the mail side: claims due mail, delivers it, records the outcome. The process is in `worker.ts`;
 * tests start the worker on their own database.
 *
 * Services start in the order of their dependencies and stop in reverse: claiming stops, then deliveries in
 * progress finish or are cut off, then their outcomes are settled, and last the lease is released. Before a
 * stop, `drain` waits for receivers that have a message.
 */

import { type Database, MAIN_CELL } from '../database/database.ts';
import { createLoader } from '../delivery/attempt/load.ts';
import { createMailboxLookup } from '../delivery/attempt/mailbox-state.ts';
import { takeOver, tidyUp } from '../delivery/attempt/recover.ts';
import { Floods } from '../delivery/guard/floods.ts';
import { MailGuard } from '../delivery/guard/guard.ts';
import { createDeliveryMetrics } from '../delivery/scheduler/delivery-metrics.ts';
import { SiteTimes } from '../delivery/scheduler/site-times.ts';
import { inSequence, StreamPaces } from '../delivery/scheduler/stream-paces.ts';
import { CanaryOutcomes } from '../delivery/transports/canary-outcomes.ts';
import { NO_ROUTES } from '../delivery/transports/planner.ts';
import { SourceOutcomes } from '../delivery/transports/source-outcomes.ts';
import { RefusedSenders } from '../domains/senders.ts';
import { DomainSigningKeys } from '../domains/signing-keys.ts';
import { ErasedAddresses } from '../erasure/erased-address-hash.ts';
import { registerHoldMetrics } from '../interventions/holds/hold-metrics.ts';
import { HoldsInForce } from '../interventions/holds/in-force.ts';
import { createDomainChecks } from '../operations/domain-checks.ts';
import { enterMode } from '../operations/enter-mode.ts';
import { Housekeeper } from '../operations/housekeeper.ts';
import { KeyWatch } from '../operations/secret-keys/watch.ts';
import { journalEpochs } from '../outbox/journal.ts';
import { isAboutHolds, isAboutRoutes, lanesIn } from '../outbox/wake.ts';
import { WorkerLease } from '../outbox/worker-lease.ts';
import type { Deadlines } from '../protocols/smtp/deadlines.ts';
import { OpportunisticTls } from '../protocols/smtp/opportunistic-tls.ts';
import { SmtpPool } from '../protocols/smtp/pool.ts';
import type { Clock } from '../runtime/clock.ts';
import { type Config, retrySpeed } from '../runtime/config.ts';
import type { KeyRing } from '../runtime/key-ring.ts';
import { loadKeyRing } from '../runtime/key-store.ts';
import { closing, Lifecycle, type Service } from '../runtime/lifecycle.ts';
import type { Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { createStageMetrics, untimed } from '../runtime/stage-metrics.ts';
import type { Tracer } from '../runtime/tracing.ts';
import { Budget } from '../runtime/work-loop/budget.ts';
import { simulationIn } from '../sandbox/simulator.ts';
import { SuppressionImporter } from '../suppressions/import-service.ts';
import { TemplateLibrary } from '../templates/library.ts';
import { createWebhookMetrics } from '../webhooks/dispatch/webhook-metrics.ts';
import { awaitReplies } from './await-replies.ts';
import { journalHome } from './data-folders.ts';
import { createDomainChecking } from './domain-checking.ts';
import { createOutgoing } from './outgoing.ts';
import { ownPorts } from './outside-urls.ts';
import { type LiveRouting, startLiveRouting } from './routing.ts';
import { startSandboxRouter } from './sandbox-routing.ts';
import type { TrustForTests } from './tls-reporting.ts';
import { createWakeListener } from './wake-listener.ts';
import { watchAttempts } from './watch-attempts.ts';
import { createWebhookDispatcher } from './webhook-dispatching.ts';
import { workerChores } from './worker-chores.ts';
import { workerName } from './worker-name.ts';
import { WorkerSession, type WorkerSessionOptions, WorkerSessions } from './worker-sessions.ts';

export interface WorkerDeps {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly db: Database;
  readonly databaseUrl: string;
  readonly metrics?: Metrics | undefined;
  readonly tracer?: Tracer | undefined;
  /** Speed factor of retries and blocks; from the configuration, except in tests. */
  readonly speed?: number;
  /** SMTP timeouts, in tests. */
  readonly deadlines?: Partial<Deadlines>;
  readonly trust?: TrustForTests;
  /** Called with the reason when this process turns out to have the wrong secret key. */
  readonly onRefused?: ((problem: string) => void) | undefined;
  /** Called when the worker cannot continue: the process should end and be restarted. */
  readonly onBroken?: () => void;
}

const CONTENT_MEMORY_BYTES = 64 * 1024 * 1024;
const DRAIN_MS = 4_000;
const SMTP_GRACE_MS = 500;

export class MailWorker implements Service {
  readonly name = 'worker';
  readonly #deps: WorkerDeps;
  readonly #lifecycle: Lifecycle;
  readonly #ring: KeyRing;
  readonly #erased: ErasedAddresses;
  readonly #ports: Set<number>;
  readonly #lease: WorkerLease;
  readonly #holds: HoldsInForce;
  readonly #times: SiteTimes;
  readonly #sources: SourceOutcomes;
  readonly #canaries: CanaryOutcomes;
  readonly #guard: MailGuard;
  #terms: WorkerSessions | undefined;
  #pool: SmtpPool | undefined;
  #refusedSenders: RefusedSenders | undefined;
  /** Only in live mode: the sandbox has a single path for all mail, without DNS. */
  #live: LiveRouting | undefined;

  constructor(deps: WorkerDeps) {
    this.#deps = deps;
    this.#lifecycle = new Lifecycle(deps.log);
    this.#ring = loadKeyRing(deps.config);
    this.#erased = new ErasedAddresses(deps.db, this.#ring);
    this.#ports = ownPorts(deps.config);
    this.#lease = this.#createLease();
    this.#holds = new HoldsInForce(deps);
    this.#times = new SiteTimes(deps);
    this.#sources = new SourceOutcomes(deps);
    this.#canaries = new CanaryOutcomes(deps);
    this.#guard = new MailGuard(deps);
  }

  async start(): Promise<void> {
    const { db, clock, log, metrics } = this.#deps;
    await this.#lifecycle.start(
      new KeyWatch({
        ...this.#deps,
        ring: this.#ring,
        role: workerName(this.#deps.config),
        erased: this.#erased,
      }),
    );
    const keys = await this.#startDomainChecks();
    await this.#startHousekeeper();
    await this.#lifecycle.start(this.#lease);
    await this.#lifecycle.start(this.#holds);
    if (metrics !== undefined) registerHoldMetrics(metrics, this.#holds);
    await this.#lifecycle.start(this.#times);
    await this.#lifecycle.start(this.#sources);
    await this.#lifecycle.start(this.#canaries);
    await this.#lifecycle.start(closing('outcomes', () => this.#finish()));
    const { router, routes } = await this.#startRouter();
    const onStage = metrics === undefined ? untimed : createStageMetrics(metrics);
    const pool = new SmtpPool({
      clock,
      onStage,
      limits: { stopGraceMs: SMTP_GRACE_MS },
      deadlines: this.#deps.deadlines ?? {},
      ...(this.#deps.trust ? { trustedCertificates: this.#deps.trust.certificates } : {}),
    });
    await this.#lifecycle.start(pool);
    this.#pool = pool;
    const taking = new OpportunisticTls(pool, clock);
    const smtp = this.#live?.tlsCounts?.counting(taking) ?? taking;
    const delivering = { ...this.#createDelivering({ router, routes, smtp, keys }), onStage };
    const terms = this.#createTerms(delivering);
    this.#terms = terms;
    await this.#lifecycle.start({
      name: 'deliveries',
      start: () => terms.begin(),
      stop: () => terms.drain(),
    });
    await this.#lifecycle.start(this.#createListener());
    await this.#lifecycle.start(new SuppressionImporter({ db, clock, log }));
  }

  /**
   * Releases mail that no receiver has, and resolves when the receivers have replied for the rest, after
   * POSTRIDER_STOP_TIMEOUT, or when `enough` is aborted. The lease is renewed meanwhile, so that no other
   * worker claims mail that a receiver may have.
   */
  async drain(enough: AbortSignal, onWaiting: (receivers: number) => void): Promise<void> {
    this.#terms?.release();
    this.#pool?.rollBackMove();
    const withinMs = this.#deps.config.stopTimeoutMs;
    if (this.#pool !== undefined) await awaitReplies(this.#pool, { withinMs, enough, onWaiting });
  }

  stop(): Promise<void> {
    return this.#lifecycle.stop();
  }

  #createLease(): WorkerLease {
    const { db, log, config } = this.#deps;
    const options = { db, log, dataDir: journalHome(config) };
    return new WorkerLease({
      db,
      log,
      takeOver: (dead) => takeOver(options, dead),
      journals: () => journalEpochs(options.dataDir),
      tidyUp: (epoch) => tidyUp(options, epoch),
      isUnsettled: () => this.#terms?.isUnsettled === true,
      onLost: () => this.#terms?.renew(),
    });
  }

  async #startDomainChecks(): Promise<DomainSigningKeys> {
    const { db, clock, log, config } = this.#deps;
    const ended = await enterMode(db, config.mode, clock);
    if (ended.length > 0)
      log.warn({ domains: ended }, 'domains that were verified in the sandbox only cannot send');
    const checking = createDomainChecking({ ...this.#deps, ring: this.#ring });
    await this.#lifecycle.start(checking.lookups);
    const checks = createDomainChecks(checking);
    await this.#lifecycle.start(checks);
    this.#refusedSenders = new RefusedSenders({ db, clock, log, onDue: () => checks.wake() });
    return new DomainSigningKeys({ db, clock, keys: checking.keys });
  }

  async #startHousekeeper(): Promise<void> {
    const chores = await workerChores({ ...this.#deps, ...this.#retry(), ring: this.#ring });
    await this.#lifecycle.start(new Housekeeper(chores, this.#deps.log));
  }

  async #startRouter(): Promise<Pick<WorkerSessionOptions['delivering'], 'router' | 'routes'>> {
    const onChange = () => this.#terms?.reroute();
    const parts = { ...this.#deps, ring: this.#ring, erased: this.#erased, onChange };
    if (this.#deps.config.mode === 'sandbox') {
      const { router, port } = await startSandboxRouter(parts, this.#lifecycle);
      this.#ports.add(port);
      return { router, routes: NO_ROUTES };
    }
    this.#live = await startLiveRouting(parts, this.#lifecycle);
    return this.#live.routing;
  }

  #createDelivering(
    parts: Pick<WorkerSessionOptions['delivering'], 'router' | 'routes' | 'smtp'> & {
      keys: DomainSigningKeys;
    },
  ) {
    const { db, clock, log, config } = this.#deps;
    const { router, routes, smtp, keys } = parts;
    return {
      ...{ clock, log, router, routes, smtp },
      retry: this.#retry(),
      ...this.#createLoading(),
      askMailbox: createMailboxLookup(db, (address) => this.#erased.keyOf(address)),
      ...createOutgoing({
        ...{ config, db, ring: this.#ring, keys },
        returnPathHosts: this.#live?.returnPathHosts,
      }),
      onSenderRefused: (organizationId: string, domain: string) =>
        void this.#refusedSenders?.note(organizationId, domain),
      onFinished: watchAttempts(this.#deps),
      ...simulationIn(config.mode),
      memory: new Budget(CONTENT_MEMORY_BYTES),
    };
  }

  /** In the sandbox, repeated mail harms no recipient. */
  #createLoading(): Pick<WorkerSessionOptions['delivering'], 'load' | 'paces'> {
    const { db, clock, log, config } = this.#deps;
    const load = createLoader(db, new TemplateLibrary(db));
    const streams = new StreamPaces({ db, clock });
    if (config.mode === 'sandbox') return { load, paces: streams };
    const floods = new Floods({ db, clock, log, speed: this.#retry().speed });
    return { load: floods.loading(load), paces: inSequence(streams, floods) };
  }

  #createTerms(delivering: WorkerSessionOptions['delivering']): WorkerSessions {
    const { db, clock, log, config, metrics, tracer, onBroken = () => {} } = this.#deps;
    const nowMs = () => clock.nowMs();
    const retrying = this.#retry();
    const holds = this.#holds;
    // Live mode only: sandbox mail harms no recipient, and users test floods and failures there.
    const guard = config.mode === 'live' ? this.#guard : null;
    const onMail = metrics && createDeliveryMetrics(metrics, db, nowMs);
    const onWebhook = metrics && createWebhookMetrics(metrics, db, nowMs);
    const create = (epoch: number) => {
      const isHeld = () => this.#lease.holds(epoch);
      const webhooks = createWebhookDispatcher(
        { ...this.#deps, ring: this.#ring, ports: this.#ports },
        { epoch, mayClaim: () => isHeld() && !holds.areWebhooksHeld, retrying, onAttempt: onWebhook, tracer },
      );
      const { mode, cells, cell: ours = MAIN_CELL } = config;
      const dataDir = journalHome(config);
      const cell = cells.length === 0 ? null : ours;
      const watching = { holds, guard, times: this.#times, sources: this.#sources, canaries: this.#canaries };
      const about = { db, clock, log, mode, dataDir, epoch, cell, isHeld, drainMs: DRAIN_MS, ...watching };
      return new WorkerSession({ ...about, ...retrying, delivering, webhooks, onAttempt: onMail });
    };
    return new WorkerSessions({ log, lease: this.#lease, create, onBroken });
  }

  #createListener(): Service {
    return createWakeListener(this.#deps, (hint) => {
      if (isAboutHolds(hint)) this.#holds.refresh();
      else if (isAboutRoutes(hint)) this.#live?.routing.refresh();
      else this.#terms?.notice(lanesIn(hint));
    });
  }

  async #finish(): Promise<void> {
    await this.#terms?.finish();
    await this.#guard.drained();
  }

  #retry(): { readonly speed: number; readonly random: () => number } {
    return { speed: this.#deps.speed ?? retrySpeed(this.#deps.config), random: Math.random };
  }
}
