/** An organization of this machine's installation, through the API's own services. */

import { createApiKey, revokeApiKey } from '../../accounts/api-keys/service.ts';
import { listKeys } from '../../accounts/api-keys/store.ts';
import { type KeyRequest, parseKeyRequest } from '../../accounts/api-keys/validate-key.ts';
import type { Database } from '../../database/database.ts';
import { Reads } from '../../database/reads.ts';
import { parseDomainName } from '../../domains/name.ts';
import { DomainService } from '../../domains/service.ts';
import { listDomains } from '../../domains/store.ts';
import type { TrackingChange } from '../../domains/tracking/service.ts';
import { trackingOfDomains } from '../../domains/tracking/store.ts';
import { presentTracking } from '../../domains/tracking/view.ts';
import { presentNewDomain } from '../../domains/view.ts';
import { emailsFrom } from '../../emails/lists/emails-from.ts';
import { createSettings, settingsOf } from '../../organizations/settings/list.ts';
import type { Setting } from '../../organizations/settings/setting.ts';
import { createAddressValidation } from '../../processes/address-validation.ts';
import { createDomainChecking } from '../../processes/domain-checking.ts';
import { createWebhookService } from '../../processes/webhook-dispatching.ts';
import { type Clock, steadyClock } from '../../runtime/clock.ts';
import type { Config } from '../../runtime/config.ts';
import { createLog } from '../../runtime/log.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import { deliverabilityOf } from '../../stats/deliverability.ts';
import { newStreamOf, settingsIn, shownStream } from '../../streams/routes.ts';
import { changeStream, createStream, removeStream, streamsOf } from '../../streams/service.ts';
import { TemplateDrafts } from '../../templates/draft-service.ts';
import type { CreateTemplateBody, DraftBody, UpdateTemplateBody } from '../../templates/schema.ts';
import { TemplateService } from '../../templates/service.ts';
import { sendsLast30Days } from '../../templates/usage.ts';
import type { CreateWebhookBody, UpdateWebhookBody } from '../../webhooks/endpoints/schema.ts';
import { secretText } from '../../webhooks/endpoints/secret.ts';
import type { WebhookService } from '../../webhooks/endpoints/service.ts';
import { listEndpoints } from '../../webhooks/endpoints/store.ts';
import { endpointView } from '../../webhooks/endpoints/view.ts';
import { openKeyRing } from '../installation.ts';
import type { EntryFields } from './entry.ts';
import type {
  ChangedKind,
  DomainShown,
  MadeEntry,
  MadeKind,
  OrganizationApi,
  TemplateShown,
} from './organization-api.ts';

type NewStream = Parameters<typeof newStreamOf>[0];

const PER_PAGE = 100;

interface Installation {
  readonly config: Config;
  readonly clock: Clock;
  readonly db: Database;
}

/** Services shared by all organizations. The secret key is loaded only for entries with secrets. */
export class LocalServices {
  readonly installation: Installation;
  readonly templates: TemplateService;
  readonly settings: readonly Setting[];
  readonly #ends: (() => Promise<void>)[] = [];
  #sealed: Promise<{ readonly domains: DomainService; readonly webhooks: WebhookService }> | undefined;

  constructor(installation: Installation) {
    const { db, clock } = installation;
    const validation = createAddressValidation(installation);
    this.#ends.push(() => validation.lookups.stop());
    this.installation = installation;
    this.templates = new TemplateService({ db, clock, reads: new Reads(db) });
    const settings = createSettings(db, steadyClock, validation);
    this.settings = settingsOf({ db, clock, settings, trackingProblem: null });
  }

  sealed() {
    this.#sealed ??= this.#open();
    return this.#sealed;
  }

  async stop(): Promise<void> {
    for (const end of this.#ends) await end();
  }

  async #open() {
    const { config, db } = this.installation;
    const log = createLog('cli', 'silent');
    const deps = { ...this.installation, log, ring: await openKeyRing(db, config) };
    const checking = createDomainChecking(deps);
    this.#ends.push(() => checking.lookups.stop());
    return { domains: new DomainService(checking), webhooks: createWebhookService(deps) };
  }
}

