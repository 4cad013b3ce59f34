/** `POST /organizations`: an owner creates another organization, if the operator allows it. */
import { Type } from 'typebox';
import type { Database } from '../../database/database.ts';
import type { ApiRoutes } from '../../http/api-routes.ts';
import { dataOf } from '../../http/envelope.ts';
import { ApiError } from '../../http/errors.ts';
import { strictObject } from '../../http/schema.ts';
import { organizationName } from '../../organizations/name-schema.ts';
import { createOrganization } from '../../organizations/service.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Config } from '../../runtime/config.ts';
import { sessionOf } from '../sessions/routes.ts';
import { role } from '../sessions/schema.ts';
import { insertMembership } from './store.ts';

const membershipSchema = Type.Object({ id: Type.String(), name: Type.String(), role }, { $id: 'Membership' });

interface NewOrganizationDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly config: Pick<Config, 'dailyLimit' | 'ownersCreateOrganizations'>;
}

/**
 * Each organization has its own sending limit, so an owner who could create organizations freely would have no limit.
 */
const OF_THE_OPERATOR =
  'Only the operator of this installation can create organizations: npx postrider org create NAME --owner EMAIL.';

export function newOrganizationRoutes({ db, clock, config }: NewOrganizationDeps): ApiRoutes {
  return async (app) => {
    app.post(
      '/organizations',
      {
        config: { access: 'owner', audit: { action: 'organization.created' } },
        schema: {
          tags: ['Organization'],
          summary: 'Create another organization with you as its owner',
          description: 'Works only if the operator allows owners to create organizations.',
          body: strictObject({ name: organizationName('Acme') }, { $id: 'CreateOrganization' }),
          response: { 201: dataOf(membershipSchema) },
        },
      },
      async ({ principal, body }, reply) => {
        if (!config.ownersCreateOrganizations) throw new ApiError('FORBIDDEN', [], OF_THE_OPERATOR);
        const { userId } = sessionOf(principal);
        const data = await db.transaction(async (tx) => {
          const given = { name: body.name.trim(), dailyLimit: config.dailyLimit };
          const made = await createOrganization(tx, clock, given);
          const owner = {
            organizationId: made.id,
            userId,
            role: 'owner' as const,
            joinedAt: made.created_at,
          };
          await insertMembership(tx, owner);
          return { id: made.id, name: made.name, role: owner.role };
        });
        return reply.code(201).send({ data });
      },
    );
  };
}
