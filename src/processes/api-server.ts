/**
 * Assembles the HTTP side: its slices, their services, and readiness. The process is in `api.ts`; tests start
 * the server on their own database and port.
 *
 * Owns only what it starts: the database belongs to the caller.
 */
import { once } from 'node:events';
import { Server as NetServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { KeyCounts } from '../accounts/api-keys/key-counts.ts';
import { createKeyLookUp } from '../accounts/api-keys/service.ts';
import { KeyUsage } from '../accounts/api-keys/usage.ts';
import type { Database } from '../database/database.ts';
import { isUnavailable, SchemaError } from '../database/errors.ts';
import { checkSchema } from '../database/migrate.ts';
import { sumOfCells } from '../database/per-cell.ts';
import { Reads } from '../database/reads.ts';
import { Replica } from '../database/replica.ts';
import { countFailingDomains } from '../domains/check-store.ts';
import { API_LIMITS } from '../domains/key-pairs.ts';
import { ErasedAddresses } from '../erasure/erased-address-hash.ts';
import { createApp } from '../http/app.ts';
import type { MetricsAccess } from '../http/metrics-access.ts';
import type { DocumentedWebhook } from '../http/openapi.ts';
import { RateShares } from '../http/rate-shares.ts';
import { UnauthenticatedQuotas } from '../http/unauthenticated-quotas.ts';
import { stsRoutes } from '../inbound/sts-routes.ts';
import { KeyWatch } from '../operations/secret-keys/watch.ts';
import { createShareTaker } from '../organizations/request-shares.ts';
import { type Undelivered, undelivered } from '../outbox/status.ts';
import { ProofKeys } from '../proofs/proof-keys.ts';
import { proofKeyRoutes } from '../proofs/routes.ts';
import { ownStsPolicy, stsHostOf, stsPolicyText } from '../protocols/dns/own-sts-policy.ts';
import { RequestRecorder } from '../request-logs/recorder.ts';
import { steadyClock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import { DiskWatch, freePart } from '../runtime/disk-space.ts';
import { isLoopback } from '../runtime/host-name.ts';
import { inheritedSockets, type ListenPlace, listenAt } from '../runtime/inherited-sockets.ts';
import { loadKeyRing } from '../runtime/key-store.ts';
import { Lifecycle, type Service } from '../runtime/lifecycle.ts';
import { webhookExample } from '../webhooks/dispatch/examples.ts';
import { webhookMessages } from '../webhooks/endpoints/message-schema.ts';
import { createUserGate } from './accounts.ts';
import { createAddressValidation } from './address-validation.ts';
import type { ApiDeps, ApiParts } from './api-parts.ts';
import { createApiServices } from './api-services.ts';
import { apiSlices } from './api-slices.ts';
import { createApiCertificates } from './certificates.ts';
import { dataFolders } from './data-folders.ts';
import { createDialects } from './dialects.ts';
import { createDomainChecking } from './domain-checking.ts';
import type { HttpsListener } from './https-listener.ts';
import { OPERATION_IDS } from './operation-ids.ts';
import { packageVersion } from './package-version.ts';
import { receivedFiles } from './receiving.ts';
import { serveDashboard, serveDocs } from './serve-docs.ts';
import { createTracking } from './tracking.ts';

/**
 * Size of the accept queue. With Node's 511, thousands of simultaneous connections lose packets and wait for
 * seconds.
 */
const BACKLOG = 4096;
/** Time limit for requests in progress during a stop. */
const ANSWER_WITHIN_MS = 4_000;

export class ApiServer implements Service {
  readonly name = 'api';
  readonly #deps: ApiDeps;
  readonly #parts: ApiParts;
  readonly #app: FastifyInstance;
  readonly #https: HttpsListener | null;
  /** Servers for the additional sockets. */
  #helpers: readonly NetServer[] = [];
  readonly #lifecycle: Lifecycle;

  constructor(deps: ApiDeps) {
    this.#deps = deps;
    const ring = loadKeyRing(deps.config);
    const { db, standby, log } = deps;
    const replica = standby && new Replica({ primary: db, standby, log });
    const unauthenticatedQuotas = new UnauthenticatedQuotas(deps.clock, deps.quotas);
    this.#parts = {
      ring,
      erased: new ErasedAddresses(deps.db, ring),
      usage: new KeyUsage(deps.db, deps.clock, deps.log),
      counts: new KeyCounts(deps.db, deps.clock, deps.log),
      requests: new RequestRecorder(deps),
      checking: createDomainChecking({ keyPairs: { limits: API_LIMITS }, ...deps, ring }),
      validation: createAddressValidation(deps),
      unauthenticatedQuotas,
      people: createUserGate({ ...deps, unauthenticatedQuotas }),
      disk: new DiskWatch({ folders: () => dataFolders(deps.config), log: deps.log, statfs: deps.statfs }),
      tracking: createTracking({ ...deps, ring, unauthenticatedQuotas }),
      reads: new Reads(db, { replica }),
      shared: createShares(deps),
      certificates: createApiCertificates({ ...deps, ring, unauthenticatedQuotas }),
    };
    this.#app = createApiApp(deps, this.#parts);
    this.#https = this.#parts.certificates?.listener(this.#app.server) ?? null;
    this.#lifecycle = new Lifecycle(deps.log);
  }

  async start(): Promise<void> {
    const { usage, counts, requests, checking, validation, disk, tracking, ring, erased, reads, shared } =
      this.#parts;
    const onOthers = (others: number) => {
      reads.setOthers(others);
      shared.setOthers(others);
    };
    const keys = new KeyWatch({ ...this.#deps, ring, erased, role: 'api', onOthers });
    const lookups = [checking.lookups, validation.lookups];
    const workers = [usage, counts, requests, ...lookups, checking.keyPairs, tracking.opens, tracking.clicks];
    for (const service of [keys, disk, ...workers]) {
      await this.#lifecycle.start(service);
    }
    const { certificates } = this.#parts;
    if (certificates !== null) await this.#lifecycle.start(certificates.served);
    await this.#lifecycle.start(this.#http());
    if (this.#https !== null) await this.#lifecycle.start(this.#https);
    if (certificates !== null) await this.#lifecycle.start(certificates.keeper);
  }

  /**
   * Accepts no new connections, because another process listens on the same socket. Open connections get
   * their response and are then closed. Resolves when all are closed.
   */
  async retire(): Promise<void> {
    const { server } = this.#app;
    server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
    const servers = [server, ...this.#helpers];
    const gone = servers.map((one) => once(one, 'close'));
    // HTTP's own `close` would also cut idle connections, on which a request may be in flight.
    for (const one of servers) NetServer.prototype.close.call(one);
    await Promise.all([...gone, this.#https?.retire()]);
  }

  /** Answers the requests in progress, then closes. */
  stop(): Promise<void> {
    return this.#lifecycle.stop();
  }

  /** The TLS port and the port for challenges, once started. */
  get httpsPorts(): { readonly tls?: number; readonly challenges?: number } {
    return this.#https?.ports ?? {};
  }

  /** The API's address, once started. */
  get url(): string {
    const address = this.#app.server.address();
    if (address === null || typeof address === 'string') throw new Error('The API is not listening.');
    const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
    return `http://${host}:${address.port}`;
  }

  /**
   * Completes requests in progress. A connection without a request yet (browsers open these ahead of time)
   * counts as in progress, so all connections are closed after a timeout.
   */
  async #closeHttp(): Promise<void> {
    for (const helper of this.#helpers) helper.close();
    const tooLong = setTimeout(() => this.#app.server.closeAllConnections(), ANSWER_WITHIN_MS);
    await this.#app.close().finally(() => clearTimeout(tooLong));
  }

  async #listen(place: ListenPlace): Promise<void> {
    if (inheritedSockets(place).length === 0) {
      await this.#app.listen({ ...place, backlog: BACKLOG });
      return;
    }
    await this.#app.ready();
    this.#helpers = await listenAt(this.#app.server, place, BACKLOG);
  }

  #http(): Service {
    const { host, port } = this.#deps.config;
    return {
      name: 'http',
      start: () => this.#listen({ host, port }),
      stop: () => this.#closeHttp(),
    };
  }
}

function createShares({ config, clock, db }: ApiDeps): RateShares {
  return new RateShares({ limit: config.rateLimit, clock, ask: createShareTaker(db, 'api') });
}

function createApiApp(deps: ApiDeps, parts: ApiParts): FastifyInstance {
  const { config, log, clock, steady = steadyClock, db, metrics, tracer } = deps;
  registerGauges(deps, parts.disk);
  const services = createApiServices(deps, parts);
  return createApp({
    log,
    clock,
    steady,
    metrics,
    tracer,
    rateLimit: config.rateLimit,
    shared: parts.shared,
    unauthenticatedQuotas: parts.unauthenticatedQuotas,
    trustProxy: config.trustProxy,
    metricsAccess: metricsAccess(config),
    publicUrl: config.publicUrl,
    version: packageVersion(),
    authenticate: createKeyLookUp(db, clock, parts.usage),
    ...parts.people,
    linkHosts: parts.tracking.linkHosts,
    onRefused: parts.requests.onRefused,
    onAnswered: (organizationId, keyId, isRefused) =>
      parts.counts.count(organizationId, keyId, { requests: 1, refused: isRefused ? 1 : 0 }),
    ready: () => reasonNotReady(db),
    isUnavailable,
    webhooks: withExamples(webhookMessages),
    operationIds: OPERATION_IDS,
    compileSchemasAtStart: deps.compileSchemasAtStart ?? false,
    routes: apiSlices(deps, parts, services),
    dialects: createDialects(deps, services),
    rootRoutes: [
      serveDashboard(deps.dashboard),
      serveDocs(),
      ...parts.tracking.routes,
      ownSts(config),
      proofKeyRoutes(new ProofKeys(parts.ring)),
      receivedFiles(deps, parts.ring),
      ...(parts.certificates?.routes ?? []),
    ],
  });
}

/** The inbound MTA-STS policy for senders. */
function ownSts({ hostname, inbound }: Config) {
  const host = hostname.toLowerCase();
  return stsRoutes(stsHostOf(host), stsPolicyText(ownStsPolicy(host, inbound.sts)));
}

/** On the API's own port, metrics need the token when other machines can connect or in live mode. */
function metricsAccess({ mode, host, metrics }: Config): MetricsAccess {
  const isOpen = mode === 'sandbox' && isLoopback(host);
  return { token: metrics.token, openTo: isOpen ? 'this machine' : 'nobody' };
}

/** NaN while the database is unavailable, so that all other metrics are still served. */
const unknown = () => Number.NaN;

function registerGauges({ db, metrics }: ApiDeps, disk: DiskWatch): void {
  metrics.gauge(
    'postrider_domain_verification_failing',
    'Verified domains whose DNS records are wrong and that stop sending within 72 hours.',
    () => sumOfCells(db, countFailingDomains).catch(unknown),
  );
  metrics.gauge('postrider_workers_alive', 'Workers whose heartbeat is fresh.', () =>
    sumOfCells(db, async (cell) => (await undelivered(cell)).workers).catch(unknown),
  );
  metrics.gauge(
    'postrider_undelivered_seconds',
    'Time that mail has been due while no worker is alive; 0 while a worker is alive.',
    () => undeliveredInCells(db).then((cells) => Math.max(...cells.map(unworkedSeconds)), unknown),
  );
  metrics.gauge(
    'postrider_disk_free_bytes',
    'Free space on the disk of the data folder.',
    () => disk.space?.freeBytes ?? Number.NaN,
  );
  metrics.gauge(
    'postrider_disk_free_ratio',
    'Free share of the disk of the data folder; below 0.1 the space is low.',
    () => (disk.space ? freePart(disk.space) : Number.NaN),
  );
}

function undeliveredInCells({ cells }: Database): Promise<Undelivered[]> {
  return Promise.all(cells.map((cell) => undelivered(cell.db)));
}

function unworkedSeconds({ workers, dueSeconds }: Undelivered): number {
  return workers === 0 ? dueSeconds : 0;
}

/** Null when the database answers and has the schema version of this code. */
export async function reasonNotReady(db: Database): Promise<string | null> {
  try {
    await checkSchema(db);
    return null;
  } catch (error) {
    if (error instanceof SchemaError) return error.message;
    if (isUnavailable(error)) return 'The database does not answer.';
    throw error;
  }
}

function withExamples(messages: Readonly<Record<string, DocumentedWebhook>>) {
  return Object.fromEntries(
    Object.entries(messages).map(([type, message]) => [type, { ...message, example: webhookExample(type) }]),
  );
}
