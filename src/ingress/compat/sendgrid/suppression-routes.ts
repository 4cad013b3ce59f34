/** SendGrid's bounces, spam reports and global unsubscribes, mapped to our suppression list. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { addDetails, nameTarget } from '../../../http/audit.ts';
import { ApiError } from '../../../http/errors.ts';
import { type JsonFields, jsonFields } from '../../../http/json-fields.ts';
import { Problems } from '../../../runtime/problems.ts';
import { addSuppressions, type SuppressionDeps } from '../../../suppressions/service.ts';
import type { Reason, SuppressionRow } from '../../../suppressions/suppression.ts';
import {
  addressNamed,
  BOUNCE_REASONS,
  entriesListed,
  type IsListed,
  pageListed,
  removeListed,
  targetName,
} from '../reason-lists.ts';

const MAX_LISTED = 500;
const MAX_AT_ONCE = 1_000;
const DELETED = { audit: { action: 'suppression.deleted' } };
const CREATED = { audit: { action: 'suppression.created' } };

interface List {
  readonly path: string;
  readonly reasons: readonly Reason[];
  readonly view: (row: SuppressionRow) => object;
}

const LISTS: readonly List[] = [
  { path: '/v3/suppression/bounces', reasons: BOUNCE_REASONS, view: bounceView },
  { path: '/v3/suppression/spam_reports', reasons: ['complaint'], view: reportView },
];

/** Entries that stop all mail at the recipient's or a user's request. */
const isGlobal: IsListed = ({ reason, unsubscribe_group }) =>
  (reason === 'unsubscribe' || reason === 'manual') && unsubscribe_group === null;
const GLOBAL_PATH = '/v3/asm/suppressions/global';

type OfAddress = { Params: { email: string } };

export function routeSendgridSuppressions(app: FastifyInstance, deps: SuppressionDeps): void {
  for (const list of LISTS) {
    routeList(app, deps, list);
    routeEntry(app, deps, list);
  }
  routeGlobal(app, deps);
}

function routeList(app: FastifyInstance, deps: SuppressionDeps, { path, reasons, view }: List): void {
  app.get(path, async ({ principal, query }) => {
    const { rows } = await pageListed(deps, principal.organizationId, reasons, pageOf(query));
    return rows.map(view);
  });

  app.delete(path, { config: DELETED }, async (request, reply) => {
    const addresses = addressesIn(jsonFields(request.body), 'emails');
    for (const address of addresses)
      await removeListed(deps, request.principal.organizationId, address, isOf(reasons));
    nameTarget(request, targetName(addresses.map(({ email }) => email)));
    return reply.code(204).send();
  });
}

function routeEntry(app: FastifyInstance, deps: SuppressionDeps, { path, reasons, view }: List): void {
  app.get<OfAddress>(`${path}/:email`, async ({ principal, params }) => {
    const address = addressNamed(params.email, 'email');
    const rows = await entriesListed(deps, principal.organizationId, address, isOf(reasons));
    return rows.map(view);
  });

  app.delete<OfAddress>(`${path}/:email`, { config: DELETED }, async (request, reply) => {
    await remove(deps, request, isOf(reasons));
    return reply.code(204).send();
  });
}

function routeGlobal(app: FastifyInstance, deps: SuppressionDeps): void {
  app.get<OfAddress>(`${GLOBAL_PATH}/:email`, async ({ principal, params }) => {
    const address = addressNamed(params.email, 'email');
    const rows = await entriesListed(deps, principal.organizationId, address, isGlobal);
    return rows.length > 0 ? { recipient_email: address.email } : {};
  });

  app.post(GLOBAL_PATH, { config: CREATED }, async (request, reply) => {
    const addresses = addressesIn(jsonFields(request.body), 'recipient_emails');
    const why = { reason: 'unsubscribe', group: null } as const;
    const entries = addresses.map((address) => ({ address, ...why }));
    await addSuppressions(deps, request.principal.organizationId, entries);
    const emails = addresses.map(({ email }) => email);
    nameTarget(request, targetName(emails));
    addDetails(request, { reason: why.reason });
    return reply.code(201).send({ recipient_emails: emails });
  });

  app.delete<OfAddress>(`${GLOBAL_PATH}/:email`, { config: DELETED }, async (request, reply) => {
    await remove(deps, request, isGlobal);
    return reply.code(204).send();
  });
}

async function remove(deps: SuppressionDeps, request: FastifyRequest<OfAddress>, isListed: IsListed) {
  const address = addressNamed(request.params.email, 'email');
  if (!(await removeListed(deps, request.principal.organizationId, address, isListed)))
    throw new ApiError('NOT_FOUND');
  nameTarget(request, address.email);
}

function isOf(reasons: readonly Reason[]): IsListed {
  return ({ reason }) => reasons.includes(reason);
}

function addressesIn(body: JsonFields, field: string) {
  const list = body[field];
  const problems = new Problems();
  if (!Array.isArray(list) || list.length === 0) problems.add(field, 'must be a list of addresses');
  else if (list.length > MAX_AT_ONCE) problems.add(field, `must not have more than ${MAX_AT_ONCE} addresses`);
  problems.throwIfAny();
  return (list as unknown[]).map((one, index) => addressNamed(one, `${field}[${index}]`));
}

function pageOf(query: unknown): { readonly offset: number; readonly limit: number } {
  const { limit = MAX_LISTED, offset = 0, start_time, end_time } = jsonFields(query);
  const problems = new Problems();
  for (const [field, value] of Object.entries({ start_time, end_time }))
    if (value !== undefined) problems.add(field, 'is not offered: the list has the newest first');
  if (!isWhole(limit, 1, MAX_LISTED)) problems.add('limit', `must be a number from 1 to ${MAX_LISTED}`);
  if (!isWhole(offset, 0, 1e9)) problems.add('offset', 'must be a number from 0');
  problems.throwIfAny();
  return { limit: Number(limit), offset: Number(offset) };
}

function isWhole(value: unknown, least: number, most: number): boolean {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return Number.isInteger(number) && Number(number) >= least && Number(number) <= most;
}

function bounceView({ email, reason, cause, created_at }: SuppressionRow) {
  return { created: secondsOf(created_at), email, reason: cause ?? reason, status: '' };
}

function reportView({ email, created_at }: SuppressionRow) {
  return { created: secondsOf(created_at), email, ip: '' };
}

function secondsOf(date: Date): number {
  return Math.floor(date.getTime() / 1_000);
}
