/** `DELETE /api-keys/:id`: ends a key, and where that is wanted what it had queued. */
import { Type } from 'typebox';
import { MAIL_OF_REVOKED, type MailOfRevoked, revokeWithMail } from '../../holds/mail-of-key.ts';
import { holdActorOf } from '../../holds/routes.ts';
import { placedHold } from '../../holds/schema.ts';
import type { HoldDeps } from '../../holds/service.ts';
import { placedHoldView } from '../../holds/view.ts';
import type { ApiRoutes } from '../../kit/http/api-routes.ts';
import { addDetails, nameTarget } from '../../kit/http/audit.ts';
import { dataOf, deletedSchema } from '../../kit/http/envelope.ts';
import { ApiError } from '../../kit/http/errors.ts';
import type { Principal } from '../../kit/http/principal.ts';
import { nullable, strictObject, stringEnum } from '../../kit/schema.ts';
import type { ApiKeyDeps } from './routes.ts';
import { revokeApiKey } from './service.ts';
import { findKey } from './store.ts';

const query = strictObject({
  mail: stringEnum(MAIL_OF_REVOKED, {
    default: 'leave',
    description:
      'What becomes of the mail that the key has queued and scheduled. `leave`: what is queued is sent, and what is due later than now fails as `key_revoked`. `hold`: nothing of it is sent until the hold of scope `key` is released or discarded. `withdraw`: it is never sent; every recipient ends as `failed`. The answer then takes more than a second.',
  }),
});

const revoked = Type.Object({
  ...deletedSchema.properties,
  hold: nullable(
    Type.Object(placedHold.properties, {
      description: 'The hold on its mail, with how much of it there was; null with `mail=leave`.',
    }),
  ),
});

const revoke = {
  tags: ['API keys'],
  summary: 'Revoke an API key; it stops working within a second',
  description: 'A key that was revoked before may be named again, to hold or withdraw its mail.',
  params: Type.Object({ id: Type.String() }),
  querystring: query,
  response: { 200: dataOf(revoked) },
};

export function keyRevocationRoutes(deps: ApiKeyDeps & HoldDeps): ApiRoutes {
  const { db, clock } = deps;
  return async (app) => {
    app.delete(
      '/api-keys/:id',
      {
        config: { tied: true, errors: ['NOT_FOUND', 'CONFLICT'], audit: { action: 'api_key.revoked' } },
        schema: revoke,
      },
      async (request) => {
        const { principal, params, query } = request;
        checkMayHold(principal, query.mail);
        const key = await findKey(db, principal, params.id);
        if (key === undefined) throw new ApiError('NOT_FOUND');
        const { id, name, organization_id: organizationId } = key;
        nameTarget(request, name);
        const placed = await revokeWithMail(
          deps,
          holdActorOf(principal),
          { id, name, organizationId },
          { mail: query.mail, revoke: () => revokeApiKey(db, clock, id, principal) },
        );
        if (placed !== null) addDetails(request, { mail: query.mail, hold_id: placed.hold.id });
        return { data: { id, deleted: true as const, hold: placed && placedHoldView(placed) } };
      },
    );
  };
}

/** A hold is the whole organization's, whatever the key is tied to. */
function checkMayHold({ domain }: Principal, mail: MailOfRevoked): void {
  if (mail === 'leave' || domain === null) return;
  const message = `This API key is tied to ${domain}, so it can revoke keys, and cannot hold or withdraw their mail.`;
  throw new ApiError('FORBIDDEN', [], message);
}
