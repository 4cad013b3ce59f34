/**
 * Applies the route table in a worker. For a lane, before its mail is loaded, the planner finds the rules that may match and the
 * sites that need room. For a loaded mail the planner finds the matching rule and the egress paths in order.
 *
 * Owns the routed sites of lanes, made from the table as it was last read (routing/current-table.ts).
 */
import { isIPv6 } from 'node:net';
import type { RouteTaken } from '../../events/attempts.ts';
import type { Lane } from '../../outbox/lanes.ts';
import type { DeliveryKey } from '../../outbox/states.ts';
import type { SmtpTarget } from '../../protocols/smtp/facts.ts';
import { percentOf } from '../../routing/canary/plan.ts';
import { type Candidate, candidatesOf } from '../../routing/choice.ts';
import type { CurrentTable, RelayAccess } from '../../routing/current-table.ts';
import { fitOfLane, isForMail, type RoutedMailFacts, whyMatched } from '../../routing/match.ts';
import { NO_RULE, ruleWords, takenBy } from '../../routing/route-description.ts';
import {
  DEFAULT_TRANSPORT,
  type Rule,
  relaySiteName,
  type SourceAddress,
  type Transport,
} from '../../routing/table.ts';
import { BoundedMap } from '../../runtime/bounded-map.ts';
import { type Route, type RouteProblem, unroutable } from '../facts.ts';
import type { EgressPath } from '../scheduler/connection-slot.ts';
import type { LaneRouting } from '../scheduler/lane-places.ts';
import {
  type DestinationSite,
  fixedPolicy,
  type HomeSite,
  type RoutedSite,
  type RoutePlan,
  recipientSite,
  shortened,
  sourceSite,
} from '../scheduler/site.ts';
import type { Allowances } from './allowances.ts';
import { CanaryMail } from './canary-mail.ts';
import type { LocalSources } from './local-sources.ts';
import type { Router } from './router.ts';

export interface RoutePlannerOptions {
  readonly table: Pick<CurrentTable, 'now' | 'accessOf'>;
  readonly sources: Pick<LocalSources, 'has' | 'all' | 'miss'>;
  /** The router that the environment configures. */
  readonly home: Router;
  /** The recipients' own mail hosts, over IPv4 only and over IPv6 only. */
  readonly direct: { readonly ipv4: Router; readonly ipv6: Router };
  readonly relay: (access: RelayAccess) => Router;
  readonly ehloName: string;
  readonly allowances: Pick<Allowances, 'admit' | 'renew'>;
}

/** The functions that the scheduler and an attempt use. */
export type Routes = LaneRouting & Pick<RoutePlanner, 'pathsOf'>;

const MAX_PLACES = 10_000;

export class RoutePlanner {
  readonly #options: RoutePlannerOptions;
  readonly #places = new BoundedMap<string, RoutedSite>(MAX_PLACES);
  #relays = new Map<string, Router>();
  #transports = new Map<string, Transport>();

  constructor(options: RoutePlannerOptions) {
    this.#options = options;
  }

  /** The route table, or the source addresses of this machine, have changed. */
  renew(): void {
    const { transports } = this.#options.table.now;
    this.#places.clear();
    this.#options.allowances.renew();
    this.#relays = new Map();
    this.#transports = new Map(transports.map((one) => [one.name, one]));
  }

  /** The source addresses that are on this machine; null where the table names none. */
  sources(): readonly string[] | null {
    const { all } = this.#options.sources;
    return all.size === 0 ? null : [...all].filter(([, isHere]) => isHere).map(([address]) => address);
  }

