/**
 * Assembles and starts the TLS policies of recipients' domains and the reports to them. Reports are sent if
 * the operator configured a sender.
 */

import type { Database } from '../database/database.ts';
import { sendDueReports, type TlsReportResult } from '../delivery/tls/report-sender.ts';
import { deleteOldTlsReports } from '../delivery/tls/report-store.ts';
import { TlsSessionCounts } from '../delivery/tls/session-counts.ts';
import { createSessionRecorder } from '../delivery/tls/session-recorder.ts';
import { createPolicyStore, deleteOldStsPolicies } from '../delivery/tls/sts-store.ts';
import type { MxRouterOptions } from '../delivery/transports/router.ts';
import type { ErasedAddresses } from '../erasure/erased-address-hash.ts';
import { type Chore, Housekeeper } from '../operations/housekeeper.ts';
import { createLifetime } from '../outbox/lifetime.ts';
import { Waker } from '../outbox/wake.ts';
import { StsPolicies } from '../protocols/dns/mta-sts.ts';
import { createPolicyFetch } from '../protocols/dns/mta-sts-fetch.ts';
import { isPublicAddress } from '../protocols/dns/public-address.ts';
import { createResolver, type Resolver } from '../protocols/dns/resolver.ts';
import { createValidatingResolver, type ValidatingResolver } from '../protocols/dns/validating-resolver.ts';
import { createGuard } from '../protocols/fetch/guard-address.ts';
import { createPost } from '../protocols/fetch/post-bytes.ts';
import { type Address, parseAddress } from '../protocols/message/address.ts';
import type { Clock } from '../runtime/clock.ts';
import { type Config, retrySpeed } from '../runtime/config.ts';
import { HOUR_MS, MINUTE_MS } from '../runtime/durations.ts';
import { closing, type Lifecycle } from '../runtime/lifecycle.ts';
import type { Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { KnownStreams } from '../streams/known-streams.ts';
import { Acceptor } from '../submission/accept.ts';
import { NO_SETTINGS } from '../submission/defaults.ts';
import { LinkedFiles } from '../submission/linked-files.ts';
import type { SubmissionDeps } from '../submission/submit.ts';
import { TemplateLibrary } from '../templates/library.ts';
import { outsideFiles, outsideRules, userAgent } from './outside-urls.ts';

export interface TlsServiceDeps extends Omit<TlsPolicyDeps, keyof MailDns> {
  readonly log: Log;
  readonly erased: ErasedAddresses;
  readonly metrics?: Metrics | undefined;
}

interface TlsServices extends MailDns {
  readonly tls: TlsPolicies;
  /** Undefined when no reports are sent. */
  readonly counts: TlsSessionCounts | undefined;
}

export async function startTlsServices(deps: TlsServiceDeps, lifecycle: Lifecycle): Promise<TlsServices> {
  const dns = createMailDns(deps.config, deps.clock);
  await lifecycle.start(closing('resolver', async () => dns.resolver.close()));
  const tls = createTlsPolicies({ ...deps, ...dns });
  const reporting = createTlsReporting({ ...deps, ...dns }, tls);
  const chores = [...tlsPolicyChores(deps, tls), ...(reporting?.chores ?? [])];
  await lifecycle.start(new Housekeeper(chores, deps.log));
  if (reporting !== null) await lifecycle.start(closing('TLS sessions', () => reporting.flush()));
  return { ...dns, tls: { ...tls, onUnsecured: reporting?.onUnsecured }, counts: reporting?.counts };
}

type TlsReportingDeps = TlsServiceDeps & MailDns;

interface TlsReporting {
  readonly counts: TlsSessionCounts;
  readonly chores: readonly Chore[];
  readonly onUnsecured: NonNullable<TlsPolicies['onUnsecured']>;
  /** Writes the counts to the database. */
  flush(): Promise<void>;
}

const FLUSH_MS = MINUTE_MS;
const SEND_MS = 10 * MINUTE_MS;

/** Null without a configured sender. */
function createTlsReporting(deps: TlsReportingDeps, { sts }: TlsPolicies): TlsReporting | null {
  const { config, clock, db, log, resolver } = deps;
  if (config.tlsReportsFrom === undefined) return null;
  const counts = new TlsSessionCounts({ clock, sts });
  const sender = {
    db,
    log,
    resolver,
    submission: createReportSubmission(deps),
    post: createReportPost(deps),
    reporter: { contact: contactOf(config.tlsReportsFrom) },
    onResult: countReports(deps.metrics),
  };
  const flush = createSessionRecorder({ db, clock, resolver, counts });
  return {
    counts,
    flush,
    onUnsecured: (domain, result) => counts.unsecured(domain, result),
    chores: choresOf(deps, flush, (signal) => sendDueReports(sender, signal)),
  };
}

function countReports(metrics: Metrics | undefined): (result: TlsReportResult) => void {
  const count = metrics?.counter('postrider_tls_reports_total', 'TLS reports to domains that ask for them.', [
    'result',
  ]);
  return (result) => count?.({ result });
}

function choresOf(
  { db }: TlsReportingDeps,
  flush: () => Promise<void>,
  send: Chore['run'],
): readonly Chore[] {
  const inBackground = true;
  return [
    { name: 'TLS sessions', everyMs: FLUSH_MS, run: flush, inBackground },
    { name: 'TLS reports', everyMs: SEND_MS, run: send, inBackground },
    { name: 'old TLS reports', everyMs: HOUR_MS, run: () => deleteOldTlsReports(db), inBackground },
  ];
}

function contactOf(text: string): Address {
  const address = parseAddress(text);
  if (!address.ok) throw new Error(`POSTRIDER_TLS_REPORTS_FROM: ${address.message}`);
  return address;
}

/** Reports are not rendered, tracked or validated. */
function createReportSubmission({ config, db, clock, erased }: TlsReportingDeps): SubmissionDeps {
  const acceptor = new Acceptor({
    db,
    mode: config.mode,
    lifetimeMs: createLifetime(retrySpeed(config)),
    waker: new Waker(db),
    hash: (address) => erased.keyOf(address),
  });
  return {
    acceptor,
    clock,
    templates: new TemplateLibrary(db),
    files: new LinkedFiles({ fetchFile: outsideFiles(config, clock) }),
    autoValidation: { isOn: async () => false, refusedAmong: async () => [] },
    ...NO_SETTINGS,
    streams: new KnownStreams(db, clock),
    hasDiskSpace: () => true,
  };
}

function createReportPost({ config, resolver, trust }: TlsReportingDeps): ReturnType<typeof createPost> {
  const rules = outsideRules(config);
  return createPost({
    guard: createGuard(resolver, rules),
    rules,
    userAgent: userAgent(),
    trustedCertificates: trust?.certificates,
  });
}

interface TlsPolicyDeps extends MailDns {
  readonly config: Config;
  readonly clock: Clock;
  readonly db: Database;
  readonly trust?: TrustForTests | undefined;
}

/** Resolvers for recipients' domains. */
interface MailDns {
  readonly resolver: Resolver;
  /** The same with DNSSEC, where the operator trusts the DNS servers. */
  readonly dane?: ValidatingResolver | undefined;
}

/** Assembles the TLS policies of recipients' domains from the configuration, for all routers of a worker. */
function createMailDns(config: Config, clock: Clock): MailDns {
  const options = { clock, servers: config.dnsServers };
  if (!config.dane) return { resolver: createResolver(options) };
  const dane = createValidatingResolver(options);
  return { resolver: dane, dane };
}

/** For tests, which have neither public authorities nor port 443. */
export interface TrustForTests {
  /** PEM; replaces the built-in authorities. */
  readonly certificates: string;
  readonly policyPort: number;
}

export interface TlsPolicies extends Pick<MailDns, 'dane'>, Pick<MxRouterOptions, 'onUnsecured'> {
  readonly sts: StsPolicies;
}

export function createTlsPolicies(deps: TlsPolicyDeps): TlsPolicies {
  const { config, clock, db, resolver, dane, trust } = deps;
  const fetch = createPolicyFetch({
    resolver,
    accepts: (address) => config.allowPrivateDestinations || isPublicAddress(address),
    port: trust?.policyPort,
    trustedCertificates: trust?.certificates,
  });
  return { sts: new StsPolicies({ resolver, clock, fetch, store: createPolicyStore(db) }), dane };
}

const REFRESH_MS = 10 * MINUTE_MS;

function tlsPolicyChores({ db }: Pick<TlsPolicyDeps, 'db'>, { sts }: TlsPolicies): readonly Chore[] {
  return [
    {
      name: 'MTA-STS policies',
      everyMs: REFRESH_MS,
      run: (signal) => sts.refreshDue(signal),
      inBackground: true,
    },
    {
      name: 'old MTA-STS policies',
      everyMs: HOUR_MS,
      run: () => deleteOldStsPolicies(db),
      inBackground: true,
    },
  ];
}
