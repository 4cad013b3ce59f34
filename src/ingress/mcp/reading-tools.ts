/** Tools for looking data up. */
import { Type } from 'typebox';
import { anyObject, stringEnum } from '../../http/schema.ts';
import { forFullKeys, forReaders, forReadersOfAllMail, type MailTool, mailTool } from './tool.ts';
import { answerOf, dataAnswer, textAnswer } from './tool-answer.ts';

const none = Type.Object({}, { additionalProperties: false });
const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: '10 if left out.' }));
const id = (description: string) => Type.String({ minLength: 1, maxLength: 200, description });
export const text = (description: string) => Type.Optional(Type.String({ maxLength: 320, description }));

interface Listed {
  readonly pagination?: { readonly total_count?: number };
}

const page = (data: readonly unknown[], { pagination }: Listed) =>
  dataAnswer(data, `${data.length} of ${pagination?.total_count ?? data.length}.`);

const MAIL: readonly MailTool[] = [
  mailTool({
    name: 'get_email',
    title: 'Look up an email',
    description:
      'The result of one email for each recipient: every attempt, the replies of servers, who can fix a problem, and how.',
    input: Type.Object({ id: id('The id of the email, a UUID.') }, { additionalProperties: false }),
    readOnly: true,
    isFor: () => true,
    run: async (api, given) => {
      const path = `/emails/${encodeURIComponent(given.id)}`;
      const read = await api('GET', path);
      const explained = await api('GET', `${path}/explain`);
      const explanation = explained.status < 300 ? (explained.body as { data: unknown }).data : undefined;
      return answerOf(read, (email: object) => dataAnswer({ ...email, explanation }));
    },
  }),
  mailTool({
    name: 'search_emails',
    title: 'Search emails',
    description:
      'Finds emails by words, recipient, sender, subject, status or time, the newest first. An agent’s key finds what it sent itself, unless its policy says otherwise: get_key has it (read).',
    input: Type.Object(
      {
        search: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 200,
            description:
              'Words that an email must all have, as in the search box of the dashboard: a part of six characters or more of a recipient or the subject, or the beginning of a word there, from three characters on; a whole tag, value of metadata, template or sender; the beginning of an id, from eight characters on.',
          }),
        ),
        to: text('A recipient, or all at a domain: @example.org.'),
        from: text('The sender, or all at a domain: @example.org.'),
        subject: text('Any part of the subject.'),
        status: text('queued, delivered, bounced, failed or opened.'),
        state: text(
          'held, awaiting_approval, scheduled, retrying, partly_delivered, withdrawn, superseded or complained.',
        ),
        from_date: text('Accepted at or after this, ISO 8601.'),
        to_date: text('Accepted at or before this, ISO 8601.'),
        limit,
      },
      { additionalProperties: false },
    ),
    readOnly: true,
    isFor: forReaders,
    run: async (api, { limit: most = 10, ...filters }) =>
      answerOf(
        await api('GET', '/emails', { query: { ...filters, limit: most, include: 'addresses' } }),
        page,
      ),
  }),
];

const AROUND: readonly MailTool[] = [
  mailTool({
    name: 'list_domains',
    title: 'List sending domains',
    description: 'The domains that mail can be sent from, and whether they are verified.',
    input: none,
    readOnly: true,
    isFor: forReaders,
    run: async (api) => answerOf(await api('GET', '/domains'), (data) => dataAnswer(data)),
  }),
  mailTool({
    name: 'get_stats',
    title: 'Get statistics',
    description: 'How much mail was accepted, delivered, bounced and opened over the last hours or days.',
    input: Type.Object(
      { range: Type.Optional(stringEnum(['24h', '7d', '30d'], { description: '24h if left out.' })) },
      { additionalProperties: false },
    ),
    readOnly: true,
    isFor: forReadersOfAllMail,
    run: async (api, { range }) =>
      answerOf(await api('GET', '/stats', { query: { range } }), (data) => dataAnswer(data)),
  }),
  mailTool({
    name: 'get_key',
    title: 'Get the rights of this key',
    description:
      'The scope and the policy of the API key that you use: whom and what it may send, its daily budget and how much of that is used. Call this before you plan a send.',
    input: none,
    readOnly: true,
    isFor: () => true,
    run: async (api) => answerOf(await api('GET', '/api-keys/current'), (data) => dataAnswer(data)),
  }),
];

