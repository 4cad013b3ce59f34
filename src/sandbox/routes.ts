/**
 * The sandbox inbox over HTTP. In live mode these routes are not registered. A key needs full scope, because
 * the content (sign-in links, receipts) is more than a sending key may see.
 */
import type { FastifyReply } from 'fastify';
import { findUser } from '../accounts/users/store.ts';
import type { Sql } from '../database/sql.ts';
import { domainParams } from '../domains/schema.ts';
import type { ApiRoutes } from '../http/api-routes.ts';
import { dataOf, deletedSchema, pageOf } from '../http/envelope.ts';
import { LongTexts } from '../http/long-texts.ts';
import { paginated } from '../http/pagination.ts';
import type { Principal } from '../http/principal.ts';
import { asFile, rawMessageResponse } from '../http/raw-message.ts';
import type { LinkChecks } from '../message-checks/check-links.ts';
import { checkedLinks, checkedLinkView, checksSchema, checksView } from '../message-checks/schema.ts';
import type { SandboxNames } from './authentication.ts';
import type { RecipientActions } from './recipient-actions.ts';
import {
  actedSchema,
  actionBody,
  deletedMessagesSchema,
  inboxQuery,
  itemSchema,
  markBody,
  markedSchema,
  messageParams,
  messageSchema,
  type SandboxMessage,
  sampleReportsSchema,
} from './schema.ts';
import { InboxSearch } from './search.ts';
import {
  actOn,
  checkLinksOf,
  checkOne,
  deleteOne,
  emptyInbox,
  listInbox,
  markAll,
  markOne,
  type ReadMessage,
  readMessage,
  readRaw,
} from './service.ts';
import type { SandboxReader } from './store.ts';

const tags = ['Sandbox'];
const config = { confidential: true };

const list = {
  tags,
  summary: 'List captured messages, newest first',
  querystring: inboxQuery,
  response: { 200: pageOf(itemSchema) },
};

const read = {
  tags,
  summary: 'Get a captured message, parsed',
  params: messageParams,
  response: { 200: dataOf(messageSchema) },
};

const raw = {
  tags,
  summary: 'Get the source of a captured message',
  params: messageParams,
  response: {
    200: rawMessageResponse,
  },
};

const empty = {
  tags,
  summary: 'Delete all captured messages of the organization',
  response: { 200: dataOf(deletedMessagesSchema) },
};

const remove = {
  tags,
  summary: 'Delete a captured message',
  params: messageParams,
  response: { 200: dataOf(deletedSchema) },
};

const mark = {
  tags,
  summary: 'Mark a captured message as read or unread',
  params: messageParams,
  body: markBody,
  response: { 200: dataOf(markBody) },
};

const markEvery = {
  tags,
  summary: 'Mark all captured messages as read or unread',
  body: markBody,
  response: { 200: dataOf(markedSchema) },
};

const checks = {
  tags,
  summary: 'Check a captured message',
  description:
    'Checks the html against the features of mail clients, the links, the size, and the content for problems with spam filters. No link is requested.',
  params: messageParams,
  response: { 200: dataOf(checksSchema) },
};

const links = {
  tags,
  summary: 'Check the links of a captured message',
  description:
    'Sends HEAD requests from this server, to public addresses only: eight at a time, each for up to 5 seconds. An organization can check one message at a time: ten in a row, then one every 30 seconds.',
  params: messageParams,
  response: { 200: dataOf(checkedLinks) },
};

const act = {
  tags,
  summary: 'Simulate an action of the recipient of a captured message',
  description:
    'The action uses the same endpoints as a real recipient: HTTP at the public address, or mail to the inbound server. Its effects (an event, a suppression, a webhook) are the same as in live mode. Opens and clicks wait until the message is two seconds old, because an earlier request counts as a machine.',
  params: messageParams,
  body: actionBody,
  response: { 200: dataOf(actedSchema) },
};

const sample = {
  tags,
  summary: 'Send sample DMARC and TLS reports about a domain',
  description:
    'Sends reports by mail to the addresses in the DNS records of the domain, as receivers do: one DMARC report for each day of the last week, and one TLS report. The reports of a day are counted once, however often they arrive.',
  params: domainParams,
  response: { 202: dataOf(sampleReportsSchema) },
};

type App = Parameters<ApiRoutes>[0];

