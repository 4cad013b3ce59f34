/** `/approvals`: mail of keys whose policy requires approval. Only users decide; keys have read access. */
import { Type } from 'typebox';
import { actorNames } from '../../accounts/actor-name.ts';
import type { Reads } from '../../database/reads.ts';
import type { ApiRoutes } from '../../http/api-routes.ts';
import { nameTarget } from '../../http/audit.ts';
import { dataOf, pageOf } from '../../http/envelope.ts';
import { ApiError } from '../../http/errors.ts';
import { paginated } from '../../http/pagination.ts';
import type { Principal } from '../../http/principal.ts';
import { approvalItem, approvalsQuery, rejectBody } from './schema.ts';
import { type ApprovalDeps, type Approver, approve, readApproval, reject } from './service.ts';
import { type ApprovalRow, pageOfApprovals } from './store.ts';
import { actorsIn, approvalView } from './view.ts';

const tags = ['Approvals'];
const params = Type.Object({ id: Type.String() });
type App = Parameters<ApiRoutes>[0];

export interface ApprovalRouteDeps extends ApprovalDeps {
  readonly reads: Reads;
  /** Notifies the workers of new work. */
  readonly wake: () => void;
}

export function approvalRoutes(deps: ApprovalRouteDeps): ApiRoutes {
  return async (app) => {
    routeReading(app, deps);
    routeApproving(app, deps);
    routeRejecting(app, deps);
  };
}

function routeReading(app: App, deps: ApprovalRouteDeps): void {
  const list = {
    tags,
    summary: 'List mail that waits for approval, or about which was decided',
    querystring: approvalsQuery,
    response: { 200: pageOf(approvalItem) },
  };
  app.get('/approvals', { schema: list }, async ({ principal: { organizationId }, query }) => {
    const { page, limit, state } = query;
    const offset = (page - 1) * limit;
    const db = deps.reads.of(organizationId);
    const { rows, total } = await pageOfApprovals(db, organizationId, state, { limit, offset });
    const names = await actorNames(deps.db, actorsIn(rows));
    return paginated(
      rows.map((row) => approvalView(row, names)),
      { page, limit, total },
    );
  });
  const read = {
    tags,
    summary: 'Read whether an email was approved, and by whom',
    description:
      'What it says is its message: `GET /approvals/{id}/message` has everything that leaves. Exactly that is sent.',
    params,
    response: { 200: dataOf(approvalItem) },
  };
  app.get(
    '/approvals/:id',
    { config: { errors: ['NOT_FOUND'] }, schema: read },
    async ({ principal, params: { id } }) => ({
      data: await shown(deps, await readApproval(deps.db, principal.organizationId, id)),
    }),
  );
}

function routeApproving(app: App, deps: ApprovalRouteDeps): void {
  const schema = {
    tags,
    summary: 'Approve an email: it is sent',
    description: 'At the time it was scheduled for, or now. For signed-in members; no API key can do it.',
    params,
    response: { 200: dataOf(approvalItem) },
  };
  app.post(
    '/approvals/:id/approve',
    {
      config: {
        access: 'member',
        errors: ['NOT_FOUND', 'CONFLICT'],
        audit: { action: 'approval.approved' },
      },
      schema,
    },
    async (request) => {
      const approved = await approve(deps, approverOf(request.principal), request.params.id);
      deps.wake();
      nameTarget(request, approved.subject);
      return { data: await shown(deps, approved) };
    },
  );
}

function routeRejecting(app: App, deps: ApprovalRouteDeps): void {
  const schema = {
    tags,
    summary: 'Reject an email: it is never sent',
    description:
      'Its recipients end as `failed`, with a `rejected` event of reason `approval_rejected`. For signed-in members.',
    params,
    body: rejectBody,
    response: { 200: dataOf(approvalItem) },
  };
  app.post(
    '/approvals/:id/reject',
    {
      config: {
        access: 'member',
        errors: ['NOT_FOUND', 'CONFLICT'],
        audit: { action: 'approval.rejected', show: ['reason'] },
      },
      schema,
    },
    async (request) => {
      const { principal, params, body } = request;
      const rejected = await reject(deps, approverOf(principal), params.id, body.reason);
      nameTarget(request, rejected.subject);
      return { data: await shown(deps, rejected) };
    },
  );
}

async function shown({ db }: ApprovalRouteDeps, row: ApprovalRow) {
  return approvalView(row, await actorNames(db, actorsIn([row])));
}

/** The route admits users only. */
function approverOf({ organizationId, session }: Principal): Approver {
  if (session === undefined) throw new ApiError('FORBIDDEN');
  return { organizationId, userId: session.userId };
}
