/**
 * The sandbox inbox over HTTP. Only in sandbox mode: in live mode these routes are not registered at all.
 * A key needs the full scope: what lies here (sign-in links, receipts) is more than a sending key may see.
 */
import { findUser } from '../accounts/users/store.ts';
import type { Sql } from '../kit/database/sql.ts';
import type { ApiRoutes } from '../kit/http/api-routes.ts';
import { dataOf, pageOf } from '../kit/http/envelope.ts';
import { paginated } from '../kit/http/pagination.ts';
import type { Principal } from '../kit/http/principal.ts';
import { asFile, rawMessage } from '../kit/http/raw-message.ts';
import type { SandboxNames } from './authentication.ts';
import { deletedMessagesSchema, inboxQuery, itemSchema, messageParams, messageSchema } from './schema.ts';
import { emptyInbox, listInbox, readMessage, readRaw } from './service.ts';
import type { SandboxReader } from './store.ts';

const tags = ['Sandbox'];

const list = {
  tags,
  summary: 'List captured messages, newest first',
  querystring: inboxQuery,
  response: { 200: pageOf(itemSchema) },
};

const read = {
  tags,
  summary: 'Read a captured message, parsed',
  params: messageParams,
  response: { 200: dataOf(messageSchema) },
};

const raw = {
  tags,
  summary: 'Read a captured message as it was sent',
  params: messageParams,
  response: { 200: { content: { 'text/plain': { schema: rawMessage } } } },
};

const empty = {
  tags,
  summary: 'Delete all captured messages of the organization',
  response: { 200: dataOf(deletedMessagesSchema) },
};

export function sandboxRoutes(db: Sql, names: SandboxNames): ApiRoutes {
  return async (app) => {
    app.get('/sandbox/messages', { schema: list }, async ({ principal, query }) => {
      const { items, total } = await listInbox(db, await readerOf(db, principal), query);
      return paginated(items, { ...query, total });
    });

    app.get('/sandbox/messages/:id', { schema: read }, async ({ principal, params }) => ({
      data: await readMessage(db, await readerOf(db, principal), params.id, names),
    }));

    app.get('/sandbox/messages/:id/raw', { schema: raw }, async ({ principal, params }, reply) => {
      return asFile(reply, params.id, await readRaw(db, await readerOf(db, principal), params.id));
    });

    app.delete(
      '/sandbox/messages',
      { config: { audit: { action: 'sandbox.emptied' } }, schema: empty },
      async ({ principal }) => ({
        data: await emptyInbox(db, await readerOf(db, principal)),
      }),
    );
  };
}

/** People are not in the same database as mail, so their address is asked for first. */
async function readerOf(db: Sql, { organizationId, session }: Principal): Promise<SandboxReader> {
  const user = session && (await findUser(db, session.userId));
  return { organizationId, address: user?.email ?? null, isOwner: session?.role === 'owner' };
}
