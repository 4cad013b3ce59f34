/**
 * Mailgun's bounces, complaints and unsubscribes, mapped to our suppression list. That list belongs to the
 * organization, not to a domain.
 */
import type { FastifyInstance } from 'fastify';
import type { Sql } from '../../../database/sql.ts';
import { addDetails, nameTarget } from '../../../http/audit.ts';
import { ApiError } from '../../../http/errors.ts';
import { FormBody } from '../../../http/form-body.ts';
import { type JsonFields, jsonFields } from '../../../http/json-fields.ts';
import { Problems } from '../../../runtime/problems.ts';
import { addSuppressions, type SuppressionDeps } from '../../../suppressions/service.ts';
import { GROUP_NAME, type Reason, type SuppressionRow } from '../../../suppressions/suppression.ts';
import {
  addressNamed,
  BOUNCE_REASONS,
  entriesListed,
  type IsListed,
  pageListed,
  removeListed,
  targetName,
} from '../reason-lists.ts';
import { assertOwnDomain } from './own-domain.ts';

interface MailgunSuppressionDeps {
  readonly db: Sql;
  readonly suppressions: SuppressionDeps;
  /** The base of the paging links. */
  readonly baseUrl: string;
}

const MAX_LISTED = 1_000;
const DEFAULT_LISTED = 100;
const MAX_AT_ONCE = 1_000;

interface List {
  readonly name: string;
  readonly reasons: readonly Reason[];
  readonly added: Reason;
  readonly removed: string;
  readonly view: (row: SuppressionRow) => object;
}

const LISTS: readonly List[] = [
  {
    name: 'bounces',
    reasons: BOUNCE_REASONS,
    added: 'hard_bounce',
    removed: 'Bounced address has been removed',
    view: (row) => ({ ...entryView(row), code: '550', error: row.cause ?? row.reason }),
  },
  {
    name: 'complaints',
    reasons: ['complaint'],
    added: 'complaint',
    removed: 'Spam complaint has been removed',
    view: (row) => ({ ...entryView(row), count: 1 }),
  },
  {
    name: 'unsubscribes',
    reasons: ['unsubscribe'],
    added: 'unsubscribe',
    removed: 'Unsubscribe event has been removed',
    view: (row) => ({ ...entryView(row), tags: [row.unsubscribe_group ?? EVERYTHING] }),
  },
];

/** Mailgun's tag for unsubscribing from all mail. */
const EVERYTHING = '*';

type OfDomain = { Params: { domain: string } };
type OfAddress = { Params: { domain: string; address: string } };

export function routeMailgunSuppressions(app: FastifyInstance, deps: MailgunSuppressionDeps): void {
  for (const list of LISTS) {
    routeList(app, deps, list);
    routeEntry(app, deps, list);
  }
}

function routeList(app: FastifyInstance, deps: MailgunSuppressionDeps, list: List): void {
  const { db, suppressions, baseUrl } = deps;
  const path = `/v3/:domain/${list.name}`;
  app.get<OfDomain>(path, async ({ principal: { organizationId }, params: { domain }, query }) => {
    await assertOwnDomain(db, organizationId, domain);
    const { page, limit } = pageOf(query);
    const place = { offset: (page - 1) * limit, limit };
    const { rows, total } = await pageListed(suppressions, organizationId, list.reasons, place);
    const url = `${baseUrl}/v3/${encodeURIComponent(domain)}/${list.name}`;
    return { items: rows.map(list.view), paging: pagingOf(url, page, limit, total) };
  });

  const config = { audit: { action: 'suppression.created' } };
  app.post<OfDomain>(path, { config }, async (request) => {
    const { organizationId } = request.principal;
    await assertOwnDomain(db, organizationId, request.params.domain);
    const entries = entriesIn(request.body).flatMap((entry, at) => toAdd(list, entry, at));
    await addSuppressions(suppressions, organizationId, entries);
    const emails = [...new Set(entries.map(({ address }) => address.email))];
    nameTarget(request, targetName(emails));
    addDetails(request, { reason: list.added });
    const [only, another] = emails;
    return another === undefined
      ? { message: `Address has been added to the ${list.name} table`, address: only }
      : { message: `${emails.length} addresses have been added to the ${list.name} table` };
  });
}

