/** Ways to write to somebody who is not on the list of a key. */
import type { SendMailOptions } from 'nodemailer';
import { type AgentFixture, EVIL, LISTED, letter, statusAndBody } from './agent-fixture.ts';

export interface Way {
  readonly name: string;
  /** What is answered. */
  readonly answer: RegExp;
  readonly go: (fixture: AgentFixture) => Promise<string>;
}

const NOT_LISTED = /^403 .*may not send to/;
const NO_ADDRESS = /^400 .*VALIDATION_ERROR/;

const to = (name: string, email: string, answer = NOT_LISTED): Way => ({
  name: `to ${name}`,
  answer,
  go: async ({ send, keys }) => statusAndBody(await send(keys.listed.key, { to: [{ email }] })),
});

const spelled: readonly Way[] = [
  to('somebody who is not listed', EVIL),
  to('a subaddress of somebody listed', 'ops+evil@allowed.example'),
  to('somebody listed, in quotes', '"ops"@allowed.example'),
  to('an address in quotes at another domain', '"ops@allowed.example"@evil.example'),
  to('another mailbox at the domain of an address', 'evil@allowed.example'),
  to('a domain that begins like a listed one', 'ops@allowed.example.evil.example'),
  to('a domain that ends like a listed one', 'x@evilteam.example'),
  to('a domain below a listed one', 'x@evil.team.example'),
  to('the domain whose subdomains are listed', 'x@sub.example'),
  to('a domain that ends like those', 'x@evilsub.example'),
  to('a letter that looks alike', '\u043eps@allowed.example', /^40[03] /),
  to('a domain with a letter that looks alike', 'ops@\u0430llowed.example', /^40[03] /),
  to('another domain by way of a listed one (percent)', 'evil%evil.example@team.example.evil.example'),
  to('a route through a listed domain', '@team.example:evil@evil.example', NO_ADDRESS),
  to('an address with a comment', 'ops@allowed.example (evil@evil.example)', NO_ADDRESS),
  to('a name and an address in one field', `ops <${EVIL}>`, NO_ADDRESS),
  to('two addresses in one field', `${LISTED},${EVIL}`, NO_ADDRESS),
  to('a group', `team: ${EVIL};`, NO_ADDRESS),
  to('another command after a line break', `${LISTED}>\r\nRCPT TO:<${EVIL}`, NO_ADDRESS),
  to('an IP address', 'evil@[127.0.0.1]', NO_ADDRESS),
];

const field = (name: string, changes: object, answer = NOT_LISTED): Way => ({
  name,
  answer,
  go: async ({ send, keys }) => statusAndBody(await send(keys.listed.key, changes)),
});

const elsewhere: readonly Way[] = [
  field('one of several in to', { to: [{ email: LISTED }, { email: EVIL }] }),
  field('in cc', { cc: [{ email: EVIL }] }),
  field('in bcc', { bcc: [{ email: EVIL }] }),
  field('behind the name of somebody listed', { to: [{ email: EVIL, name: LISTED }] }),
  field('to have the answer', { reply_to: { email: EVIL } }, /^403 .*replies sent to/),
  field(
    'to have the receipt',
    { headers: { 'Disposition-Notification-To': EVIL } },
    /^403 .*may not send to evil/,
  ),
  field('in a header that resends', { headers: { 'Resent-To': EVIL } }, NO_ADDRESS),
  field('in a Bcc header', { headers: { Bcc: EVIL } }, NO_ADDRESS),
  field('in a header behind a line break', { headers: { 'X-A': `1\r\nBcc: ${EVIL}` } }, NO_ADDRESS),
  field('in the subject behind a line break', { subject: `Hi\r\nBcc: ${EVIL}` }, NO_ADDRESS),
  field('scheduled for later', { to: [{ email: EVIL }], scheduled_at: '2099-01-01T00:00:00Z' }, /^40[03] /),
];

const several: readonly Way[] = [
  {
    name: 'among the recipients of a batch',
    answer: /^403 .*recipients\[1\]/,
    go: async ({ server, org, keys }) => {
      const recipients = [LISTED, EVIL].map((email) => ({ to: { email }, data: { name: 'x' } }));
      const body = { from: letter(org).from, template_id: 'welcome', recipients };
      return statusAndBody(await server.api('POST', '/emails/batch', body, keys.guarded.key));
    },
  },
  ...[true, false].map(
    (allOrNone): Way => ({
      name: `in a mixed batch${allOrNone ? ', all or none' : ''}`,
      answer: /may not send to evil/,
      go: async ({ server, org, keys }) => {
        const emails = [letter(org), { ...letter(org), to: [{ email: EVIL }] }];
        const body = { emails, ...(allOrNone ? { all_or_none: true } : {}) };
        return statusAndBody(await server.api('POST', '/emails/batch/mixed', body, keys.guarded.key));
      },
    }),
  ),
];

const smtp = (name: string, mail: SendMailOptions, answer = /^550 .*may not send to/): Way => ({
  name: `over SMTP: ${name}`,
  answer,
  go: ({ smtp: submit, keys }) => submit(keys.listed.key, mail),
});

const overSmtp: readonly Way[] = [
  smtp('in the envelope, with another To', { envelope: { from: 'a@x.example', to: [EVIL] } }),
  smtp('in the envelope, beside somebody listed', { envelope: { from: 'a@x.example', to: [LISTED, EVIL] } }),
  smtp('named in To, without being in the envelope', {
    to: [LISTED, EVIL],
    envelope: { from: 'a@x.example', to: [LISTED] },
  }),
  smtp('in Bcc', { bcc: EVIL }),
  smtp('in Resent-To', { headers: { 'Resent-To': EVIL } }),
  smtp('to have the answer', { replyTo: EVIL }, /^550 .*replies sent to/),
];

export const WAYS_TO_OTHERS: readonly Way[] = [...spelled, ...elsewhere, ...several, ...overSmtp];
