/** Tools for looking data up. */
import { Type } from 'typebox';
import { anyObject, stringEnum } from '../../http/schema.ts';
import { forFullKeys, forReaders, forReadersOfAllMail, type MailTool, mailTool } from './tool.ts';
import { answerOf, dataAnswer, textAnswer } from './tool-answer.ts';

const none = Type.Object({}, { additionalProperties: false });
const limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 50, description: 'Maximum number of results. The default is 10.' }),
);
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
      'Returns the result of one email for each recipient: every attempt, the replies of servers, who can fix a problem, and how.',
    input: Type.Object({ id: id('Id of the email, a UUID.') }, { additionalProperties: false }),
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
      'Finds emails by words, recipient, sender, subject, status or time, newest first. A key of scope agent finds only the emails that it sent, unless its policy has read: organization. get_key returns the policy.',
    input: Type.Object(
      {
        search: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 200,
            description:
              'Words to search for. An email matches if it has all of them: any part of a recipient or the subject, from six characters on; the beginning of a word there, from three characters on; a whole tag, stream, metadata value, template or sender; the beginning of the email id, from eight characters on.',
          }),
        ),
        to: text('Only emails to this address, or to any address at a domain: @example.org.'),
        from: text('Only emails from this address, or from any address at a domain: @example.org.'),
        subject: text('Only emails with this text in the subject.'),
        status: text(
          'Only emails with this status: queued, delivered, bounced, failed or opened, or several of these separated by commas.',
        ),
        state: text(
          'Only emails in this state: held, awaiting_approval, scheduled, retrying, partly_delivered, withdrawn, superseded or complained.',
        ),
        from_date: text('Only emails that were accepted at or after this time, ISO 8601.'),
        to_date: text('Only emails that were accepted at or before this time, ISO 8601.'),
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
    description: 'Returns the sending domains, and whether they are verified.',
    input: none,
    readOnly: true,
    isFor: forReaders,
    run: async (api) => answerOf(await api('GET', '/domains'), (data) => dataAnswer(data)),
  }),
  mailTool({
    name: 'get_stats',
    title: 'Get statistics',
    description:
      'Returns how much mail was accepted, delivered, bounced and opened over the last hours or days.',
    input: Type.Object(
      {
        range: Type.Optional(
          stringEnum(['24h', '7d', '30d'], { description: 'Period. The default is 24h.' }),
        ),
      },
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
      'Returns the scope and the policy of your API key: its permitted recipients and content, its daily budget and the used part of the budget. Call this before you plan a send.',
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
    description: 'Finds saved templates by name, alias or subject.',
    input: Type.Object(
      { search: text('Only templates with this text in the name, alias or subject.'), limit },
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
      'Renders a template with your data. Returns the result, the variables, and the problems for which a send would be refused. Sends nothing.',
    input: Type.Object(
      {
        template: id('Id or alias of the template.'),
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
    title: 'List suppressed addresses',
    description:
      'Returns addresses that must not be mailed, with the reason. With `email`, returns the entries of this address.',
    input: Type.Object({ email: text('Only this address.'), limit }, { additionalProperties: false }),
    readOnly: true,
    isFor: forReadersOfAllMail,
    run: async (api, { email, limit: most = 10 }) =>
      answerOf(await api('GET', '/suppressions', { query: { email, limit: most } }), page),
  }),
  mailTool({
    name: 'add_suppression',
    title: 'Suppress an address',
    description: 'Stops all mail to an address, for example because its owner requested that.',
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
    description: 'Returns messages that the sandbox captured instead of delivering them, newest first.',
    input: Type.Object(
      { to: text('Only messages to this address.'), limit },
      { additionalProperties: false },
    ),
    readOnly: true,
    isFor: readsSandbox,
    run: async (api, { to, limit: most = 10 }) =>
      answerOf(await api('GET', '/sandbox/messages', { query: { to, limit: most } }), page),
  }),
  mailTool({
    name: 'get_sandbox_message',
    title: 'Get a captured message',
    description: 'Returns a captured message with its text, html, codes and links.',
    input: Type.Object({ id: id('Id of the message.') }, { additionalProperties: false }),
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
