/** Manages the names and addresses at which an organization receives mail. */
import type { Database } from '../database/database.ts';
import { isInAnyCell } from '../database/per-cell.ts';
import type { Clock } from '../runtime/clock.ts';
import { newId } from '../runtime/ids.ts';
import { orNotFound, ServiceError } from '../runtime/service-error.ts';
import { type CheckMx, checkNames } from './mx-check.ts';
import {
  addReceivingName,
  belongsToAnotherOrganization,
  domainForName,
  findReceivingName,
  isReceivedAt,
  type ReceivingName,
  receivingNames,
  releaseName,
  removeReceivingName,
} from './receiving-names.ts';
import { addressOfRoute, type RouteAddress } from './route-address.ts';
import {
  countInboundRoutes,
  findInboundRoute,
  type InboundRoute,
  inboundRoutes,
  insertInboundRoute,
  removeInboundRoute,
  updateInboundRoute,
} from './route-store.ts';

interface ReceivingDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly checkMx: CheckMx;
  /** The installation's own host, at which no organization receives mail. */
  readonly host: string;
}

const MAX_NAMES = 50;
const MAX_ROUTES = 500;

export class ReceivingService {
  readonly #deps: ReceivingDeps;

  constructor(deps: ReceivingDeps) {
    this.#deps = deps;
  }

  names(organizationId: string): Promise<ReceivingName[]> {
    return receivingNames(this.#deps.db, organizationId);
  }

  /** Only names with proven ownership: a verified domain, or a name below one. */
  async addName(organizationId: string, name: string): Promise<ReceivingName> {
    const { db, clock } = this.#deps;
    this.#refuseOurs(name);
    if ((await receivingNames(db, organizationId)).length >= MAX_NAMES)
      throw new ServiceError(
        'CONFLICT',
        `An organization can receive at ${MAX_NAMES} domains at most. Remove a domain first.`,
      );
    const domain = await domainForName(db, organizationId, name);
    if (domain === undefined) throw refused('domain', NOT_VERIFIED);
    const isTaken = (cell: Database) =>
      belongsToAnotherOrganization(cell, organizationId, name, domain.domain);
    if (await isInAnyCell(db, isTaken)) throw new ServiceError('CONFLICT', TAKEN);
    await this.#releaseElsewhere(organizationId, name);
    const given = { name, domainId: domain.id, createdAt: new Date(clock.nowMs()) };
    const added = await db
      .of(organizationId)
      .transaction((tx) => addReceivingName(tx, organizationId, given));
    if (!added) {
      const isOwn = (await findReceivingName(db, organizationId, name)) !== undefined;
      throw new ServiceError(
        'CONFLICT',
        isOwn ? `${name} already receives mail. GET /inbound/domains lists the receiving domains.` : TAKEN,
      );
    }
    return this.checkName(organizationId, name);
  }

  /**
   * Within one cell, the table ensures one receiver per name. If two organizations in different cells add the same name at the
   * same moment, both get it. Both have verified the domain, and mail goes to either.
   */
  async #releaseElsewhere(organizationId: string, name: string): Promise<void> {
    const { db } = this.#deps;
    for (const cell of db.cells) {
      if (cell.residents === db.of(organizationId)) continue;
      await releaseName(cell.db, organizationId, name);
      if (await isReceivedAt(cell.db, name)) throw new ServiceError('CONFLICT', TAKEN);
    }
  }

  async checkName(organizationId: string, name: string): Promise<ReceivingName> {
    const { db, checkMx, clock } = this.#deps;
    const row = await this.#name(organizationId, name);
    await checkNames(db, [row], checkMx, clock.nowMs());
    return this.#name(organizationId, name);
  }

  /** Removes the name's routes, too. */
  async removeName(organizationId: string, name: string): Promise<void> {
    if (!(await removeReceivingName(this.#deps.db, organizationId, name)))
      throw new ServiceError('NOT_FOUND');
  }

  routes(organizationId: string): Promise<InboundRoute[]> {
    return inboundRoutes(this.#deps.db, organizationId);
  }

  async route(organizationId: string, id: string): Promise<InboundRoute> {
    return orNotFound(await findInboundRoute(this.#deps.db, organizationId, id));
  }

  async addRoute(
    organizationId: string,
    address: RouteAddress,
    { description, enabled }: Pick<InboundRoute, 'description' | 'enabled'>,
  ): Promise<InboundRoute> {
    const { db, clock } = this.#deps;
    if ((await findReceivingName(db, organizationId, address.name)) === undefined)
      throw refused(
        'address',
        `is at a domain that does not receive: add ${address.name} with POST /inbound/domains`,
      );
    if ((await countInboundRoutes(db, organizationId)) >= MAX_ROUTES)
      throw new ServiceError(
        'CONFLICT',
        `An organization can have ${MAX_ROUTES} inbound routes at most. Delete a route first.`,
      );
    const id = newId('rte');
    const { name, local } = address;
    const row = { organization_id: organizationId, id, name, local, description, enabled };
    const added = await insertInboundRoute(db, { ...row, created_at: new Date(clock.nowMs()) });
    if (added === undefined)
      throw new ServiceError(
        'CONFLICT',
        `A route for ${addressOfRoute(address)} already exists. GET /inbound/routes lists the routes.`,
      );
    return added;
  }

  async changeRoute(
    organizationId: string,
    id: string,
    change: Partial<Pick<InboundRoute, 'description' | 'enabled'>>,
  ): Promise<InboundRoute> {
    const row = await this.route(organizationId, id);
    return orNotFound(await updateInboundRoute(this.#deps.db, { ...row, ...change }));
  }

  async removeRoute(organizationId: string, id: string): Promise<InboundRoute> {
    return orNotFound(await removeInboundRoute(this.#deps.db, organizationId, id));
  }

  async #name(organizationId: string, name: string): Promise<ReceivingName> {
    return orNotFound(await findReceivingName(this.#deps.db, organizationId, name));
  }

  #refuseOurs(name: string): void {
    const { host } = this.#deps;
    if (name === host)
      throw refused(
        'domain',
        'is the name of this server, which receives bounces at that name; choose another domain',
      );
    if (name.startsWith('bounces.'))
      throw refused('domain', 'is the domain that bounces return to; choose another domain');
  }
}

const NOT_VERIFIED =
  'is neither a verified domain of this organization nor below a verified domain: add the domain with POST /domains, publish its records, and verify it';
const TAKEN =
  'Another organization of this server receives mail for this domain. Choose another domain, or ask the operator.';

function refused(field: string, message: string): ServiceError {
  return new ServiceError('VALIDATION_ERROR', undefined, { problems: [{ field, message }] });
}
