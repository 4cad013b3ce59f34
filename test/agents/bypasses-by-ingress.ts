/** The same through the compatibility endpoints, in the fields of those services. */
import { type AgentFixture, EVIL, LISTED } from './agent-fixture.ts';
import type { Way } from './ways-to-others.ts';

const REFUSED = /may not send to evil/;

type Body = (fixture: AgentFixture) => unknown;

const resend = (name: string, path: string, body: Body): Way => ({
  name: `Resend: ${name}`,
  answer: REFUSED,
  go: (fixture) =>
    fixture.postCompat(`/resend${path}`, body(fixture), {
      authorization: `Bearer ${fixture.keys.guarded.key}`,
    }),
});

const sendgrid = (name: string, body: Body): Way => ({
  name: `SendGrid: ${name}`,
  answer: REFUSED,
  go: (fixture) =>
    fixture.postCompat('/sendgrid/v3/mail/send', body(fixture), {
      authorization: `Bearer ${fixture.keys.guarded.key}`,
    }),
});

const postmark = (name: string, path: string, body: Body): Way => ({
  name: `Postmark: ${name}`,
  answer: REFUSED,
  go: (fixture) =>
    fixture.postCompat(`/postmark${path}`, body(fixture), {
      'x-postmark-server-token': fixture.keys.guarded.key,
    }),
});

const mailgun = (
  name: string,
  path: string,
  fields: (fixture: AgentFixture) => object,
  by = 'guarded',
): Way => ({
  name: `Mailgun: ${name}`,
  answer: REFUSED,
  go: (fixture) => {
    const form = new FormData();
    for (const [field, value] of Object.entries(fields(fixture))) form.append(field, value as string);
    const { key } = fixture.keys[by as 'guarded'];
    const authorization = `Basic ${Buffer.from(`api:${key}`).toString('base64')}`;
    return fixture.postCompat(`/mailgun/v3/${fixture.org.domain}${path}`, form, { authorization });
  },
});

const fromOf = ({ org }: AgentFixture) => `agent@${org.domain}`;

const ofResend = (fixture: AgentFixture, more: object) => ({
  ...{ from: fromOf(fixture), to: [LISTED], subject: 'Hi', text: 'Hi' },
  ...more,
});

const ofSendgrid = (fixture: AgentFixture, personalizations: readonly object[], more: object = {}) => ({
  ...{ from: { email: fromOf(fixture) }, subject: 'Hi', personalizations },
  ...{ content: [{ type: 'text/plain', value: 'Hi' }], ...more },
});

const ofPostmark = (fixture: AgentFixture, more: object) => ({
  ...{ From: fromOf(fixture), To: LISTED, Subject: 'Hi', TextBody: 'Hi' },
  ...more,
});

const ofMailgun = (fixture: AgentFixture, more: object) => ({
  ...{ from: fromOf(fixture), to: LISTED, subject: 'Hi', text: 'Hi' },
  ...more,
});

export const BYPASSES_BY_INGRESS: readonly Way[] = [
  resend('bcc', '/emails', (fixture) => ofResend(fixture, { bcc: EVIL })),
  resend('a batch', '/emails/batch', (fixture) => [ofResend(fixture, {}), ofResend(fixture, { to: [EVIL] })]),
  sendgrid('another personalization', (fixture) =>
    ofSendgrid(fixture, [{ to: [{ email: LISTED }] }, { to: [{ email: EVIL }] }]),
  ),
  sendgrid('bcc of a personalization', (fixture) =>
    ofSendgrid(fixture, [{ to: [{ email: LISTED }], bcc: [{ email: EVIL }] }]),
  ),
  postmark('Bcc', '/email', (fixture) => ofPostmark(fixture, { Bcc: EVIL })),
  postmark('a batch', '/email/batch', (fixture) => [
    ofPostmark(fixture, {}),
    ofPostmark(fixture, { To: EVIL }),
  ]),
  postmark('a template to somebody else', '/email/withTemplate', (fixture) => ({
    ...{ From: fromOf(fixture), To: EVIL, TemplateAlias: 'welcome', TemplateModel: { name: 'x' } },
  })),
  mailgun('bcc', '/messages', (fixture) => ofMailgun(fixture, { bcc: EVIL })),
  mailgun('recipient-variables', '/messages', (fixture) =>
    ofMailgun(fixture, {
      to: `${LISTED}, ${EVIL}`,
      'recipient-variables': JSON.stringify({ [LISTED]: { a: 1 }, [EVIL]: { a: 2 } }),
    }),
  ),
  mailgun(
    'a whole message that names others',
    '/messages.mime',
    (fixture) => ({
      to: EVIL,
      message: new Blob([`From: ${fromOf(fixture)}\r\nTo: ${LISTED}\r\nSubject: Hi\r\n\r\nHi\r\n`]),
    }),
    'listed',
  ),
];
