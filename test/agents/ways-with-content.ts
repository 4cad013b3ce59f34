/** Ways to send something other than the templates that a key may send. */
import { type AgentFixture, LISTED, letter, statusAndBody } from './agent-fixture.ts';
import type { Way } from './ways-to-others.ts';

const templated = ({ org }: AgentFixture) => {
  const { from, to } = letter(org);
  return { from, to, subject: 'x', template_id: 'welcome', template_data: { name: 'x' } };
};

const api = (
  name: string,
  answer: RegExp,
  body: (fixture: AgentFixture) => object,
  path = '/emails/send',
): Way => ({
  name: `templates only: ${name}`,
  answer,
  go: async (fixture) =>
    statusAndBody(await fixture.server.api('POST', path, body(fixture), fixture.keys.templated.key)),
});

/** It is accepted, but what waits for approval is the template as it is. */
const shown = (name: string, answer: RegExp, changes: object): Way => ({
  name: `templates only: ${name}`,
  answer,
  go: async (fixture) => {
    const { key } = await fixture.newKey({
      ...{ templates: [fixture.templates.welcome], approval: 'required', from: [fixture.org.domain] },
    });
    const body = { ...templated(fixture), template_data: { name: 'Ann' }, ...changes };
    const sent = await fixture.server.api('POST', '/emails/send', body, key);
    const id = sent.body.data?.message_id;
    if (id === undefined) return statusAndBody(sent);
    return statusAndBody(await fixture.owner.api('GET', `/emails/${id}/content`));
  },
});

const FILE = { filename: 'a.txt', content: Buffer.from('x').toString('base64') };

export const WAYS_WITH_CONTENT: readonly Way[] = [
  api('text of its own', /^403 .*templates only/, ({ org }) => letter(org)),
  api('another template', /^403 .*may not send this template/, (fixture) => ({
    ...templated(fixture),
    template_id: 'other',
  })),
  api('another template by its id', /^403 .*may not send this template/, (fixture) => ({
    ...templated(fixture),
    template_id: fixture.templates.other,
  })),
  api('html beside the template', /^400 /, (fixture) => ({ ...templated(fixture), html: '<p>Pay</p>' })),
  api('a file', /^403 .*attach/, (fixture) => ({ ...templated(fixture), attachments: [FILE] })),
  api('a file by URL', /^403 .*attach/, (fixture) => ({
    ...templated(fixture),
    attachments: [{ url: 'http://127.0.0.1:1/a', filename: 'a' }],
  })),
  api('a header', /^403 .*without custom headers/, (fixture) => ({
    ...templated(fixture),
    headers: { 'X-A': '1' },
  })),
  api(
    'another template in a batch',
    /^403 .*may not send this template/,
    (fixture) => ({
      from: letter(fixture.org).from,
      template_id: 'other',
      recipients: [{ to: { email: LISTED } }],
    }),
    '/emails/batch',
  ),
  api(
    'content of its own in a mixed batch',
    /templates only/,
    ({ org }) => ({ emails: [letter(org)] }),
    '/emails/batch/mixed',
  ),
  shown('a subject of its own', /welcome Ann/, { subject: 'Pay now' }),
  shown('html in the data', /&lt;a href/, {
    template_data: { name: '<a href="http://evil.example">Pay</a>' },
  }),
  shown('a line break in the data of the subject', /"subject":"welcome x ?Bcc: evil/, {
    template_data: { name: 'x\r\nBcc: evil@evil.example' },
  }),
  {
    name: 'templates only: a message over SMTP',
    answer: /^550 .*templates only/,
    go: ({ smtp, keys }) => smtp(keys.templated.key, {}),
  },
  {
    name: 'templates only: html over Resend',
    answer: /templates only/,
    go: (fixture) =>
      fixture.postCompat(
        '/resend/emails',
        { from: `a@${fixture.org.domain}`, to: LISTED, subject: 'Hi', html: '<p>x</p>' },
        { authorization: `Bearer ${fixture.keys.templated.key}` },
      ),
  },
  {
    name: 'templates only: another template over Postmark',
    answer: /may not send this template/,
    go: (fixture) =>
      fixture.postCompat(
        '/postmark/email/withTemplate',
        { From: `a@${fixture.org.domain}`, To: LISTED, TemplateAlias: 'other', TemplateModel: {} },
        { 'x-postmark-server-token': fixture.keys.templated.key },
      ),
  },
  {
    name: 'a whole message over SMTP where files are not allowed',
    answer: /^550 .*whole messages/,
    go: ({ smtp, keys }) => smtp(keys.careful.key, {}),
  },
  {
    name: 'a file where files are not allowed',
    answer: /^403 .*attach/,
    go: async ({ send, keys }) => statusAndBody(await send(keys.careful.key, { attachments: [FILE] })),
  },
];