  /** The site that mail of a lane queues at; `home` where no rule can match. */
  placeOf({ organizationId, domain }: Lane, home: HomeSite): HomeSite | RoutedSite {
    const { rules } = this.#options.table.now;
    if (rules.length === 0) return home;
    const { provider } = recipientSite(home);
    const possible: number[] = [];
    let mayGoHome = true;
    for (const [index, rule] of rules.entries()) {
      const fit = fitOfLane(rule, { organizationId, domain, provider });
      if (fit !== 'none') possible.push(index);
      mayGoHome = fit !== 'all';
      if (!mayGoHome) break;
    }
    return possible.length === 0 ? home : this.#place(possible, mayGoHome, home);
  }

  /** The egress paths of a mail, in order. */
  pathsOf(home: HomeSite, mail: RoutedMailFacts, delivery: DeliveryKey): readonly EgressPath[] {
    const { rules, percents } = this.#options.table.now;
    const index = rules.findIndex((rule) => isForMail(rule, mail));
    const rule = rules[index];
    if (rule === undefined)
      return this.#pathOf({ kind: 'default', step: 0 }, mail, home, (one) => takenBy(one, null, NO_RULE));
    const why = `${ruleWords(rule, index)} matched: ${whyMatched(rule, mail)}`;
    const percent = percentOf(percents, rule.canary, mail.provider);
    const canary = rule.canary && new CanaryMail(rule.canary, percent);
    const taken = (one: Candidate) => takenBy(one, index, why, canary?.taken(one.step));
    const paths = candidatesOf(rule, this.#transports, delivery, percent).flatMap((one) =>
      this.#pathOf(one, mail, home, taken),
    );
    return canary === undefined ? paths : canary.watch(paths);
  }

