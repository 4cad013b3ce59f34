/** Assembles dry runs. */

import { createTransportHealthSource } from '../delivery/scheduler/transport-health.ts';
import { createFixedRouter, type Router } from '../delivery/transports/router.ts';
import { ReturnPathHosts } from '../domains/return-path-host.ts';
import { DomainSigningKeys } from '../domains/signing-keys.ts';
import type { ForecastDestination, ForecastFactsDeps } from '../dry-run/recipient-facts.ts';
import type { DryRunDeps } from '../emails/http/dry-run-answer.ts';
import { LinkChecks } from '../message-checks/check-links.ts';
import { liveWorkers } from '../outbox/lease.ts';
import type { Address } from '../protocols/message/address.ts';
import type { SmtpFacts } from '../protocols/smtp/facts.ts';
import { readTable } from '../routing/store.ts';
import { SANDBOX_MX_HOST } from '../sandbox/receiver.ts';
import { behaviorFor } from '../sandbox/simulator.ts';
import type { ApiDeps, ApiParts } from './api-parts.ts';
import type { ApiServices } from './api-services.ts';
import { createLiveRouter } from './live-router.ts';
import { createOutgoing } from './outgoing.ts';
import { outsideProbe } from './outside-urls.ts';
import { createTlsPolicies } from './tls-policies.ts';

export function createDryRuns(deps: ApiDeps, parts: ApiParts, services: ApiServices): DryRunDeps {
  const { config, db, clock } = deps;
  const { checking, validation, ring, erased } = parts;
  const { resolver, dane } = validation;
  const { submission, templates } = services.accepting;
  const isLive = config.mode === 'live';
  const returnPathHosts = isLive
    ? new ReturnPathHosts({ resolver, clock, host: config.hostname })
    : undefined;
  const keys = new DomainSigningKeys({ db, clock, keys: checking.keys });
  return {
    links: new LinkChecks({ probe: outsideProbe(config, clock), clock }),
    forecast: {
      ...{ db, clock, submission, templates, validation, mode: config.mode, readTable },
      hash: (address) => erased.keyOf(address),
      outgoing: createOutgoing({ config, db, ring, keys, returnPathHosts }),
      names: () => ({ lookUp: checking.txtLookups(), host: checking.host }),
      board: createTransportHealthSource(clock),
      isWorkerRunning: async (sql) => (await liveWorkers(sql)).length > 0,
      destinationOf: destinationsBy(
        isLive
          ? createLiveRouter({ ...deps, resolver, tls: createTlsPolicies({ ...deps, resolver, dane }) })
          : sandboxRouter(config.hostname),
      ),
      scripted: isLive ? () => null : scriptOf,
    },
  };
}

/** Resolves destinations only, and opens no connection. */
function sandboxRouter(ehloName: string): Router {
  return createFixedRouter({ host: SANDBOX_MX_HOST, address: '', port: 0, tls: 'never', ehloName });
}

function destinationsBy(router: Router): ForecastFactsDeps['destinationOf'] {
  return async (domain): Promise<ForecastDestination> => {
    const [home, route] = await Promise.all([router.site(domain), router.route(domain)]);
    const { name: site, provider } = (await router.recipientSite?.(domain)) ?? home;
    const where = { site, provider, home: home.name };
    if (route.kind === 'unroutable') return { ...where, problem: route, hops: [] };
    return { ...where, problem: null, hops: route.hops };
  };
}

/** The simulator's reply follows from the address. */
function scriptOf({ email }: Address): SmtpFacts | null {
  const behavior = behaviorFor(email);
  if (behavior.kind === 'accept') return null;
  const session = { host: SANDBOX_MX_HOST, address: '', port: 0, tls: null, reused: false, transcript: [] };
  return { kind: 'refused', phase: 'rcpt', reply: behavior.reply, ...session };
}
