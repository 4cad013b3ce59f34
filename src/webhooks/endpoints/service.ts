/** Manages the webhook endpoints of one organization. */

import type { Database } from '../../database/database.ts';
import { lockOrganization } from '../../organizations/store.ts';
import type { Resolver } from '../../protocols/dns/resolver.ts';
import { type DestinationRules, findDestination, urlProblem } from '../../protocols/fetch/destination.ts';
import type { Clock } from '../../runtime/clock.ts';
import { DAY_MS } from '../../runtime/durations.ts';
import { newId } from '../../runtime/ids.ts';
import type { SealedBox } from '../../runtime/sealed-box.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import { includesAnyType, subscribedTypes, typesInLine } from './formats.ts';
import type { CreateWebhookBody, UpdateWebhookBody } from './schema.ts';
import { newSecret } from './secret.ts';
import {
  countEndpoints,
  deleteEndpoint,
  type EndpointRow,
  type EndpointSettings,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  lockEndpoint,
  rotateSecret,
  type StoredType,
  updateEndpoint,
  type WebhookFormat,
} from './store.ts';
import { storedType } from './view.ts';

/** Every event is written once more for each endpoint. */
const MAX_ENDPOINTS = 20;
const EXAMPLE_URL = 'https://example.org/hooks/mail';
/** How long the previous secret also signs after a rotation. */
const OVERLAP_MS = DAY_MS;

interface WebhookDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly resolver: Pick<Resolver, 'addresses'>;
  readonly rules: DestinationRules;
  readonly secrets: SealedBox;
}

interface WithSecret {
  readonly row: EndpointRow;
  readonly secret: Buffer;
}

export class WebhookService {
  readonly #deps: WebhookDeps;

  constructor(deps: WebhookDeps) {
    this.#deps = deps;
  }

  async create(organizationId: string, body: CreateWebhookBody): Promise<WithSecret> {
    const { format = 'postrider' } = body;
    const types = supportedTypes(format, body.event_types?.map(storedType) ?? null);
    await this.#checkUrl(body.url);
    const { db, clock, secrets } = this.#deps;
    const id = newId('whk');
    const secret = newSecret();
    const row = await db.transaction(async (tx) => {
      // Prevents two concurrent requests from both creating the last allowed endpoint.
      await lockOrganization(tx, organizationId);
      if ((await countEndpoints(tx, organizationId)) >= MAX_ENDPOINTS)
        throw new ServiceError(
          'CONFLICT',
          `There are already ${MAX_ENDPOINTS} webhooks, which is the maximum. Delete a webhook first.`,
        );
      return insertEndpoint(tx, {
        id,
        organization_id: organizationId,
        url: body.url,
        description: body.description ?? null,
        event_types: types,
        streams: body.streams ?? null,
        format,
        enabled: body.enabled ?? true,
        secret: secrets.seal(id, secret),
        created_at: new Date(clock.nowMs()),
      });
    });
    return { row, secret };
  }

  list(organizationId: string): Promise<EndpointRow[]> {
    return listEndpoints(this.#deps.db, organizationId);
  }

  async find(organizationId: string, id: string): Promise<EndpointRow> {
    return known(await findEndpoint(this.#deps.db, organizationId, id));
  }

  async update(organizationId: string, id: string, body: UpdateWebhookBody): Promise<EndpointRow> {
    const { db, clock } = this.#deps;
    const { url } = await this.find(organizationId, id);
    if (body.url !== undefined && body.url !== url) await this.#checkUrl(body.url);
    // Omitted fields keep their value at this moment, not their value before the DNS lookup.
    return db.transaction(async (tx) => {
      const row = known(await lockEndpoint(tx, organizationId, id));
      return known(await updateEndpoint(tx, row, changed(row, body), new Date(clock.nowMs())));
    });
  }

  async remove(organizationId: string, id: string): Promise<void> {
    if (!(await deleteEndpoint(this.#deps.db, organizationId, id))) throw unknown();
  }

  async rotate(organizationId: string, id: string): Promise<WithSecret> {
    const { db, clock, secrets } = this.#deps;
    const { organization_id } = await this.find(organizationId, id);
    const secret = newSecret();
    const nowMs = clock.nowMs();
    const times = { previousUntil: new Date(nowMs + OVERLAP_MS), at: new Date(nowMs) };
    const row = known(await rotateSecret(db, { organization_id, id }, secrets.seal(id, secret), times));
    return { row, secret };
  }

  async #checkUrl(url: string): Promise<void> {
    const { rules, resolver } = this.#deps;
    const problem = urlProblem(url, rules, EXAMPLE_URL);
    if (problem !== null) throw wrongUrl(problem);
    const destination = await findDestination(new URL(url), resolver, rules);
    // The lookup got no answer. Every attempt checks the address again anyway.
    if (destination.kind === 'refused') throw wrongUrl(destination.why);
    if (destination.kind === 'unknown') throw wrongUrl('has a host that cannot be found in DNS');
  }
}

function changed(row: EndpointRow, body: UpdateWebhookBody): EndpointSettings {
  const format = body.format ?? row.format;
  const types =
    body.event_types === undefined
      ? subscribedTypes(row.format, row.event_types)
      : (body.event_types?.map(storedType) ?? null);
  return {
    url: body.url ?? row.url,
    description: body.description === undefined ? row.description : body.description,
    event_types: supportedTypes(format, types),
    streams: body.streams === undefined ? row.streams : body.streams,
    format,
    enabled: body.enabled ?? row.enabled,
  };
}

function supportedTypes(
  format: WebhookFormat,
  types: readonly StoredType[] | null,
): readonly StoredType[] | null {
  if (includesAnyType(format, types)) return typesInLine(format, types);
  const message = `names no event that the format ${format} can express: choose other events`;
  throw new ServiceError('VALIDATION_ERROR', undefined, { problems: [{ field: 'event_types', message }] });
}

function wrongUrl(message: string): ServiceError {
  return new ServiceError('VALIDATION_ERROR', undefined, { problems: [{ field: 'url', message }] });
}

function known(row: EndpointRow | undefined): EndpointRow {
  if (row === undefined) throw unknown();
  return row;
}

function unknown(): ServiceError {
  return new ServiceError('NOT_FOUND', 'No webhook has this id. GET /webhooks lists the webhooks.');
}
