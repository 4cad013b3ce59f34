/** `DELETE /api-keys/:id`: revokes a key and, if requested, holds or withdraws its queued mail. */
import { Type } from 'typebox';
import type { ApiKeyDeps } from '../../accounts/api-keys/routes.ts';
import { revokeApiKey } from '../../accounts/api-keys/service.ts';
import { findKey } from '../../accounts/api-keys/store.ts';
import type { ApiRoutes } from '../../http/api-routes.ts';
import { addDetails, nameTarget } from '../../http/audit.ts';
import { dataOf, deletedSchema } from '../../http/envelope.ts';
import { ApiError } from '../../http/errors.ts';
import type { Principal } from '../../http/principal.ts';
import { nullable, strictObject, stringEnum } from '../../http/schema.ts';
import { MAIL_OF_REVOKED, type MailOfRevoked, revokeWithMail } from './mail-of-key.ts';
import { holdActorOf } from './routes.ts';
import { placedHold, placedHoldView } from './schema.ts';
import type { HoldDeps } from './service.ts';

const query = strictObject({
  mail: stringEnum(MAIL_OF_REVOKED, {
    default: 'leave',
    description:
      'What happens to mail of the key that is queued or scheduled. `leave`: queued mail is sent, and mail that is due later fails with `key_revoked`. `hold`: no mail of the key is sent until its hold (scope `key`) is released or discarded. `withdraw`: the mail is never sent and every recipient ends as `failed`; the response then takes more than a second. While a worker of an earlier release is running, as during an upgrade, the mail stays held (`state` is `in_force`): repeat the request after the upgrade.',
  }),
});

const revoked = Type.Object({
  ...deletedSchema.properties,
  hold: nullable(
    Type.Object(placedHold.properties, {
      description: 'Hold on the mail of the key, with the amount of mail. Null with `mail=leave`.',
    }),
  ),
});

const revoke = {
  tags: ['API keys'],
  summary: 'Revoke an API key',
  description:
    'The key stops working within a second. The request can be repeated for a revoked key, to hold or withdraw its mail.',
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

/** A hold belongs to the whole organization, so a key restricted to a domain cannot place one. */
function checkMayHold({ domain }: Principal, mail: MailOfRevoked): void {
  if (mail === 'leave' || domain === null) return;
  const message = `This API key is tied to ${domain}: it can revoke keys, and cannot hold or withdraw their mail. Use a key that is not tied to a domain.`;
  throw new ApiError('FORBIDDEN', [], message);
}
