/** Ways to say something, beside the templates that a key may send, in who a mail is from, who is answered and what recipients are called. */
import type { SendMailOptions } from 'nodemailer';
import { type AgentFixture, LISTED, statusAndBody } from './agent-fixture.ts';
import type { Way } from './ways-to-others.ts';

/** What the policy of the key `fixed` has: `Acme Support <support@…>` and `billing@…`. */
const support = ({ org }: AgentFixture) => ({ email: `support@${org.domain}`, name: 'Acme Support' });
const billing = ({ org }: AgentFixture) => ({ email: `billing@${org.domain}` });

const templated = (fixture: AgentFixture) => ({
  ...{ from: support(fixture), to: [{ email: LISTED }], subject: 'x' },
  ...{ template_id: 'welcome', template_data: { name: 'x' } },
});

type Body = (fixture: AgentFixture) => object;

const api = (name: string, answer: RegExp, changes: Body, by: 'fixed' | 'templated' = 'fixed'): Way => ({
  name: `templates only: ${name}`,
  answer,
  go: async (fixture) => {
    const body = { ...templated(fixture), ...changes(fixture) };
    return statusAndBody(await fixture.server.api('POST', '/emails/send', body, fixture.keys[by].key));
  },
});

const NOT_FROM = /^403 .*may not send from .*"field":"from\.email"/;
const NOT_NAMED = /^403 .*"field":"from\.name"/;
const NOT_ANSWERED = /^403 .*"field":"reply_to\[0\]\.email"/;

const named = (name: string, given: string): Way =>
  api(`the sender’s name ${name}`, NOT_NAMED, (fixture) => ({ from: { ...support(fixture), name: given } }));
const from = (name: string, email: (domain: string) => string, answer = NOT_FROM): Way =>
  api(`from ${name}`, answer, ({ org }) => ({ from: { email: email(org.domain) } }));

const senders: readonly Way[] = [
  from('another mailbox of the domain', (domain) => `ceo@${domain}`),
  from('a subaddress of a sender', (domain) => `support+pay-now@${domain}`),
  from('a sender in quotes', (domain) => `"support"@${domain}`),
  from('words before the @', (domain) => `your-account-is-locked@${domain}`),
  from('a letter that looks alike', (domain) => `supp\u043ert@${domain}`, /^40[03] /),
  from('another domain', () => 'support@evil.example'),
  named('of somebody else', 'The CEO'),
  named('in other letters', 'ACME SUPPORT'),
  named('with a word more', 'Acme Support: pay now'),
  named('with a letter that looks alike', 'Acm\u0435 Support'),
  named('with a character that nobody sees', 'Acme\u200b Support'),
  named('with a space more', 'Acme  Support'),
  api('a name for a sender that has none', NOT_NAMED, (fixture) => ({
    from: { ...billing(fixture), name: 'Acme Support' },
  })),
  api('the sender’s name in one string', /^40[03] /, ({ org }) => ({
    from: `Pay now <billing@${org.domain}>`,
  })),
  api(
    'a sender’s name where the policy names no senders',
    NOT_NAMED,
    ({ org }) => ({ from: { email: `agent@${org.domain}`, name: 'The CEO' } }),
    'templated',
  ),
];

const answers: readonly Way[] = [
  api('answers to somebody else', NOT_ANSWERED, () => ({ reply_to: { email: LISTED } })),
  api('answers to another mailbox of the domain', NOT_ANSWERED, ({ org }) => ({
    reply_to: { email: `ceo@${org.domain}` },
  })),
  api('answers to a sender, by another name', /^403 .*"field":"reply_to\[0\]\.name"/, (fixture) => ({
    reply_to: { ...billing(fixture), name: 'Call 555-1234' },
  })),
  api('answers to somebody else, beside a sender', /^403 .*"field":"reply_to\[1\]\.email"/, (fixture) => ({
    reply_to: [support(fixture), { email: LISTED }],
  })),
  api(
    'answers to anybody where the policy names no senders',
    NOT_ANSWERED,
    ({ org }) => ({ from: { email: `a@${org.domain}` }, reply_to: { email: `ceo@${org.domain}` } }),
    'templated',
  ),
];

const FREE = { email: LISTED, name: 'Call 555-1234 now' };

