/**
 * The addresses from which mail is sent, for checks of SPF records: the configured ones, or those of the sending
 * host. Behind a relay they are unknown unless configured.
 */

import type { Database } from '../database/database.ts';
import type { Sql } from '../database/sql.ts';
import { INSTALLATION } from '../organizations/installation.ts';
import { firstOrganization } from '../organizations/store.ts';
import type { LookupOptions, Resolver } from '../protocols/dns/resolver.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import type { Log } from '../runtime/log.ts';
import { TtlCache } from '../runtime/ttl-cache.ts';
import { checkSoon } from './check-store.ts';
import type { Senders } from './spf.ts';

type SendingSetUp = Pick<Config, 'hostname' | 'sendingAddresses' | 'ipv6' | 'relayUrl' | 'relayDomains'>;

type Asking = Pick<Resolver, 'a' | 'aaaa' | 'mx' | 'ptr'>;

/** All mail goes through a relay, so receivers see the relay's address. */
export function isRelayed({ relayUrl, relayDomains }: SendingSetUp): boolean {
  return relayUrl !== undefined && relayDomains === undefined;
}

export async function sendingAddresses(
  resolver: Pick<Resolver, 'a' | 'aaaa'>,
  setUp: SendingSetUp,
  how?: LookupOptions,
): Promise<readonly string[]> {
  if (setUp.sendingAddresses !== undefined) return setUp.sendingAddresses;
  if (isRelayed(setUp)) return [];
  const answers = await Promise.all([
    resolver.a(setUp.hostname, how),
    ...(setUp.ipv6 ? [resolver.aaaa(setUp.hostname, how)] : []),
  ]);
  return answers.flatMap((answer) => (answer.kind === 'found' ? answer.records : []));
}

const LOOKUP_MS = 5_000;
/** The time limit for all address lookups of one check. */
const CHECK_MS = 10_000;

export function createSenders(resolver: Asking, setUp: SendingSetUp, clock: Clock): () => Promise<Senders> {
  return async () => {
    const untilMs = clock.nowMs() + CHECK_MS;
    const how = (): LookupOptions => ({
      fresh: true,
      deadlineMs: Math.max(1, Math.min(LOOKUP_MS, untilMs - clock.nowMs())),
    });
    return {
      addresses: await sendingAddresses(resolver, setUp, how()),
      lookups: {
        a: (name) => resolver.a(name, how()),
        aaaa: (name) => resolver.aaaa(name, how()),
        mx: (name) => resolver.mx(name, how()),
        ptr: (address) => resolver.ptr(address, how()),
      },
    };
  };
}

interface RefusedSendersDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when a check was scheduled, possibly for now. */
  readonly onDue: () => void;
}

const QUIET_MS = 30_000;
const MAX_NOTED = 5_000;

/**
 * When a receiver refuses mail as unauthenticated, the sender domain's DNS records may be broken, so a check is
 * scheduled at once. The table limits how often (check-store.ts); this cache keeps a flood of refusals from becoming
 * a flood of statements.
 *
 * Owns the recently noted domains and evicts the oldest first.
 */
export class RefusedSenders {
  readonly #deps: RefusedSendersDeps;
  readonly #noted: TtlCache<true>;

  constructor(deps: RefusedSendersDeps) {
    this.#deps = deps;
    this.#noted = new TtlCache({ keepMs: QUIET_MS, max: MAX_NOTED, clock: deps.clock });
  }

  /** Resolves when the check is scheduled. Never rejects, so that delivery is not affected. */
  async note(organizationId: string, domain: string): Promise<void> {
    const { db, clock, log, onDue } = this.#deps;
    const key = `${organizationId} ${domain}`;
    if (this.#noted.get(key)) return;
    this.#noted.set(key, true);
    try {
      await checkSoon(db, await domainOwnerOf(db, organizationId), domain, clock.nowMs());
      onDue();
    } catch (error) {
      log.warn({ err: error, domain }, 'could not request a check of the DNS records of a refused sender');
    }
  }
}

/** The organization whose domains this organization sends from. */
export async function domainOwnerOf(db: Sql, organizationId: string): Promise<string> {
  if (organizationId !== INSTALLATION) return organizationId;
  return (await firstOrganization(db))?.id ?? organizationId;
}