const TEMPLATES: readonly MailTool[] = [
  mailTool({
    name: 'list_templates',
    title: 'List templates',
    description: 'Saved templates, by name, alias or subject.',
    input: Type.Object(
      { search: text('Any part of name, alias or subject.'), limit },
      { additionalProperties: false },
    ),
    readOnly: true,
    isFor: forReaders,
    run: async (api, { search, limit: most = 10 }) =>
      answerOf(await api('GET', '/templates', { query: { search, limit: most } }), page),
  }),
  mailTool({
    name: 'preview_template',
    title: 'Preview a template',
    description:
      'What a template renders to with your data, which variables it has, and what a send would refuse. Sends nothing.',
    input: Type.Object(
      {
        template: id('Its id or alias.'),
        data: Type.Optional(anyObject()),
      },
      { additionalProperties: false },
    ),
    readOnly: true,
    isFor: forReaders,
    run: async (api, { template, data = {} }) =>
      answerOf(
        await api('POST', `/templates/${encodeURIComponent(template)}/preview`, { body: { data } }),
        (preview) => dataAnswer(preview),
      ),
  }),
];

const SUPPRESSIONS: readonly MailTool[] = [
  mailTool({
    name: 'list_suppressions',
    title: 'Look at the suppression list',
    description: 'Addresses that must not be mailed, and why. With `email`, whether that one is on the list.',
    input: Type.Object({ email: text('Only this address.'), limit }, { additionalProperties: false }),
    readOnly: true,
    isFor: forReadersOfAllMail,
    run: async (api, { email, limit: most = 10 }) =>
      answerOf(await api('GET', '/suppressions', { query: { email, limit: most } }), page),
  }),
  mailTool({
    name: 'add_suppression',
    title: 'Suppress an address',
    description: 'Sends no more mail to an address, for instance because its owner asked for that.',
    input: Type.Object({ email: Type.String({ maxLength: 320 }) }, { additionalProperties: false }),
    readOnly: false,
    isFor: forFullKeys,
    run: async (api, { email }) =>
      answerOf(await api('POST', '/suppressions', { body: { email, reason: 'manual' } }), () =>
        textAnswer('Added. Nothing more is sent to this address.'),
      ),
  }),
];

const readsSandbox: MailTool['isFor'] = (caller) =>
  caller.isSandbox && (caller.scope === 'full' || caller.scope === 'read');

const SANDBOX: readonly MailTool[] = [
  mailTool({
    name: 'list_sandbox_messages',
    title: 'List messages of the sandbox inbox',
    description: 'Messages that the sandbox captured instead of delivering them, the newest first.',
    input: Type.Object({ to: text('Only to this address.'), limit }, { additionalProperties: false }),
    readOnly: true,
    isFor: readsSandbox,
    run: async (api, { to, limit: most = 10 }) =>
      answerOf(await api('GET', '/sandbox/messages', { query: { to, limit: most } }), page),
  }),
  mailTool({
    name: 'get_sandbox_message',
    title: 'Read a message of the sandbox',
    description: 'A captured message, with its text, html, codes and links.',
    input: Type.Object({ id: id('The id of the message.') }, { additionalProperties: false }),
    readOnly: true,
    isFor: readsSandbox,
    run: async (api, given) =>
      answerOf(await api('GET', `/sandbox/messages/${encodeURIComponent(given.id)}`), (data) =>
        dataAnswer(data),
      ),
  }),
];

export const READING_TOOLS: readonly MailTool[] = [
  ...MAIL,
  ...AROUND,
  ...TEMPLATES,
  ...SUPPRESSIONS,
  ...SANDBOX,
];
