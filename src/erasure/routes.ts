/** `/recipients/erase` and `/recipients/export`, for owners. */
import { Type } from 'typebox';
import type { Reads } from '../database/reads.ts';
import type { MovedContents } from '../emails/moved/moved-contents.ts';
import type { ApiRoutes } from '../http/api-routes.ts';
import { nameTarget } from '../http/audit.ts';
import { dataOf } from '../http/envelope.ts';
import { ApiError } from '../http/errors.ts';
import { anyObject, nullable, strictObject } from '../http/schema.ts';
import { addressToErase, type EraseDeps, eraseAddress } from './erase.ts';
import { exportAddress } from './export.ts';

const tags = ['Recipients'];
const rows = Type.Array(anyObject());
const body = strictObject(
  { email: Type.String({ examples: ['gone@example.org'] }) },
  { $id: 'RecipientAddress' },
);

const erased = Type.Object(
  {
    placeholder: Type.String({ description: 'Placeholder that replaces the address from now on.' }),
    emails: Type.Integer({ description: 'Number of emails that this request has erased.' }),
    waiting: Type.Integer({
      description: 'Number of emails that were skipped because they are being delivered now.',
    }),
    complete: Type.Boolean({
      description: 'Whether all data is erased. If false, repeat the request until it is true.',
    }),
  },
  { $id: 'Erasure' },
);

const exported = Type.Object(
  {
    email: Type.String(),
    truncated: Type.Boolean({
      description:
        'Whether data is missing because it does not fit into one response. `npx postrider export` prints everything.',
    }),
    emails: rows,
    events: rows,
    attempts: rows,
    suppression: nullable(anyObject()),
    unsubscriptions: Type.Array(anyObject(), {
      description: 'Unsubscriptions of the address from groups of mail.',
    }),
    full_mailbox: nullable(anyObject()),
    audit_log: rows,
    saved_views: Type.Array(anyObject(), {
      description: 'Saved views of members whose name or filters contain the address.',
    }),
    request_logs: Type.Array(anyObject(), { description: 'Refused requests that name the address.' }),
    sandbox_messages: rows,
    received: Type.Array(anyObject(), {
      description: 'Received mail from or to the address.',
    }),
  },
  { $id: 'RecipientExport' },
);

/** A user waits for the response. */
const ANSWER_WITHIN_MS = 15_000;
const MAX_AT_ONCE = 2;

interface ErasureDeps extends EraseDeps {
  readonly reads: Reads;
  readonly moved: MovedContents;
}

export function erasureRoutes(deps: ErasureDeps): ApiRoutes {
  const running = new RunningRequests();
  return async (app) => {
    app.post(
      '/recipients/erase',
      {
        config: { access: 'owner', audit: { action: 'recipient.erased' } },
        schema: {
          tags,
          summary: 'Erase the data about an address',
          description: 'The suppression of the address stays, as a keyed hash.',
          body,
          response: { 200: dataOf(erased) },
        },
      },
      async (request) => {
        const address = addressToErase(request.principal.organizationId, request.body.email);
        const untilMs = deps.nowMs() + ANSWER_WITHIN_MS;
        const erase = () => eraseAddress(deps, address, { untilMs });
        const { shownAs, ...result } = await running.alone(address.organizationId, erase);
        nameTarget(request, shownAs);
        return { data: { placeholder: shownAs, ...result } };
      },
    );

    app.post(
      '/recipients/export',
      {
        config: { access: 'owner', audit: { action: 'recipient.exported' } },
        schema: {
          tags,
          summary: 'Export the data about an address',
          body,
          response: { 200: dataOf(exported) },
        },
      },
      async (request) => {
        const address = addressToErase(request.principal.organizationId, request.body.email);
        await deps.erased.ensure(deps.nowMs());
        nameTarget(request, deps.erased.shownAs(address));
        const db = deps.reads.of(address.organizationId);
        return { data: (await exportAddress(db, deps.moved, address)) as never };
      },
    );
  };
}

/**
 * Each request occupies a connection for seconds. One per organization and a few in total may run, so that mail
 * continues.
 */
class RunningRequests {
  readonly #organizations = new Set<string>();

  async alone<T>(organizationId: string, work: () => Promise<T>): Promise<T> {
    if (this.#organizations.size >= MAX_AT_ONCE || this.#organizations.has(organizationId)) {
      const message = 'Another address is being erased. Try again when that is finished.';
      throw new ApiError('RATE_LIMITED', [], message, { retryAfterSeconds: 5 });
    }
    this.#organizations.add(organizationId);
    try {
      return await work();
    } finally {
      this.#organizations.delete(organizationId);
    }
  }
}
