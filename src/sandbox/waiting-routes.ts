/** `GET /sandbox/messages/latest` returns the newest matching message, and waits for one if needed. */
import { type Static, Type } from 'typebox';
import type { Sql } from '../database/sql.ts';
import type { ApiRoutes } from '../http/api-routes.ts';
import { dataOf } from '../http/envelope.ts';
import { momentField, momentMs } from '../http/fields.ts';
import { nullable, strictObject } from '../http/schema.ts';
import { SECOND_MS } from '../runtime/durations.ts';
import { uuidv7Floor } from '../runtime/ids.ts';
import type { SandboxNames } from './authentication.ts';
import type { InboxWaits } from './inbox-waits.ts';
import { messageAnswer } from './routes.ts';
import { capturedTo, messageSchema } from './schema.ts';
import { asDelivered, readMessage } from './service.ts';

/** Shorter than the response timeout of proxies. */
const LONGEST_WAIT_SECONDS = 30;

const latestQuery = strictObject({
  to: capturedTo,
  subject: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: 'Only messages with this text in the subject. Case is ignored.',
    }),
  ),
  since: Type.Optional(momentField({ description: 'Only messages that arrived at this time or later.' })),
  wait: Type.Optional(
    Type.Integer({
      ...{ minimum: 0, maximum: LONGEST_WAIT_SECONDS, default: 0 },
      description: 'Maximum number of seconds to wait for a message.',
    }),
  ),
});
type LatestQuery = Static<typeof latestQuery>;

const latest = {
  tags: ['Sandbox'],
  summary: 'Get the newest captured message that matches, or wait for one',
  description:
    'Responds at once if a message matches, otherwise as soon as one arrives. If none arrives in time, `data` is null and you can repeat the request.',
  querystring: latestQuery,
  response: { 200: dataOf(nullable(messageSchema)) },
};

interface WaitingDeps {
  readonly db: Sql;
  readonly names: SandboxNames;
  readonly waits: InboxWaits;
}

export function waitingRoutes({ db, names, waits }: WaitingDeps): ApiRoutes {
  return async (app) => {
    app.addHook('preClose', () => waits.stop());
    app.get(
      '/sandbox/messages/latest',
      { config: { confidential: true }, schema: latest },
      async ({ principal, query }, reply) => {
        const { organizationId } = principal;
        const left = new AbortController();
        reply.raw.once('close', () => left.abort());
        const waitMs = (query.wait ?? 0) * SECOND_MS;
        const id = await waits.first(wantedOf(organizationId, query), { waitMs, signal: left.signal });
        // Waits only for mail of the organization, for keys and users alike.
        const reader = { organizationId, address: null, isOwner: false };
        if (id === null) return { data: null };
        return messageAnswer(reply, await readMessage(db, reader, id, names));
      },
    );
  };
}

function wantedOf(organizationId: string, { to, subject, since }: LatestQuery) {
  return {
    organizationId,
    to: to === undefined ? null : asDelivered(to),
    subject: subject ?? null,
    floor: uuidv7Floor(since === undefined ? 0 : momentMs(since)),
  };
}
