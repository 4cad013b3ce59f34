/** `/approvals`: mail of keys whose policy requires approval. Only users decide; keys have read access. */
import { Type } from 'typebox';
import { actorNames } from '../../accounts/actor-name.ts';
import type { Reads } from '../../database/reads.ts';
import { CLICK_TRACKING, repliesOf } from '../../emails/email.ts';
import { TRANSACTIONAL } from '../../emails/stream.ts';
import type { ApiRoutes, App } from '../../http/api-routes.ts';
import { nameTarget } from '../../http/audit.ts';
import { dataOf, pageOf } from '../../http/envelope.ts';
import { ApiError } from '../../http/errors.ts';
import { pageFields, paginated } from '../../http/pagination.ts';
import type { Principal } from '../../http/principal.ts';
import { anyObject, nullable, strictObject, stringEnum, timestamp } from '../../http/schema.ts';
import { PRIORITIES } from '../../outbox/states.ts';
import { APPROVAL_DAYS, APPROVAL_STATES } from './approval.ts';
import { type ApprovalDeps, type Approver, approve, readApproval, reject } from './service.ts';
import { type ApprovalRow, pageOfApprovals } from './store.ts';

const mailbox = Type.Object({
  email: Type.String({ examples: ['ada@example.org'] }),
  name: nullable(Type.String({ examples: ['Ada'] })),
});

/** The request and response schemas of approvals. */
const approvalItem = Type.Object(
  {
    id: Type.String({ description: 'The email’s.' }),
    state: stringEnum(APPROVAL_STATES, {
      description: '`withdrawn`: it was cancelled, erased or taken back before anybody decided.',
      examples: ['waiting'],
    }),
    api_key_id: Type.String({ description: 'The key it was sent with. Starts with `key_`.' }),
    api_key_name: nullable(Type.String({ examples: ['Support agent'] })),
    subject: Type.String({ examples: ['Your receipt'] }),
    from: mailbox,
    to: Type.Array(mailbox),
    cc: Type.Array(mailbox),
    bcc: Type.Array(mailbox),
    reply_to: nullable(mailbox),
    reply_to_list: Type.Array(mailbox, {
      description: 'Everybody who gets the answers; `reply_to` is the first of them.',
    }),
    receive_replies: Type.Boolean({
      description: 'Answers are received by this installation: `reply_to` is an address of its own.',
    }),
    scheduled_at: nullable(timestamp()),
    expires_in: nullable(Type.Integer({ description: 'Seconds until delivery is given up; null: a day.' })),
    priority: stringEnum(PRIORITIES),
    stream: Type.String({ description: '`transactional` where it named none.', examples: ['transactional'] }),
    track_opens: Type.Boolean({ description: 'A pixel is added to its html.' }),
    track_clicks: stringEnum(CLICK_TRACKING, {
      description: 'Which links are replaced by tracked ones; `GET /approvals/{id}/message` has them.',
    }),
    unsubscribe: Type.Boolean({ description: 'It gets `List-Unsubscribe` headers.' }),
    unsubscribe_group: nullable(
      Type.String({ description: 'What its recipients can unsubscribe from; null where they cannot.' }),
    ),
    require_tls: Type.Boolean({ description: 'Whether it is sent only as `require_tls` demands.' }),
    tags: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
    metadata: anyObject({ description: 'Of the sender; it does not leave with the message.' }),
    template_id: nullable(Type.String({ description: 'Starts with `tmpl_`.' })),
    locale: nullable(
      Type.String({ description: 'The translation of the template; null for the template itself.' }),
    ),
    template_version: nullable(
      Type.Integer({ description: 'What is sent is this version, however the template is changed since.' }),
    ),
    requested_at: timestamp(),
    expires_at: timestamp({
      description: `${APPROVAL_DAYS} days later: an undecided email is then rejected automatically.`,
    }),
    decided_at: nullable(timestamp()),
    decided_by: nullable(Type.String({ description: 'The user who decided. Starts with `usr_`.' })),
    decided_by_name: nullable(Type.String({ description: 'Their address.', examples: ['ann@acme.example'] })),
    reason: nullable(Type.String({ description: 'Why it was rejected.', examples: ['Wrong price'] })),
  },
  { $id: 'Approval' },
);

const approvalsQuery = strictObject({
  ...pageFields,
  state: stringEnum(['waiting', 'decided'], {
    default: 'waiting',
    description: '`waiting`: the oldest first. `decided`: the newest first.',
  }),
});

const rejectBody = strictObject({
  reason: Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: '\\S',
    description: 'Why it must not be sent. It is kept with the approval.',
    examples: ['Wrong price in the offer'],
  }),
});

const tags = ['Approvals'];
const params = Type.Object({ id: Type.String() });
interface ApprovalRouteDeps extends ApprovalDeps {
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
    summary: 'List mail that waits for approval, or that was decided',
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

/** `names`: the names of users and keys. */
function approvalView(row: ApprovalRow, names: ReadonlyMap<string, string>) {
  const {
    from_email,
    from_name,
    addresses,
    tags: _tags,
    metadata: _metadata,
    priority: _rank,
    ...rest
  } = row;
  const { to, cc, bcc, reply_to } = addresses;
  return {
    ...rest,
    ...optionsView(row),
    api_key_name: names.get(row.api_key_id) ?? null,
    decided_by_name: row.decided_by === null ? null : (names.get(row.decided_by) ?? null),
    from: { email: from_email, name: from_name },
    ...{ to: [...to], cc: [...cc], bcc: [...bcc], reply_to, reply_to_list: [...repliesOf(addresses)] },
  };
}

function optionsView({ options, tags, stream, metadata, priority }: ApprovalRow) {
  return {
    receive_replies: options.receive_replies === true,
    track_clicks: options.track_clicks ?? ('off' as const),
    require_tls: options.tls === 'required',
    locale: options.locale ?? null,
    stream: stream ?? TRANSACTIONAL,
    tags: [...(tags ?? [])],
    metadata: { ...metadata },
    priority: PRIORITIES[priority] as (typeof PRIORITIES)[number],
  };
}

/** The users and keys whose names these rows show. */
function actorsIn(rows: readonly ApprovalRow[]): string[] {
  return rows.flatMap((row) => [row.api_key_id, ...(row.decided_by === null ? [] : [row.decided_by])]);
}
