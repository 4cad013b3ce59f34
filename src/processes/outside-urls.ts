/** Rules and resolver for third-party URLs, the same in every role. */
import { createResolver, type Resolver } from '../protocols/dns/resolver.ts';
import { type DestinationRules, destinationRules } from '../protocols/fetch/destination.ts';
import { createFileFetch, type FetchFile } from '../protocols/fetch/fetch-file.ts';
import { createGuard } from '../protocols/fetch/guard-address.ts';
import { createProbe, type ProbeLink } from '../protocols/fetch/probe-link.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import { databasePlaces } from '../runtime/database-url.ts';
import { packageVersion } from './package-version.ts';

/** Saving an endpoint or fetching a file should not wait longer than this for DNS. */
const LOOKUP_DEADLINE_MS = 5_000;

export function userAgent(): string {
  return `Postrider/${packageVersion()}`;
}

export function outsideRules(
  config: Config,
  ports: ReadonlySet<number> = ownPorts(config),
): DestinationRules {
  return destinationRules(config, { ownPorts: ports, databasePorts: databasePorts(config) });
}

export function outsideResolver(config: Config, clock: Clock): Resolver {
  return createResolver({ clock, servers: config.dnsServers, deadlineMs: LOOKUP_DEADLINE_MS });
}

/**
 * Checks links in mail. Another person may have written the mail than the one who checks the links, so unlike
 * webhooks, they never reach this machine, even in the sandbox.
 */
export function outsideProbe(config: Config, clock: Clock, more: Partial<DestinationRules> = {}): ProbeLink {
  const rules = { ...outsideRules(config), loopback: config.allowPrivateDestinations, ...more };
  const guard = createGuard(outsideResolver(config, clock), rules);
  return createProbe({ guard, rules, userAgent: userAgent() });
}

export function outsideFiles(config: Config, clock: Clock): FetchFile {
  const rules = outsideRules(config);
  const guard = createGuard(outsideResolver(config, clock), rules);
  return createFileFetch({ guard, rules, userAgent: userAgent() });
}

/** From the settings alone; the worker adds the port of its sandbox receiver. */
export function ownPorts(config: Config): Set<number> {
  const { port, https, metrics, inbound, submission } = config;
  const ports = [
    port,
    https.port,
    https.challengePort,
    metrics.port,
    inbound.port,
    ...(submission.isOn ? [submission.port, submission.tlsPort] : []),
    ...databasePorts(config),
  ];
  return new Set(ports.filter((one): one is number => one !== undefined && one !== 0));
}

/** In the roles this includes the embedded database, whose address the supervisor sets. */
export function databasePorts({
  databaseUrl,
  databaseReadUrl,
  databaseDirectUrl,
  databasePort,
}: Config): number[] {
  const urls = [databaseUrl, databaseReadUrl, databaseDirectUrl].filter((url) => url !== undefined);
  if (urls.length > 0) return urls.flatMap(databasePlaces).map(({ port }) => port);
  return databasePort === undefined ? [] : [databasePort];
}