const recipients: readonly Way[] = [
  ...(['to', 'cc', 'bcc'] as const).map((list) =>
    api(`a name for a recipient in ${list}`, new RegExp(`^403 .*"field":"${list}\\[0\\]\\.name"`), () => ({
      [list]: [FREE],
    })),
  ),
  api('a recipient’s name in one string', /^40[03] /, () => ({
    to: [`Pay now <${LISTED}>`],
  })),
  api(
    'a recipient’s name where the policy names no senders',
    /^403 .*"field":"to\[0\]\.name"/,
    ({ org }) => ({ from: { email: `a@${org.domain}` }, to: [FREE] }),
    'templated',
  ),
];

const batch = (name: string, answer: RegExp, changes: Body): Way => ({
  name: `templates only, in a batch: ${name}`,
  answer,
  go: async (fixture) => {
    const to = { email: LISTED };
    const body = {
      from: support(fixture),
      template_id: 'welcome',
      recipients: [{ to, data: { name: 'x' } }],
    };
    const { key } = fixture.keys.fixed;
    return statusAndBody(
      await fixture.server.api('POST', '/emails/batch', { ...body, ...changes(fixture) }, key),
    );
  },
});

const batches: readonly Way[] = [
  batch('another sender', NOT_FROM, ({ org }) => ({ from: { email: `ceo@${org.domain}` } })),
  batch('another sender’s name', NOT_NAMED, (fixture) => ({ from: { ...support(fixture), name: 'CEO' } })),
  batch('answers to somebody else', NOT_ANSWERED, () => ({ reply_to: { email: LISTED } })),
  batch('a recipient’s name', /^403 .*"field":"recipients\[0\]\.to\.name"/, () => ({
    recipients: [{ to: FREE, data: { name: 'x' } }],
  })),
  {
    name: 'templates only, in a mixed batch: a sender’s name and a recipient’s name',
    answer: /from\.name.*to\[0\]\.name/,
    go: async (fixture) => {
      const email = { ...templated(fixture), from: { ...support(fixture), name: 'CEO' }, to: [FREE] };
      const { key } = fixture.keys.fixed;
      return statusAndBody(await fixture.server.api('POST', '/emails/batch/mixed', { emails: [email] }, key));
    },
  },
];

const bearer = ({ keys }: AgentFixture) => ({ authorization: `Bearer ${keys.fixed.key}` });
const FREE_TEXT = `Call 555-1234 now <${LISTED}>`;
const REFUSED = /may not send from|may not use the sender name|templates only/;

const postmark = (name: string, changes: Body): Way => ({
  name: `Postmark, templates only: ${name}`,
  answer: REFUSED,
  go: (fixture) =>
    fixture.postCompat(
      '/postmark/email/withTemplate',
      {
        ...{
          From: support(fixture).email,
          To: LISTED,
          TemplateAlias: 'welcome',
          TemplateModel: { name: 'x' },
        },
        ...changes(fixture),
      },
      { 'x-postmark-server-token': fixture.keys.fixed.key },
    ),
});

const sendgrid = (name: string, changes: Body): Way => ({
  name: `SendGrid, templates only: ${name}`,
  answer: REFUSED,
  go: (fixture) =>
    fixture.postCompat(
      '/sendgrid/v3/mail/send',
      {
        ...{ from: support(fixture), template_id: 'welcome' },
        personalizations: [{ to: [{ email: LISTED }], dynamic_template_data: { name: 'x' } }],
        ...changes(fixture),
      },
      bearer(fixture),
    ),
});

const mailgun = (name: string, changes: Body): Way => ({
  name: `Mailgun, templates only: ${name}`,
  answer: REFUSED,
  go: (fixture) => {
    const form = new FormData();
    const fields = {
      ...{ from: support(fixture).email, to: LISTED, template: 'welcome', 't:variables': '{"name":"x"}' },
      ...changes(fixture),
    };
    for (const [field, value] of Object.entries(fields)) form.append(field, value as string);
    const authorization = `Basic ${Buffer.from(`api:${fixture.keys.fixed.key}`).toString('base64')}`;
    return fixture.postCompat(`/mailgun/v3/${fixture.org.domain}/messages`, form, { authorization });
  },
});

const resend = (name: string, changes: Body): Way => ({
  name: `Resend, templates only: ${name}`,
  answer: REFUSED,
  go: (fixture) =>
    fixture.postCompat(
      '/resend/emails',
      {
        ...{ from: support(fixture).email, to: [LISTED], subject: 'x' },
        template: { id: 'welcome', variables: { name: 'x' } },
        ...changes(fixture),
      },
      bearer(fixture),
    ),
});