function routeEntry(app: FastifyInstance, { db, suppressions }: MailgunSuppressionDeps, list: List): void {
  const path = `/v3/:domain/${list.name}/:address`;
  const isListed: IsListed = ({ reason }) => list.reasons.includes(reason);
  app.get<OfAddress>(path, async ({ principal: { organizationId }, params }) => {
    await assertOwnDomain(db, organizationId, params.domain);
    const address = addressNamed(params.address, 'address');
    const [row] = await entriesListed(suppressions, organizationId, address, isListed);
    if (row === undefined) throw notThere(list);
    return list.view(row);
  });

  const config = { audit: { action: 'suppression.deleted' } };
  app.delete<OfAddress>(path, { config }, async (request) => {
    const { organizationId } = request.principal;
    await assertOwnDomain(db, organizationId, request.params.domain);
    const address = addressNamed(request.params.address, 'address');
    if (!(await removeListed(suppressions, organizationId, address, isListed))) throw notThere(list);
    nameTarget(request, address.email);
    return { message: list.removed, address: address.email };
  });
}

function notThere({ name }: List): ApiError {
  return new ApiError('NOT_FOUND', [], `Address not found in ${name} table`);
}

/** One entry in a form or as JSON, or a JSON list. */
function entriesIn(body: unknown): readonly JsonFields[] {
  if (body instanceof FormBody) return [{ address: body.text('address'), tag: body.text('tag') }];
  if (!Array.isArray(body)) return [jsonFields(body)];
  if (body.length === 0 || body.length > MAX_AT_ONCE)
    throw new Problems().add('body', `must have 1 to ${MAX_AT_ONCE} addresses`).toError();
  return body.map(jsonFields);
}

/** One entry for each tag: unsubscribing from a tag means unsubscribing from a group. */
function toAdd({ added }: List, { address, tag, tags }: JsonFields, at: number) {
  const read = addressNamed(address, at === 0 ? 'address' : `[${at}].address`);
  const named = added === 'unsubscribe' ? [tags ?? tag ?? EVERYTHING].flat() : [EVERYTHING];
  return named.map((one: unknown) => {
    if (one === EVERYTHING) return { address: read, reason: added, group: null };
    if (typeof one !== 'string' || !GROUP_NAME.test(one))
      throw new Problems().add('tag', `must be * or match ${GROUP_NAME.source}`).toError();
    return { address: read, reason: added, group: one };
  });
}

function pageOf(query: unknown): { readonly page: number; readonly limit: number } {
  const { page = '1', limit = DEFAULT_LISTED } = jsonFields(query);
  const asked = { page: Number(page === 'first' ? 1 : page), limit: Number(limit) };
  const problems = new Problems();
  if (!Number.isInteger(asked.page) || asked.page < 1 || asked.page > 1e9)
    problems.add('page', 'must be one of those that a list has given out');
  if (!Number.isInteger(asked.limit) || asked.limit < 1 || asked.limit > MAX_LISTED)
    problems.add('limit', `must be a number from 1 to ${MAX_LISTED}`);
  problems.throwIfAny();
  return asked;
}

/** Always includes a next page: clients stop at an empty one. */
function pagingOf(url: string, page: number, limit: number, total: number) {
  const link = (number: number) => `${url}?page=${number}&limit=${limit}`;
  return {
    first: link(1),
    last: link(Math.max(1, Math.ceil(total / limit))),
    next: link(page + 1),
    previous: link(Math.max(1, page - 1)),
  };
}

function entryView({ email, created_at }: SuppressionRow) {
  return { address: email, created_at: created_at.toUTCString().replace('GMT', 'UTC') };
}