  /** Empty where this machine does not have the source address. */
  #pathOf(
    candidate: Candidate,
    { domain }: RoutedMailFacts,
    home: HomeSite,
    taken: (candidate: Candidate) => RouteTaken,
  ): EgressPath[] {
    const [site] = this.#sitesOf(candidate, home);
    if (site === undefined) return [];
    return [
      {
        site,
        // Computed when the path is taken, because the outcome of the earlier paths is known only then.
        get taken() {
          return taken(candidate);
        },
        route: () => this.#route(candidate, domain, site),
        ...this.#warmingUp(candidate, home),
        sourceMissing: () =>
          candidate.kind === 'direct' && this.#options.sources.miss(candidate.source.address),
      },
    ];
  }

  #warmingUp(candidate: Candidate, home: HomeSite): Pick<EgressPath, 'admit' | 'waits'> {
    const warmUp = candidate.kind === 'direct' ? (candidate.source.warm_up ?? null) : null;
    if (candidate.kind !== 'direct' || warmUp === null) return {};
    const { provider } = recipientSite(home);
    const { allowances } = this.#options;
    return {
      waits: warmUp.over === 'wait',
      admit: () => allowances.admit(candidate.source.address, provider, warmUp),
    };
  }

  async #route(candidate: Candidate, domain: string, site: DestinationSite): Promise<Route | RouteProblem> {
    switch (candidate.kind) {
      case 'default':
        return this.#options.home.route(domain);
      case 'relay':
        return this.#relayRoute(candidate.transport, site);
      case 'direct':
        return this.#directRoute(candidate.source, domain, site);
    }
  }

  /** A problem of a relay says nothing about the recipient. */
  async #relayRoute({ name }: Transport, site: DestinationSite): Promise<Route | RouteProblem> {
    const access = this.#options.table.accessOf(name);
    if (access === undefined)
      return unroutable('no_route', `The password of the relay ${name} cannot be read.`);
    const router = this.#relays.get(name) ?? this.#options.relay(access);
    this.#relays.set(name, router);
    const found = await router.route('');
    if (found.kind === 'unroutable') return unroutable('no_route', found.detail);
    return { ...found, hops: found.hops.map((hop) => under(site, hop)) };
  }

  async #directRoute(
    source: SourceAddress,
    domain: string,
    site: DestinationSite,
  ): Promise<Route | RouteProblem> {
    const { direct, ehloName } = this.#options;
    const [own, other] = isIPv6(source.address) ? [direct.ipv6, direct.ipv4] : [direct.ipv4, direct.ipv6];
    const from = { localAddress: source.address, ehloName: source.ehlo_name ?? ehloName };
    const fromSource = (route: Route): Route => ({
      ...route,
      hops: route.hops.map((hop) => ({ ...under(site, hop), ...from })),
    });
    const found = await own.route(domain);
    if (found.kind === 'route') return fromSource(found);
    if (found.despite !== undefined) return { ...found, despite: fromSource(found.despite) };
    if (found.problem !== 'no_addresses' || (await other.route(domain)).kind === 'unroutable') return found;
    // The domain can be reached, but not from this source address.
    return unroutable('no_route', found.detail);
  }

  #place(possible: readonly number[], mayGoHome: boolean, home: HomeSite): RoutedSite {
    const destination = recipientSite(home);
    const key = `${possible.join()} ${mayGoHome} ${home.name}\t${destination.name}`;
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const sitesByRule = this.#sitesOfRules(possible, mayGoHome, home);
    const isOneRelay = sitesByRule.flat(2).every(({ provider }) => provider === 'relay');
    const numbers = possible.map((index) => index + 1).join(',') + (mayGoHome ? '+' : '');
    const place: RoutedSite = {
      kind: 'routed',
      name: shortened(`routes ${numbers}${isOneRelay ? '' : ` to ${destination.name}`}`),
      provider: destination.provider,
      policy: fixedPolicy(1, 'none'),
      plan: { home, sitesByRule },
      isUnverifiedDomain: false,
    };
    this.#places.set(key, place);
    return place;
  }

  #sitesOfRules(possible: readonly number[], mayGoHome: boolean, home: HomeSite): RoutePlan['sitesByRule'] {
    const { rules } = this.#options.table.now;
    const ofRules = possible.map((index) => {
      const { steps, canary } = rules[index] as Rule;
      return steps.map(({ choices }, nth) => {
        const named = choices.filter(({ weight }) => weight > 0).map(({ transport }) => transport);
        // Mail of a canary takes the old or the new transport.
        const all = canary !== undefined && nth === 0 ? [...named, canary.to] : named;
        return all.flatMap((transport) => this.#sitesNamed(transport, home));
      });
    });
    return mayGoHome ? [...ofRules, [[home]]] : ofRules;
  }

  #sitesNamed(name: string, home: HomeSite): DestinationSite[] {
    if (name === DEFAULT_TRANSPORT) return [home];
    const transport = this.#transports.get(name);
    if (transport === undefined) return [];
    if (transport.kind === 'relay') return this.#sitesOf({ kind: 'relay', step: 0, transport }, home);
    return transport.sources
      .filter(({ weight }) => weight > 0)
      .flatMap((source) => this.#sitesOf({ kind: 'direct', step: 0, transport, source }, home));
  }

  /** The site that the candidate leads to; empty where this machine does not have the source address. */
  #sitesOf(candidate: Candidate, home: HomeSite): DestinationSite[] {
    switch (candidate.kind) {
      case 'default':
        return [home];
      case 'relay': {
        const { connections, messages_per_minute } = candidate.transport;
        const policy = { ...fixedPolicy(connections, 'steady'), perMinute: messages_per_minute ?? undefined };
        const name = relaySiteName(candidate.transport);
        return [{ kind: 'relay', name, provider: 'relay', policy, recipientSite: null }];
      }
      case 'direct': {
        const { address, connections } = candidate.source;
        if (!this.#options.sources.has(address)) return [];
        return [sourceSite(recipientSite(home), address, connections)];
      }
    }
  }
}

function under({ name, policy }: DestinationSite, hop: SmtpTarget): SmtpTarget {
  return { ...hop, group: name, maxConnections: policy.connections };
}

/** Without a route table: all mail goes to its home site. */
export const NO_ROUTES: Routes = {
  placeOf: (_lane, home) => home,
  pathsOf: () => [],
  sources: () => null,
};
