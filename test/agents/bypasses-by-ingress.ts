/** The same through the compatibility endpoints, in the fields of those services. */
import { type AgentWorld, EVIL, LISTED } from './agent-world.ts';
import type { Way } from './ways-to-others.ts';

const REFUSED = /may not send to evil/;

type Body = (world: AgentWorld) => unknown;

const resend = (name: string, path: string, body: Body): Way => ({
  name: `Resend: ${name}`,
  answer: REFUSED,
  go: (world) =>
    world.postCompat(`/resend${path}`, body(world), { authorization: `Bearer ${world.keys.guarded.key}` }),
});

const sendgrid = (name: string, body: Body): Way => ({
  name: `SendGrid: ${name}`,
  answer: REFUSED,
  go: (world) =>
    world.postCompat('/sendgrid/v3/mail/send', body(world), {
      authorization: `Bearer ${world.keys.guarded.key}`,
    }),
});

const postmark = (name: string, path: string, body: Body): Way => ({
  name: `Postmark: ${name}`,
  answer: REFUSED,
  go: (world) =>
    world.postCompat(`/postmark${path}`, body(world), { 'x-postmark-server-token': world.keys.guarded.key }),
});

const mailgun = (name: string, path: string, fields: (world: AgentWorld) => object, by = 'guarded'): Way => ({
  name: `Mailgun: ${name}`,
  answer: REFUSED,
  go: (world) => {
    const form = new FormData();
    for (const [field, value] of Object.entries(fields(world))) form.append(field, value as string);
    const { key } = world.keys[by as 'guarded'];
    const authorization = `Basic ${Buffer.from(`api:${key}`).toString('base64')}`;
    return world.postCompat(`/mailgun/v3/${world.org.domain}${path}`, form, { authorization });
  },
});

const fromOf = ({ org }: AgentWorld) => `agent@${org.domain}`;

const ofResend = (world: AgentWorld, more: object) => ({
  ...{ from: fromOf(world), to: [LISTED], subject: 'Hi', text: 'Hi' },
  ...more,
});

const ofSendgrid = (world: AgentWorld, personalizations: readonly object[], more: object = {}) => ({
  ...{ from: { email: fromOf(world) }, subject: 'Hi', personalizations },
  ...{ content: [{ type: 'text/plain', value: 'Hi' }], ...more },
});

const ofPostmark = (world: AgentWorld, more: object) => ({
  ...{ From: fromOf(world), To: LISTED, Subject: 'Hi', TextBody: 'Hi' },
  ...more,
});

const ofMailgun = (world: AgentWorld, more: object) => ({
  ...{ from: fromOf(world), to: LISTED, subject: 'Hi', text: 'Hi' },
  ...more,
});

export const BYPASSES_BY_INGRESS: readonly Way[] = [
  resend('bcc', '/emails', (world) => ofResend(world, { bcc: EVIL })),
  resend('a batch', '/emails/batch', (world) => [ofResend(world, {}), ofResend(world, { to: [EVIL] })]),
  sendgrid('another personalization', (world) =>
    ofSendgrid(world, [{ to: [{ email: LISTED }] }, { to: [{ email: EVIL }] }]),
  ),
  sendgrid('bcc of a personalization', (world) =>
    ofSendgrid(world, [{ to: [{ email: LISTED }], bcc: [{ email: EVIL }] }]),
  ),
  postmark('Bcc', '/email', (world) => ofPostmark(world, { Bcc: EVIL })),
  postmark('a batch', '/email/batch', (world) => [ofPostmark(world, {}), ofPostmark(world, { To: EVIL })]),
  postmark('a template to somebody else', '/email/withTemplate', (world) => ({
    ...{ From: fromOf(world), To: EVIL, TemplateAlias: 'welcome', TemplateModel: { name: 'x' } },
  })),
  mailgun('bcc', '/messages', (world) => ofMailgun(world, { bcc: EVIL })),
  mailgun('recipient-variables', '/messages', (world) =>
    ofMailgun(world, {
      to: `${LISTED}, ${EVIL}`,
      'recipient-variables': JSON.stringify({ [LISTED]: { a: 1 }, [EVIL]: { a: 2 } }),
    }),
  ),
  mailgun(
    'a whole message that names others',
    '/messages.mime',
    (world) => ({
      to: EVIL,
      message: new Blob([`From: ${fromOf(world)}\r\nTo: ${LISTED}\r\nSubject: Hi\r\n\r\nHi\r\n`]),
    }),
    'listed',
  ),
];
