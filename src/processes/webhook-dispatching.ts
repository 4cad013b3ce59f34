/** Assembles webhooks in the same way for the API (which saves endpoints) and the worker (which sends). */

import type { Database } from '../database/database.ts';
import { REASON_MEANINGS } from '../delivery/policy/reason-meanings.ts';
import { createWaker } from '../outbox/wake.ts';
import { createGuard } from '../protocols/fetch/guard-address.ts';
import { createFileLinks } from '../received/download-link.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import type { KeyRing } from '../runtime/key-ring.ts';
import type { Log } from '../runtime/log.ts';
import { createDescribeRequest } from '../webhooks/dispatch/describe-request.ts';
import { EndpointDirectory } from '../webhooks/dispatch/directory.ts';
import { type DispatcherOptions, WebhookDispatcher } from '../webhooks/dispatch/dispatcher.ts';
import type { MessageContext } from '../webhooks/dispatch/message.ts';
import { createPoster } from '../webhooks/dispatch/post.ts';
import { WebhookDeliveries } from '../webhooks/endpoints/deliveries.ts';
import type { DescribeRequest } from '../webhooks/endpoints/described-request.ts';
import { webhookSecretBox } from '../webhooks/endpoints/secret.ts';
import { WebhookService } from '../webhooks/endpoints/service.ts';
import { outsideResolver, outsideRules, userAgent } from './outside-urls.ts';

interface Deps {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly db: Database;
  readonly ring: KeyRing;
}

const DRAIN_MS = 3_000;

/** Lookups still in progress end with the process. */
export function createWebhookService({ config, clock, db, ring }: Deps): WebhookService {
  return new WebhookService({
    db,
    clock,
    resolver: outsideResolver(config, clock),
    rules: outsideRules(config),
    secrets: webhookSecretBox(ring),
  });
}

/** The context for composing webhook messages. */
function tellingOf({ config, ring }: Pick<Deps, 'config' | 'ring'>): MessageContext {
  return {
    reasons: REASON_MEANINGS,
    links: createFileLinks(ring.keysFor('download-links'), config.publicUrl),
  };
}

export function describeRequests(deps: Pick<Deps, 'db' | 'config' | 'ring'>): DescribeRequest {
  return createDescribeRequest(deps.db, tellingOf(deps), userAgent());
}

export function createWebhookDeliveries(deps: Deps, endpoints: WebhookService): WebhookDeliveries {
  const { clock, db } = deps;
  const describe = describeRequests(deps);
  return new WebhookDeliveries({ db, clock, endpoints, describe, wake: createWaker(db) });
}

export function createWebhookDispatcher(
  { config, clock, db, log, ring, ports }: Deps & { readonly ports: ReadonlySet<number> },
  term: Pick<DispatcherOptions, 'epoch' | 'mayClaim' | 'retrying' | 'onAttempt' | 'tracer'>,
): WebhookDispatcher {
  const guard = createGuard(outsideResolver(config, clock), outsideRules(config, ports));
  return new WebhookDispatcher({
    ...term,
    db,
    clock,
    log,
    directory: new EndpointDirectory({ db, clock, log, secrets: webhookSecretBox(ring) }),
    poster: createPoster({ guard }),
    telling: tellingOf({ config, ring }),
    drainMs: DRAIN_MS,
    userAgent: userAgent(),
  });
}
