/** Tools for sending. The API decides what the key may send. */
import { type Static, Type } from 'typebox';
import { anyObject } from '../../http/schema.ts';
import type { ApiAnswer, MailApi } from './mail-api.ts';
import { forSenders, type MailTool, mailTool, type ToolCaller } from './tool.ts';
import { answerOf, type ToolAnswer, textAnswer } from './tool-answer.ts';

export const anyMailbox = (description: string) =>
  Type.Object(
    { email: Type.String({ maxLength: 320 }), name: Type.Optional(Type.String({ maxLength: 200 })) },
    { description, additionalProperties: false },
  );

const recipients = (description: string) =>
  Type.Array(anyMailbox('Recipient.'), { maxItems: 50, description });

export const idempotencyKey = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 200,
    description:
      'Key that makes retries safe: if you repeat a call with the same key, the email is sent once. Use it for every send that you may repeat.',
  }),
);

const shared = {
  from: anyMailbox(
    'Sender: an address at a verified domain of the organization. list_domains returns the domains.',
  ),
  to: Type.Array(anyMailbox('Recipient.'), { minItems: 1, maxItems: 50 }),
  cc: Type.Optional(recipients('Recipients in Cc.')),
  bcc: Type.Optional(recipients('Recipients in Bcc.')),
  reply_to: Type.Optional(anyMailbox('Address that replies go to.')),
  scheduled_at: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'Time to send the email, ISO 8601 with an offset. The default is now.',
    }),
  ),
  idempotency_key: idempotencyKey,
};

const emailInput = Type.Object(
  {
    ...shared,
    subject: Type.String({ minLength: 1, maxLength: 998 }),
    text: Type.Optional(Type.String({ maxLength: 200_000, description: 'Body as plain text.' })),
    html: Type.Optional(Type.String({ maxLength: 200_000, description: 'Body as HTML.' })),
  },
  { additionalProperties: false },
);

const templateInput = Type.Object(
  {
    ...shared,
    template: Type.String({
      maxLength: 200,
      description: 'Id or alias of the template. list_templates returns the templates.',
    }),
    data: Type.Optional(anyObject({ description: 'Values for the variables of the template.' })),
    subject: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 998,
        description: 'Subject that replaces the subject of the template.',
      }),
    ),
  },
  { additionalProperties: false },
);

const addressee = Type.Object({ email: Type.String({ maxLength: 320 }) }, { additionalProperties: false });
const addressees = Type.Array(addressee, { maxItems: 50 });

/** For keys that may only send templates: the caller supplies only the data. */
const { subject: _subject, ...templateFields } = templateInput.properties;
const fixedTemplateInput = Type.Object(
  {
    ...templateFields,
    to: Type.Array(addressee, { minItems: 1, maxItems: 50 }),
    cc: Type.Optional(addressees),
    bcc: Type.Optional(addressees),
    from: anyMailbox('Sender: a sender in `from` of the key’s policy. get_key returns the policy.'),
    reply_to: Type.Optional(
      anyMailbox('Address that replies go to: a sender in `from` of the key’s policy.'),
    ),
  },
  { additionalProperties: false },
);

export const sendsTemplatesOnly = ({ policy }: ToolCaller): boolean => (policy?.templates ?? null) !== null;

export const SENDING_TOOLS: readonly MailTool[] = [
  mailTool({
    name: 'send_email',
    title: 'Send an email',
    description:
      'Sends an email with your own text or HTML. The email may need the approval of a person before it is sent; the result says so. A refusal by policy is final; do not try to bypass it.',
    input: emailInput,
    readOnly: false,
    isFor: (caller) => forSenders(caller) && !sendsTemplatesOnly(caller),
    run: (api, { idempotency_key: key, ...body }) => sendTo(api, '/emails/send', body, key),
  }),
  mailTool({
    name: 'send_template',
    title: 'Send a template',
    description:
      'Sends an email made from a saved template and your data. The email may need the approval of a person before it is sent; the result says so.',
    input: templateInput,
    inputFor: (caller) => (sendsTemplatesOnly(caller) ? fixedTemplateInput : undefined),
    readOnly: false,
    isFor: forSenders,
    run: (api, given) => sendTemplate(api, given),
  }),
];

async function sendTemplate(api: MailApi, given: Static<typeof templateInput>): Promise<ToolAnswer> {
  const { template, data = {}, idempotency_key: key, subject, ...mail } = given;
  const own = subject ?? (await subjectOf(api, template));
  if (typeof own !== 'string') return own;
  const body = { ...mail, subject: own, template_id: template, template_data: data };
  return sendTo(api, '/emails/send', body, key);
}

/**
 * The API requires a subject. A key that may not read templates sends a placeholder, which the template's own
 * subject replaces.
 */
async function subjectOf(api: MailApi, template: string): Promise<string | ToolAnswer> {
  const found = await api('GET', `/templates/${encodeURIComponent(template)}`);
  if (found.status === 403) return 'The subject of the template';
  if (found.status >= 300) return answerOf(found, textAnswer);
  return (found.body as { data: { subject: string } }).data.subject;
}

/** Sends, and reports the outcome so far. */
export async function sendTo(
  api: MailApi,
  path: string,
  body: object,
  key: string | undefined,
): Promise<ToolAnswer> {
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  const sent = await api('POST', path, { body, headers });
  if (sent.status >= 300) return answerOf(sent, textAnswer);
  const { message_id: id, hold } = (sent.body as { data: SentData }).data;
  if (hold !== undefined) return textAnswer(heldWords(id, hold.id));
  return textAnswer(await outcomeWords(id, await api('GET', `/emails/${id}`)));
}

interface SentData {
  readonly message_id: string;
  readonly hold?: { readonly id: string };
}

function heldWords(id: string, holdId: string): string {
  return `Accepted as ${id}, and held: it is not sent until a person releases the hold ${holdId}. Do not send it again. get_email with id ${id} has the reason.`;
}

async function outcomeWords(id: string, read: ApiAnswer): Promise<string> {
  const { state } = (read.body as { data?: { state?: string } }).data ?? {};
  const look = `Look it up with get_email, id ${id}.`;
  if (state === 'awaiting_approval')
    return `Accepted, and waiting for approval: nothing is sent before a person approves it in the dashboard. Do not send it again. ${look}`;
  return `Accepted as ${id}, ${state ?? 'queued'}. ${look}`;
}
