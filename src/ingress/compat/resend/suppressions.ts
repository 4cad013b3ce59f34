/** Resend's `/suppressions`: entries that stop all mail to an address, without those of a single group. */
import type { FastifyInstance } from 'fastify';
import { addDetails, nameTarget } from '../../../http/audit.ts';
import type { JsonFields } from '../../../http/json-fields.ts';
import { type Address, parseAddress } from '../../../protocols/message/address.ts';
import { Problems } from '../../../runtime/problems.ts';
import { ServiceError } from '../../../runtime/service-error.ts';
import {
  addSuppression,
  findSuppression,
  listSuppressionsFrom,
  removeSuppression,
  type SuppressionDeps,
} from '../../../suppressions/service.ts';
import {
  parsePublicId,
  publicId,
  type Reason,
  type SuppressionRow,
} from '../../../suppressions/suppression.ts';
import { BOUNCE_REASONS, targetName } from '../reason-lists.ts';
import { placeIn, resendList } from './cursor.ts';
import { resendFields } from './send-body.ts';

const MAX_BATCH = 100;

/** Resend's origins of an entry. */
const REASONS_OF = new Map<unknown, readonly Reason[]>([
  ['bounce', BOUNCE_REASONS],
  ['complaint', ['complaint']],
  ['manual', ['manual', 'unsubscribe']],
]);

interface OfSuppression {
  Params: { readonly id: string };
}

export function routeResendSuppressions(app: FastifyInstance, deps: SuppressionDeps): void {
  routeEntries(app, deps);
  routeBatches(app, deps);
}

function routeEntries(app: FastifyInstance, deps: SuppressionDeps): void {
  const created = { config: { audit: { action: 'suppression.created' } } };
  app.post('/suppressions', created, async (request, reply) => {
    const { email } = resendFields(request.body);
    const [address] = addressesOf([email], () => 'email');
    const row = await add(deps, request.principal.organizationId, address as Address);
    nameTarget(request, row.email);
    addDetails(request, { reason: row.reason });
    return reply.code(201).send({ object: 'suppression', id: publicId(row.id) });
  });

  app.get('/suppressions', async ({ principal, query }) => {
    const { origin } = query as JsonFields;
    const reasons = origin === undefined ? null : REASONS_OF.get(origin);
    if (reasons === undefined)
      throw new Problems().add('origin', 'must be bounce, complaint or manual').toError();
    const place = placeIn(query, (cursor) => parsePublicId(cursor) !== null);
    const inside = {
      ...place,
      after: place.after && parsePublicId(place.after),
      before: place.before && parsePublicId(place.before),
    };
    return resendList(
      await listSuppressionsFrom(deps, principal.organizationId, reasons, inside),
      suppressionItem,
    );
  });

  app.get<OfSuppression>('/suppressions/:id', async ({ principal, params }) => {
    const row = await findSuppression(deps, principal.organizationId, askedFor(params.id));
    return { object: 'suppression', ...suppressionItem(row) };
  });

  const deleted = { config: { audit: { action: 'suppression.deleted' } } };
  app.delete<OfSuppression>('/suppressions/:id', deleted, async (request) => {
    const { organizationId } = request.principal;
    const { id, email } = await findSuppression(deps, organizationId, askedFor(request.params.id));
    await removeSuppression(deps, organizationId, publicId(id));
    nameTarget(request, email);
    return { object: 'suppression', id: publicId(id), deleted: true };
  });
}

function routeBatches(app: FastifyInstance, deps: SuppressionDeps): void {
  const imported = { config: { audit: { action: 'suppression.imported' } } };
  app.post('/suppressions/batch/add', imported, async (request, reply) => {
    const emails = listIn(resendFields(request.body).emails, 'emails');
    const addresses = addressesOf(emails, (index) => `emails[${index}]`);
    const data: { object: string; id: string }[] = [];
    for (const address of addresses) {
      const { id } = await add(deps, request.principal.organizationId, address);
      data.push({ object: 'suppression', id: publicId(id) });
    }
    nameTarget(request, targetName(addresses.map(({ email }) => email)));
    return reply.code(201).send({ data });
  });

  const deleted = { config: { audit: { action: 'suppression.deleted' } } };
  app.post('/suppressions/batch/remove', deleted, async (request) => {
    const { emails, ids } = resendFields(request.body);
    const asked = ids === undefined ? textsIn(emails, 'emails') : textsIn(ids, 'ids');
    const removed: SuppressionRow[] = [];
    for (const one of asked)
      removed.push(...(await removeIfThere(deps, request.principal.organizationId, askedFor(one))));
    nameTarget(request, targetName(removed.map(({ email }) => email)));
    return { data: removed.map(({ id }) => ({ object: 'suppression', id: publicId(id), deleted: true })) };
  });
}

function add(deps: SuppressionDeps, organizationId: string, address: Address): Promise<SuppressionRow> {
  return addSuppression(deps, organizationId, address, { reason: 'manual' });
}

/** Returns the removed entry. In a batch, an entry already removed is no error. */
async function removeIfThere(
  deps: SuppressionDeps,
  organizationId: string,
  asked: string | Address,
): Promise<readonly SuppressionRow[]> {
  try {
    const row = await findSuppression(deps, organizationId, asked);
    await removeSuppression(deps, organizationId, publicId(row.id));
    return [row];
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'NOT_FOUND') return [];
    throw error;
  }
}

/** Parses an address, or else returns the text as a possible id. */
function askedFor(idOrEmail: string): Address | string {
  const address = parseAddress(idOrEmail);
  return address.ok ? address : idOrEmail;
}

function listIn(list: unknown, field: string): readonly unknown[] {
  const problems = new Problems();
  if (list === undefined) problems.missing(field);
  else if (!Array.isArray(list) || list.length === 0 || list.length > MAX_BATCH)
    problems.add(field, `must be a list of 1 to ${MAX_BATCH}`);
  problems.throwIfAny();
  return list as readonly unknown[];
}

function textsIn(list: unknown, field: string): readonly string[] {
  const problems = new Problems();
  const texts = listIn(list, field).map((one, index) => {
    if (typeof one === 'string') return one;
    problems.add(`${field}[${index}]`, 'must be a string');
    return '';
  });
  problems.throwIfAny();
  return texts;
}

function addressesOf(emails: readonly unknown[], fieldOf: (index: number) => string): Address[] {
  const problems = new Problems();
  const addresses = emails.map((email, index) => {
    const parsed = typeof email === 'string' ? parseAddress(email) : null;
    if (email === undefined) problems.missing(fieldOf(index));
    else if (parsed === null) problems.add(fieldOf(index), 'must be a string');
    else if (!parsed.ok) problems.add(fieldOf(index), parsed.message);
    return parsed;
  });
  problems.throwIfAny();
  return addresses.filter((address): address is Address => address?.ok === true);
}

function suppressionItem({ id, email, reason, email_id, created_at }: SuppressionRow) {
  const [origin] = [...REASONS_OF].find(([, reasons]) => reasons.includes(reason)) ?? ['manual'];
  return { id: publicId(id), email, origin, source_id: email_id, created_at };
}
