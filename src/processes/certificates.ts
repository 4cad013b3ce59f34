/** Assembles ACME certificates: the API orders and serves them, the SMTP servers serve them. */

import { readFileSync } from 'node:fs';
import type { Server as HttpServer } from 'node:http';
import type { FastifyPluginAsync } from 'fastify';
import { createAcmeTransport } from '../certificates/acme-transport.ts';
import { challengeRoutes, createAnswerChallenge } from '../certificates/challenge-routes.ts';
import type { ChallengeType } from '../certificates/issue.ts';
import { CertificateKeeper } from '../certificates/keeper.ts';
import { configuredNames, wantedNames } from '../certificates/names.ts';
import { CHALLENGE_SEEN_MS, OpenChallenges } from '../certificates/open-challenges.ts';
import { ServedCertificates } from '../certificates/served-certificates.ts';
import { certificateFigures } from '../certificates/store.ts';
import type { Database } from '../database/database.ts';
import type { UnauthenticatedQuotas } from '../http/unauthenticated-quotas.ts';
import { createGuard } from '../protocols/fetch/guard-address.ts';
import type { AcmeConfig } from '../runtime/acme-config.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import type { KeyRing } from '../runtime/key-ring.ts';
import type { Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { InboundConfig } from '../runtime/smtp-config.ts';
import { HttpsListener } from './https-listener.ts';
import { outsideResolver, outsideRules, userAgent } from './outside-urls.ts';

interface CertificateDeps {
  readonly config: Config;
  readonly db: Database;
  readonly ring: KeyRing;
  readonly clock: Clock;
  readonly log: Log;
  /** Interval for renewing and reloading certificates; tests pass their own. */
  readonly certificateRoundMs?: number | undefined;
}

export interface ApiCertificates {
  readonly served: ServedCertificates;
  readonly keeper: CertificateKeeper;
  readonly routes: readonly FastifyPluginAsync[];
  /** Null when the API has no further port. */
  readonly listener: (server: HttpServer) => HttpsListener | null;
}

/** Null when ACME is off. */
export function createApiCertificates(
  deps: CertificateDeps & {
    readonly unauthenticatedQuotas: UnauthenticatedQuotas;
    readonly metrics: Metrics;
  },
): ApiCertificates | null {
  const { config, db, clock, unauthenticatedQuotas } = deps;
  const { acme, https } = config;
  if (acme === undefined) return null;
  const served = createServedCertificates(deps, acme, new URL(config.publicUrl).hostname);
  const answer = createAnswerChallenge(db, (address) => unauthenticatedQuotas.take(address, 'hostLookUps'));
  const challenges = challengeTypeOf(config) === 'tls-alpn-01' ? new OpenChallenges(db, clock) : null;
  const hasListener = https.port !== undefined || https.challengePort !== undefined;
  return {
    served,
    keeper: createKeeper(deps, acme, served),
    routes: [challengeRoutes(answer)],
    listener: (server) =>
      hasListener ? new HttpsListener({ config, server, certificates: served, challenges, answer }) : null,
  };
}

/** The certificates for SMTP; null when ACME is off or files are configured. */
export function createSmtpCertificates(deps: CertificateDeps): ServedCertificates | null {
  const { acme, hostname, inbound } = deps.config;
  if (acme === undefined || inbound.certificateFile !== undefined) return null;
  return createServedCertificates(deps, acme, hostname);
}

function createServedCertificates(
  deps: CertificateDeps,
  { directoryUrl }: AcmeConfig,
  name: string,
): ServedCertificates {
  const defaultName = name.toLowerCase();
  return new ServedCertificates({ ...deps, directoryUrl, defaultName, refreshMs: deps.certificateRoundMs });
}

function createKeeper(
  deps: CertificateDeps & { readonly metrics: Metrics },
  { directoryUrl, email }: AcmeConfig,
  served: ServedCertificates,
): CertificateKeeper {
  const { config, db, clock, log, metrics } = deps;
  const count = metrics.counter(
    'postrider_certificate_attempts_total',
    'Attempts to get a certificate by ACME.',
    ['result'],
  );
  registerFigures(metrics, db, directoryUrl);
  return new CertificateKeeper({
    ...deps,
    directoryUrl,
    email,
    transport: createTransport(config, clock),
    challengeType: challengeTypeOf(config),
    wanted: () => wantedNames(config, db, log),
    configured: configuredNames(config),
    onIssued: () => served.refresh(),
    onAttempt: (result) => count({ result }),
    challengeSeenMs: CHALLENGE_SEEN_MS,
    ...(deps.certificateRoundMs === undefined ? {} : { roundMs: deps.certificateRoundMs }),
  });
}

/** HTTP-01, unless the API only listens with TLS and on a port for a proxy. */
function challengeTypeOf({ port, https }: Pick<Config, 'port' | 'https'>): ChallengeType {
  const hasHttp = port === 80 || https.challengePort !== undefined;
  return https.port !== undefined && !hasHttp ? 'tls-alpn-01' : 'http-01';
}

/** A private ACME server may be in a private network, if the settings allow that. */
function createTransport(config: Config, clock: Clock) {
  const isAllowed = config.allowPrivateDestinations;
  const rules = { ...outsideRules(config), plainHttp: isAllowed, loopback: isAllowed };
  const guard = createGuard(outsideResolver(config, clock), rules);
  return createAcmeTransport({ guard, rules, userAgent: userAgent() });
}

function registerFigures(metrics: Metrics, db: Database, directoryUrl: string): void {
  const figures = () => certificateFigures(db, directoryUrl).catch(() => null);
  metrics.gauge(
    'postrider_certificate_left_seconds',
    'Time until the first certificate by ACME expires; NaN without a certificate.',
    async () => (await figures())?.left_seconds ?? Number.NaN,
  );
  metrics.gauge(
    'postrider_certificates_failing',
    'Names whose last attempt to get a certificate by ACME failed.',
    async () => (await figures())?.failing ?? Number.NaN,
  );
}

/** PEM; null without a certificate. */
export function readCertificate({ certificateFile, keyFile }: InboundConfig) {
  if (certificateFile === undefined || keyFile === undefined) return null;
  return { cert: readFileSync(certificateFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
}