interface SandboxDeps {
  readonly db: Sql;
  readonly names: SandboxNames;
  readonly linkChecks: LinkChecks;
  readonly actions: RecipientActions;
  readonly sendSamples: (organizationId: string, domainId: string) => Promise<number>;
}

export function sandboxRoutes({ db, names, linkChecks, actions, sendSamples }: SandboxDeps): ApiRoutes {
  return async (app) => {
    routeReading(app, db, names);
    routeChecks(app, db, linkChecks);
    routeChanging(app, db);
    app.post(
      '/sandbox/messages/:id/actions',
      { config: { errors: ['NOT_FOUND', 'CONFLICT'] }, schema: act },
      async ({ principal, params, body }) => {
        const reader = await readerOf(db, principal);
        const { leadsTo } = await actOn(db, reader, params.id, body, actions);
        return { data: { action: body.action, leads_to: leadsTo } };
      },
    );
    app.post(
      '/sandbox/domains/:id/reports',
      { config: { errors: ['NOT_FOUND', 'CONFLICT'] }, schema: sample },
      async ({ principal, params }, reply) => {
        const sent = await sendSamples(principal.organizationId, params.id);
        return reply.code(202).send({ data: { sent } });
      },
    );
  };
}

function routeChecks(app: App, db: Sql, linkChecks: LinkChecks): void {
  app.get('/sandbox/messages/:id/checks', { config, schema: checks }, async ({ principal, params }) => {
    return { data: checksView(await checkOne(db, await readerOf(db, principal), params.id)) };
  });

  app.post('/sandbox/messages/:id/links/check', { schema: links }, async ({ principal, params }) => {
    const checked = await checkLinksOf(db, await readerOf(db, principal), params.id, linkChecks);
    return { data: checked.map(checkedLinkView) };
  });
}

function routeChanging(app: App, db: Sql): void {
  app.patch('/sandbox/messages/:id', { schema: mark }, async ({ principal, params, body }) => {
    await markOne(db, await readerOf(db, principal), params.id, body.is_read);
    return { data: body };
  });

  app.patch('/sandbox/messages', { schema: markEvery }, async ({ principal, body }) => ({
    data: await markAll(db, await readerOf(db, principal), body.is_read),
  }));

  app.delete(
    '/sandbox/messages/:id',
    { config: { audit: { action: 'sandbox.message_deleted' } }, schema: remove },
    async ({ principal, params: { id } }) => {
      await deleteOne(db, await readerOf(db, principal), id);
      return { data: { id, deleted: true } };
    },
  );

  app.delete(
    '/sandbox/messages',
    { config: { audit: { action: 'sandbox.emptied' } }, schema: empty },
    async ({ principal }) => ({
      data: await emptyInbox(db, await readerOf(db, principal)),
    }),
  );
}

function routeReading(app: App, db: Sql, names: SandboxNames): void {
  const search = new InboxSearch(db);
  app.get('/sandbox/messages', { schema: list }, async ({ principal, query }) => {
    const { items, total } = await listInbox(db, await readerOf(db, principal), query, search);
    return paginated(items, { ...query, total });
  });

  app.get('/sandbox/messages/:id', { config, schema: read }, async ({ principal, params }, reply) => {
    return messageAnswer(reply, await readMessage(db, await readerOf(db, principal), params.id, names));
  });

  app.get('/sandbox/messages/:id/raw', { config, schema: raw }, async ({ principal, params }, reply) => {
    return asFile(reply, params.id, await readRaw(db, await readerOf(db, principal), params.id));
  });
}

/** The response can contain texts and files of megabytes. */
export function messageAnswer(reply: FastifyReply, message: ReadMessage): { data: SandboxMessage } {
  const texts = new LongTexts();
  const { html, text, attachments } = message;
  const data: SandboxMessage = {
    ...message,
    html: html === null ? null : texts.put(html),
    text: text === null ? null : texts.put(text),
    attachments: attachments.map((file) => ({ ...file, content: texts.put(file.content) })),
  };
  return texts.answer(reply, { data });
}

/** Users are stored in another database than mail, so their address is looked up first. */
async function readerOf(db: Sql, { organizationId, session }: Principal): Promise<SandboxReader> {
  const user = session && (await findUser(db, session.userId));
  return { organizationId, address: user?.email ?? null, isOwner: session?.role === 'owner' };
}