export function localApi(services: LocalServices, organizationId: string): OrganizationApi {
  const { db, clock } = services.installation;
  return {
    ownKeyPrefix: null,
    domains: () => domainsOf(services, organizationId),
    keys: () => listKeys(db, organizationId),
    streams: async () => (await streamsOf({ db }, organizationId)).map(shownStream),
    webhooks: async () => (await listEndpoints(db, organizationId)).map(endpointView),
    templates: () => allTemplates(services, organizationId),
    setting: (name) => settingOf(services, name).read(organizationId),
    lastSentFrom: async (domain) => {
      const reach = { organizationId, sentWith: null, domain };
      const { rows } = await emailsFrom(db, reach, { after: null, before: null, limit: 1 });
      return rows[0]?.created_at ?? null;
    },
    wasSentIn: async (stream) => {
      const asked = { range: '30d', by: 'stream' } as const;
      const { groups } = await deliverabilityOf(db, organizationId, asked, clock.nowMs());
      return groups.some(({ name }) => name === stream);
    },
    sendsOfTemplate: (id) => sendsLast30Days(db, organizationId, id, clock.nowMs()),
    sampleOfTemplate: async (id) => (await services.templates.get(organizationId, id)).sample_data,
    saveDraft: async (id, body) => {
      await new TemplateDrafts({ db, clock }).save(organizationId, id, body as DraftBody, null);
    },
    create: (kind, body) => create(services, organizationId, kind, body),
    change: (kind, id, body) => change(services, organizationId, kind, id, body),
    remove: (kind, id) => remove(services, organizationId, kind, id),
  };
}

async function domainsOf(
  { installation: { db } }: LocalServices,
  organizationId: string,
): Promise<DomainShown[]> {
  const [rows, tracking] = [
    await listDomains(db, organizationId),
    await trackingOfDomains(db, organizationId),
  ];
  return rows.map(({ id, domain }) => ({
    id,
    domain,
    tracking: presentTracking(tracking.get(id), false),
  }));
}

async function allTemplates({ templates }: LocalServices, organizationId: string): Promise<TemplateShown[]> {
  const found: TemplateShown[] = [];
  for (let page = 1; ; page += 1) {
    const active = { isActive: true, search: null, kind: null };
    const { rows, total } = await templates.list(organizationId, active, { page, limit: PER_PAGE });
    found.push(...rows);
    if (rows.length === 0 || page * PER_PAGE >= total) return found;
  }
}

/** The file's schema, which is the API's, has already validated the body. */
async function create(
  services: LocalServices,
  organizationId: string,
  kind: MadeKind,
  body: EntryFields,
): Promise<MadeEntry> {
  const { db, clock } = services.installation;
  switch (kind) {
    case 'domain': {
      const { domains } = await services.sealed();
      const parsed = parseDomainName(String(body.domain));
      if (!parsed.ok) throw new ServiceError('VALIDATION_ERROR', parsed.message);
      const row = await domains.register(organizationId, parsed.domain);
      return { id: row.id, records: presentNewDomain(row, domains.host).dns_records };
    }
    case 'key': {
      const asked = parseKeyRequest(body as unknown as KeyRequest, clock.nowMs());
      if (!asked.ok) throw new ServiceError('VALIDATION_ERROR', undefined, { problems: asked.problems });
      const { row, secret } = await createApiKey(db, clock, organizationId, asked.key);
      return { id: row.id, secret };
    }
    case 'stream': {
      const { name } = await createStream(
        { db, clock },
        organizationId,
        newStreamOf(body as unknown as NewStream),
      );
      return { id: name };
    }
    case 'webhook': {
      const { webhooks } = await services.sealed();
      const { row, secret } = await webhooks.create(organizationId, body as CreateWebhookBody);
      return { id: row.id, secret: secretText(secret) };
    }
    case 'template':
      return services.templates.create(organizationId, body as CreateTemplateBody);
  }
}

async function change(
  services: LocalServices,
  organizationId: string,
  kind: ChangedKind,
  id: string,
  body: EntryFields,
): Promise<void> {
  switch (kind) {
    case 'setting':
      await settingOf(services, id).change(organizationId, body);
      return;
    case 'domain':
      await (await services.sealed()).domains.setTracking(organizationId, id, body as TrackingChange);
      return;
    case 'stream':
      await changeStream(services.installation, organizationId, id, settingsIn(body));
      return;
    case 'webhook':
      await (await services.sealed()).webhooks.update(organizationId, id, body as UpdateWebhookBody);
      return;
    case 'template':
      await services.templates.update(organizationId, id, body as UpdateTemplateBody);
  }
}

async function remove(
  services: LocalServices,
  organizationId: string,
  kind: MadeKind,
  id: string,
): Promise<void> {
  const { db, clock } = services.installation;
  switch (kind) {
    case 'domain':
      await (await services.sealed()).domains.remove(organizationId, id);
      return;
    case 'key':
      await revokeApiKey(db, clock, id, { organizationId });
      return;
    case 'stream':
      await removeStream({ db }, organizationId, id);
      return;
    case 'webhook':
      await (await services.sealed()).webhooks.remove(organizationId, id);
      return;
    case 'template':
      await services.templates.remove(organizationId, id);
  }
}

function settingOf({ settings }: LocalServices, name: string): Setting {
  const found = settings.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no setting ${name}.`);
  return found;
}
