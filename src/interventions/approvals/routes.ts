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
    id: Type.String({ description: 'Id of the email, a UUID.' }),
    state: stringEnum(APPROVAL_STATES, {
      description:
        'State of the approval. `withdrawn`: the email was cancelled, erased or withdrawn before anyone decided.',
      examples: ['waiting'],
    }),
    api_key_id: Type.String({
      description: 'Id of the API key that the email was sent with. Starts with `key_`.',
    }),
    api_key_name: nullable(Type.String({ examples: ['Support agent'] })),
    subject: Type.String({ examples: ['Your receipt'] }),
    from: mailbox,
    to: Type.Array(mailbox),
    cc: Type.Array(mailbox),
    bcc: Type.Array(mailbox),
    reply_to: nullable(mailbox),
    reply_to_list: Type.Array(mailbox, {
      description: 'All addresses that replies go to. `reply_to` is the first of them.',
    }),
    receive_replies: Type.Boolean({
      description:
        'Whether this installation receives the replies. `reply_to` is then an address of the installation.',
    }),
    scheduled_at: nullable(timestamp()),
    expires_in: nullable(
      Type.Integer({
        description:
          'Number of seconds after which Postrider stops trying to deliver the email. Null means one day.',
      }),
    ),
    priority: stringEnum(PRIORITIES),
    stream: Type.String({
      description: 'Stream of the email. `transactional` if the send did not name one.',
      examples: ['transactional'],
    }),
    track_opens: Type.Boolean({ description: 'Whether a pixel that records opens is added to the html.' }),
    track_clicks: stringEnum(CLICK_TRACKING, {
      description:
        'Which links are replaced by tracked links. `GET /approvals/{id}/message` lists these links.',
    }),
    unsubscribe: Type.Boolean({ description: 'Whether the email gets `List-Unsubscribe` headers.' }),
    unsubscribe_group: nullable(
      Type.String({
        description:
          'Group of the email. An unsubscription from the group stops the email. Null if the email has no group.',
      }),
    ),
    require_tls: Type.Boolean({
      description: 'Whether the email is sent only over TLS to verified servers that support REQUIRETLS.',
    }),
    tags: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
    metadata: anyObject({ description: 'The sender’s own data. It is not sent to recipients.' }),
    template_id: nullable(
      Type.String({
        description: 'Id of the template. Starts with `tmpl_`. Null if the email has no template.',
      }),
    ),
    locale: nullable(
      Type.String({
        description:
          'Language of the translation of the template, such as `pt-BR`. Null for the template itself.',
      }),
    ),
    template_version: nullable(
      Type.Integer({
        description:
          'Version of the template that is sent, even if the template has changed since. Null if the email has no template.',
      }),
    ),
    requested_at: timestamp(),
    expires_at: timestamp({
      description: `Time at which an undecided email is rejected automatically, ${APPROVAL_DAYS} days after \`requested_at\`.`,
    }),
    decided_at: nullable(timestamp()),
    decided_by: nullable(
      Type.String({
        description:
          'Id of the user who approved or rejected the email. Starts with `usr_`. Null if no user has decided.',
      }),
    ),
    decided_by_name: nullable(
      Type.String({
        description:
          'Email address of the user who approved or rejected the email. Null if no user has decided.',
        examples: ['ann@acme.example'],
      }),
    ),
    reason: nullable(
      Type.String({
        description: 'Reason of the rejection. Null if the email was not rejected.',
        examples: ['Wrong price'],
      }),
    ),
  },
  { $id: 'Approval' },
);

const approvalsQuery = strictObject({
  ...pageFields,
  state: stringEnum(['waiting', 'decided'], {
    default: 'waiting',
    description:
      '`waiting`: emails that wait for approval, oldest first. `decided`: emails that were decided, newest first.',
  }),
});

const rejectBody = strictObject({
  reason: Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: '\\S',
    description: 'Why the email must not be sent. The reason is stored with the approval.',
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
    summary: 'List emails that wait for approval, or that were decided',
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
    summary: 'Get an approval',
    description:
      'Returns the addresses, options and state of the email. `GET /approvals/{id}/message` returns the complete message, which is what an approval sends.',
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
    summary: 'Approve an email and send it',
    description:
      'The email is sent now, or at the time that it is scheduled for. Only signed-in members can approve; API keys cannot.',
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
    summary: 'Reject an email so that it is never sent',
    description:
      'The recipients end as `failed`, with a `rejected` event of reason `approval_rejected`. Only signed-in members can reject.',
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
