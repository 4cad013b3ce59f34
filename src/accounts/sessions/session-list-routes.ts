/** `/auth/sessions`: lists the user's sessions and ends individual ones. */
import { Type } from 'typebox';
import type { ApiRoutes } from '../../http/api-routes.ts';
import { dataOf, deletedSchema } from '../../http/envelope.ts';
import { ApiError } from '../../http/errors.ts';
import { nullable, timestamp } from '../../http/schema.ts';
import { type AccountRoutesDeps, sessionOf } from './routes.ts';
import { endSession, type ListedSession, sessionsOf } from './store.ts';

const tags = ['Accounts'];

const sessionSchema = Type.Object(
  {
    id: Type.String({ description: 'Id of the session. Starts with `ses_`.' }),
    current: Type.Boolean({ description: 'Whether this is the session of the request.' }),
    created_at: timestamp({ description: 'Time of the sign-in.' }),
    last_seen_at: timestamp({
      description: 'Time of the last request in the session, accurate to five minutes.',
    }),
    expires_at: timestamp({ description: 'Time at which the session ends if it is not used before then.' }),
    address: nullable(Type.String({ description: 'IP address that the user signed in from.' })),
    user_agent: nullable(Type.String({ description: 'User agent of the browser that was used to sign in.' })),
  },
  { $id: 'Session' },
);

export function sessionListRoutes({ db, clock, gate }: AccountRoutesDeps): ApiRoutes {
  return async (app) => {
    app.get(
      '/auth/sessions',
      {
        config: { access: 'self' },
        schema: {
          tags,
          summary: 'List your sessions, most recently used first',
          response: { 200: dataOf(Type.Array(sessionSchema)) },
        },
      },
      async ({ principal }) => {
        const { userId, hash } = sessionOf(principal);
        const rows = await sessionsOf(db, userId, new Date(clock.nowMs()));
        return { data: rows.map((row) => view(row, hash)) };
      },
    );

    app.delete(
      '/auth/sessions/:id',
      {
        config: { access: 'self', errors: ['NOT_FOUND'], audit: { action: 'session.ended_elsewhere' } },
        schema: {
          tags,
          summary: 'End one of your sessions',
          params: Type.Object({ id: Type.String() }),
          response: { 200: dataOf(deletedSchema) },
        },
      },
      async ({ principal, params }) => {
        const ended = await endSession(db, sessionOf(principal).userId, params.id);
        if (!ended) throw new ApiError('NOT_FOUND');
        gate.forgetAll();
        return { data: { id: params.id, deleted: true } };
      },
    );
  };
}

function view(
  { id, hash, created_at, last_seen_at, expires_at, address, user_agent }: ListedSession,
  own: Buffer,
) {
  return { id, current: hash.equals(own), created_at, last_seen_at, expires_at, address, user_agent };
}
