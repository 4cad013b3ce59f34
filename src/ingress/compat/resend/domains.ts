/** Resend's `/domains`. Resend's settings per domain apply to the organization here, or are not supported. */
import type { FastifyInstance } from 'fastify';
import { parseDomainName } from '../../../domains/name.ts';
import type { DomainService } from '../../../domains/service.ts';
import type { TrackingChange } from '../../../domains/tracking/service.ts';
import { presentDomain } from '../../../domains/view.ts';
import { nameTarget } from '../../../http/audit.ts';
import type { JsonFields } from '../../../http/json-fields.ts';
import { Problems } from '../../../runtime/problems.ts';
import { pageOfAll, placeIn, resendList } from './cursor.ts';
import { resendFields } from './send-body.ts';

/** The clients' types accept only these; the choice has no effect. */
const REGIONS = ['us-east-1', 'eu-west-1', 'sa-east-1', 'ap-northeast-1'];

interface OfDomain {
  Params: { readonly id: string };
}

type Presented = ReturnType<typeof presentDomain>;

export function routeResendDomains(app: FastifyInstance, domains: DomainService): void {
  routeReading(app, domains);
  routeChanging(app, domains);
}

function routeReading(app: FastifyInstance, domains: DomainService): void {
  const { host } = domains;
  app.get('/domains', { config: { tied: true } }, async ({ principal, query }) => {
    const rows = await domains.list(principal);
    return resendList(pageOfAll(rows, placeIn(query)), (row) => domainItem(presentDomain(row, host)));
  });

  app.get<OfDomain>('/domains/:id', { config: { tied: true } }, async ({ principal, params }) => ({
    object: 'domain',
    ...domainView(presentDomain(await domains.find(principal, params.id), host)),
  }));
}

function routeChanging(app: FastifyInstance, domains: DomainService): void {
  const { host } = domains;
  app.post('/domains', { config: { audit: { action: 'domain.created' } } }, async (request, reply) => {
    const name = nameIn(resendFields(request.body));
    const row = await domains.register(request.principal.organizationId, name);
    return reply.code(201).send(domainView(presentDomain({ ...row, rotation: null }, host)));
  });

  // Only tracking can be set per domain here.
  const changed = { config: { audit: { action: 'domain.tracking_changed' } } };
  app.patch<OfDomain>('/domains/:id', changed, async (request) => {
    const { principal, params, body } = request;
    const { id } = await domains.find(principal, params.id);
    const change = trackingIn(resendFields(body));
    if (change !== null) await domains.setTracking(principal.organizationId, id, change);
    return { object: 'domain', id };
  });

  app.post<OfDomain>('/domains/:id/verify', { config: { tied: true } }, async ({ principal, params }) => {
    const { id } = await domains.verify(principal, params.id);
    return { object: 'domain', id };
  });

  const deleted = { config: { audit: { action: 'domain.deleted' } } };
  app.delete<OfDomain>('/domains/:id', deleted, async (request) => {
    const { id } = request.params;
    nameTarget(request, await domains.remove(request.principal.organizationId, id));
    return { object: 'domain', id, deleted: true };
  });
}

/** Null without tracking settings. */
function trackingIn({ open_tracking: opens, click_tracking: clicks }: JsonFields): TrackingChange | null {
  const problems = new Problems();
  for (const [field, value] of Object.entries({ open_tracking: opens, click_tracking: clicks }))
    if (value !== undefined && typeof value !== 'boolean') problems.add(field, 'must be true or false');
  problems.throwIfAny();
  if (opens === undefined && clicks === undefined) return null;
  return {
    ...(typeof opens === 'boolean' && { track_opens: opens }),
    ...(typeof clicks === 'boolean' && { track_clicks: clicks ? 'html' : 'off' }),
  };
}

function nameIn({ name, region }: JsonFields) {
  const problems = new Problems();
  const parsed = typeof name === 'string' ? parseDomainName(name) : null;
  if (name === undefined) problems.missing('name');
  else if (parsed === null) problems.add('name', 'must be a string');
  else if (!parsed.ok) problems.add('name', parsed.message);
  if (region !== undefined && !REGIONS.includes(region as string))
    problems.add('region', `must be one of ${REGIONS.join(', ')}`);
  problems.throwIfAny();
  if (!parsed?.ok) throw new Error('A domain was refused without a reason.');
  return parsed.domain;
}

function domainItem(domain: Presented) {
  return {
    id: domain.id,
    name: domain.domain,
    status: statusOf(domain),
    created_at: domain.created_at,
    region: REGIONS[0],
    capabilities: { sending: 'enabled', receiving: 'disabled' },
  };
}

function domainView(domain: Presented) {
  const own = domain.checks.filter(({ record }) => record === 'dkim' || record === 'spf');
  return {
    ...domainItem(domain),
    ...trackingView(domain.tracking),
    records: own.map((check) => recordView(check, domain.domain)),
  };
}

/** Only the domain's own settings. */
function trackingView({ track_opens, track_clicks }: Presented['tracking']) {
  return {
    ...(track_opens !== null && { open_tracking: track_opens }),
    ...(track_clicks !== null && { click_tracking: track_clicks !== 'off' }),
  };
}

/** `failed`: the domain's records are no longer checked automatically. */
function statusOf({ is_verified, last_checked_at, next_check_at }: Presented): string {
  if (is_verified) return 'verified';
  if (last_checked_at === null) return 'not_started';
  return next_check_at === null ? 'failed' : 'pending';
}

const RECORD_STATUS = {
  pass: 'verified',
  warn: 'verified',
  fail: 'failed',
  unknown: 'temporary_failure',
  pending: 'not_started',
} as const;

/** Names are relative to the domain, as in Resend. */
function recordView({ record, type, name, expected, status }: Presented['checks'][number], domain: string) {
  return {
    record: record === 'dkim' ? 'DKIM' : 'SPF',
    name: name === domain ? '@' : name.slice(0, -domain.length - 1),
    type,
    value: expected,
    ttl: 'Auto',
    status: RECORD_STATUS[status],
  };
}
