/** Rules and resolver for third-party URLs, the same in every role. */
import { createResolver, type Resolver } from '../protocols/dns/resolver.ts';
import { type DestinationRules, destinationRules } from '../protocols/fetch/destination.ts';
import { createFileFetch, type FetchFile } from '../protocols/fetch/fetch-file.ts';
import { createGuard } from '../protocols/fetch/guard-address.ts';
import { createProbe, type ProbeLink } from '../protocols/fetch/probe-link.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import { databasePorts, ownPorts } from './own-ports.ts';
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
