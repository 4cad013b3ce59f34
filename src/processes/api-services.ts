import { DomainService } from '../domains/service.ts';
import type { MovedContents } from '../emails/moved/moved-contents.ts';
import { EmailService } from '../emails/service.ts';
import { createSettings, type Settings } from '../organizations/settings/list.ts';
import { steadyClock } from '../runtime/clock.ts';
import type { SuppressionDeps } from '../suppressions/service.ts';
import { TemplateService } from '../templates/service.ts';
import type { ValidationDeps } from '../validation/service.ts';
import type { WebhookDeliveries } from '../webhooks/endpoints/deliveries.ts';
import type { WebhookService } from '../webhooks/endpoints/service.ts';
import { type Accepting, createAccepting } from './accepting.ts';
import type { ApiDeps, ApiParts } from './api-parts.ts';
import { openContentStore } from './content-store.ts';
import { createWebhookDeliveries, createWebhookService } from './webhook-dispatching.ts';

/** Services shared by the routes of our own API and of the dialects. */
export interface ApiServices {
  readonly accepting: Accepting;
  readonly settings: Settings;
  readonly emails: EmailService;
  readonly moved: MovedContents;
  readonly templates: TemplateService;
  readonly domains: DomainService;
  readonly suppressions: SuppressionDeps;
  readonly validation: ValidationDeps;
  readonly webhooks: WebhookService;
  readonly webhookDeliveries: WebhookDeliveries;
}

export function createApiServices(deps: ApiDeps, parts: ApiParts): ApiServices {
  const { db, clock, steady = steadyClock } = deps;
  const { checking, validation, disk, erased, ring, reads, counts } = parts;
  const settings = createSettings(db, steady, validation);
  const accepting = createAccepting({ ...deps, disk, erased, settings, counts, ring });
  const { templates, lifetimeMs } = accepting;
  const webhooks = createWebhookService({ ...deps, ring });
  const { moved } = openContentStore(deps);
  return {
    accepting,
    settings,
    emails: new EmailService({ db, reads, clock, templates, lifetimeMs, moved }),
    moved,
    templates: new TemplateService({ ...deps, reads }),
    domains: new DomainService(checking, accepting.domainTracking),
    suppressions: { ...deps, reads, hash: (address) => erased.keyOf(address) },
    validation,
    webhooks,
    webhookDeliveries: createWebhookDeliveries({ ...deps, ring }, webhooks),
  };
}