const compatibility: readonly Way[] = [
  postmark('a sender’s name', ({ org }) => ({ From: `CEO <support@${org.domain}>` })),
  postmark('another sender', ({ org }) => ({ From: `ceo@${org.domain}` })),
  postmark('a recipient’s name', () => ({ To: FREE_TEXT })),
  postmark('answers to somebody else', () => ({ ReplyTo: LISTED })),
  postmark('a header', () => ({ Headers: [{ Name: 'X-A', Value: '1' }] })),
  sendgrid('a sender’s name', (fixture) => ({ from: { ...support(fixture), name: 'CEO' } })),
  sendgrid('a recipient’s name', () => ({
    personalizations: [{ to: [FREE], dynamic_template_data: { name: 'x' } }],
  })),
  sendgrid('a sender of one personalization', ({ org }) => ({
    personalizations: [
      {
        to: [{ email: LISTED }],
        from: { email: `ceo@${org.domain}` },
        dynamic_template_data: { name: 'x' },
      },
    ],
  })),
  sendgrid('answers to somebody else', () => ({ reply_to: { email: LISTED } })),
  sendgrid('answers to several others', () => ({ reply_to_list: [{ email: LISTED }] })),
  mailgun('a sender’s name', ({ org }) => ({ from: `CEO <support@${org.domain}>` })),
  mailgun('a recipient’s name', () => ({ to: FREE_TEXT })),
  mailgun('answers to somebody else', () => ({ 'h:Reply-To': LISTED })),
  resend('a sender’s name', ({ org }) => ({ from: `CEO <support@${org.domain}>` })),
  resend('a recipient’s name', () => ({ to: [FREE_TEXT] })),
  resend('answers to somebody else', () => ({ reply_to: LISTED })),
];

/** A template over SMTP, which makes its message anew. */
const smtpTemplate = (name: string, mail: (fixture: AgentFixture) => SendMailOptions): Way => ({
  name: `templates only, over SMTP: ${name}`,
  answer: /^550 .*(?:may not|templates only)/,
  go: (fixture) =>
    fixture.smtp(fixture.keys.fixed.key, {
      ...{ from: support(fixture).email, text: '' },
      headers: { 'X-Postrider-Template': 'welcome', 'X-Postrider-Template-Data': '{"name":"x"}' },
      ...mail(fixture),
    }),
});

/** A whole message, whose content is free, from a sender who is not. */
const whole = (name: string, head: (fixture: AgentFixture) => string, answer = /^550 .*may not/): Way => ({
  name: `senders alone, over SMTP: ${name}`,
  answer,
  go: async (fixture) => {
    const { domain } = fixture.org;
    const { key } = await fixture.newKey({ from: [`Acme <support@${domain}>`], attachments: true });
    const raw = `${head(fixture)}\r\nTo: ${LISTED}\r\nSubject: Hi\r\n\r\nHi\r\n`;
    return fixture.smtp(key, { envelope: { from: `support@${domain}`, to: [LISTED] }, raw });
  },
});

const smtp: readonly Way[] = [
  smtpTemplate('a sender’s name', ({ org }) => ({ from: `CEO <support@${org.domain}>` })),
  smtpTemplate('a recipient’s name', () => ({ to: FREE_TEXT })),
  smtpTemplate('answers to somebody else', () => ({ replyTo: LISTED })),
  whole('another sender', ({ org }) => `From: ceo@${org.domain}`),
  whole('another name', ({ org }) => `From: CEO <support@${org.domain}>`),
  whole('a name in encoded words', ({ org }) => `From: =?utf-8?q?CEO?= <support@${org.domain}>`),
  whole('a comment beside the name', ({ org }) => `From: Acme (call 555-1234) <support@${org.domain}>`),
  whole('a comment behind the address', ({ org }) => `From: support@${org.domain} (The CEO)`),
  whole('a group', ({ org }) => `From: The CEO: Acme <support@${org.domain}>;`, /^554 .*no group/),
  whole('a sender beside From', ({ org }) => `From: support@${org.domain}\r\nSender: ceo@${org.domain}`),
  whole(
    'a name in Sender',
    ({ org }) => `From: support@${org.domain}\r\nSender: CEO <support@${org.domain}>`,
  ),
  whole('resent by another', ({ org }) => `From: support@${org.domain}\r\nResent-From: ceo@${org.domain}`),
];

export const WAYS_WITH_SENDERS: readonly Way[] = [
  ...[...senders, ...answers, ...recipients],
  ...[...batches, ...compatibility, ...smtp],
];
