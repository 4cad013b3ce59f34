import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { until } from '../support/until.ts';
import { Flow } from './flow.ts';

const RECEIPT = {
  name: 'Receipt',
  subject: 'Order {{order.id}} for {{name}}',
  html: `<h1>Grüße, {{name}}!</h1>{{#if vip}}<b>VIP</b>{{else}}<i>Hi</i>{{/if}}
<ul>{{#each order.items}}<li>{{@index}}: {{this.title}}{{#each this.tags}} #{{this}}{{/each}} {{../currency}}</li>{{/each}}</ul>`,
  text: 'Hello {{name}}, total {{total}} {{currency}}',
  variable_schema: [
    { name: 'name', type: 'string', required: true },
    { name: 'currency', type: 'string', default_value: 'EUR' },
    { name: 'total', type: 'number' },
  ],
};

describe('a saved template', () => {
  let flow: Flow;
  let templateId: string;
  beforeAll(async () => {
    flow = await Flow.start();
    templateId = await create(RECEIPT);
  });
  afterAll(() => flow.stop());

  const create = async (template: object) => {
    const answer = await flow.api('POST', '/templates', template);
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    return answer.body.data.id as string;
  };
  const from = () => ({ email: `shop@${flow.organization.domain}` });
  const send = (fields: object) =>
    flow.api('POST', '/emails/send', {
      from: from(),
      to: [{ email: 'ada@example.org' }],
      subject: 'Order {{order.id}}',
      template_id: templateId,
      ...fields,
    });
  const batch = (recipients: readonly object[], fields: object = {}) =>
    flow.api('POST', '/emails/batch', { template_id: templateId, from: from(), recipients, ...fields });
  const captured = async (to: string) => {
    const [item] = (await flow.api('GET', `/sandbox/messages?to=${to}`)).body.data;
    return (await flow.api('GET', `/sandbox/messages/${item.id}`)).body.data;
  };
  const batchDone = (id: string) =>
    until(
      async () => (await flow.api('GET', `/emails/batch/${id}`)).body.data,
      (batch) => batch.counts.queued === 0,
    );

  const data = (n: number) => ({
    name: `Ünïcode ${n} <&>`,
    total: n,
    order: {
      id: n,
      items: [
        { title: `Thing ${n}`, tags: ['a', `t${n}`] },
        { title: 'Other', tags: [] },
      ],
    },
  });

  it('is rendered with the data, defaults and the subject of the send', async () => {
    const sent = await send({ template_data: data(7) });
    expect(sent.status).toBe(201);
    const email = await flow.final(sent.body.data.message_id);
    expect(email.status).toBe('delivered');
    const message = await captured('ada@example.org');
    expect(message.subject).toBe('Order 7');
    expect(message.html).toContain('Grüße, Ünïcode 7 &lt;&amp;&gt;!');
    expect(message.html).toContain('<li>0: Thing 7 #a #t7 EUR</li><li>1: Other EUR</li>');
    expect(message.text.trim()).toBe('Hello Ünïcode 7 <&>, total 7 EUR');
    const content = (await flow.api('GET', `/emails/${email.id}/content`)).body.data;
    expect(content.subject).toBe('Order 7');
    expect(content.html).toContain('Thing 7');
  });

  it('without a text gets one that is made from its html, unless it should not', async () => {
    const html = '<p>Hi {{name}}, <a href="https://shop.example/{{id}}">your order</a>.</p>';
    const id = await create({ name: 'H', subject: 's', html });
    const fields = { template_id: id, subject: 's', template_data: { name: 'A&B', id: 7 } };
    const sentTo = async (to: string, more: object) => {
      const { message_id } = (await send({ ...fields, to: [{ email: to }], ...more })).body.data;
      await flow.final(message_id);
      const content = (await flow.api('GET', `/emails/${message_id}/content`)).body.data;
      return { text: content.text, arrived: (await captured(to)).text?.trim() ?? null };
    };
    const made = 'Hi A&B, your order (https://shop.example/7).';
    expect(await sentTo('made@example.org', {})).toEqual({ text: made, arrived: made });
    expect(await sentTo('alone@example.org', { text_from_html: false })).toMatchObject({ text: null });
    const preview = await flow.api('POST', `/templates/${id}/preview`, { data: { name: 'A', id: 1 } });
    expect(preview.body.data.text).toBe('Hi A, your order (https://shop.example/1).');
  });

  it('is not needed for that: html of the request gets a text when asked', async () => {
    const inline = { template_id: undefined, subject: 's', html: '<ul><li>One<li>Two</ul>' };
    const textOf = async (more: object) => {
      const { message_id } = (await send({ ...inline, ...more })).body.data;
      return (await flow.api('GET', `/emails/${message_id}/content`)).body.data.text;
    };
    expect(await textOf({})).toBeNull();
    expect(await textOf({ text_from_html: true })).toBe('- One\n- Two');
    expect(await textOf({ text_from_html: true, text: 'Mine' })).toBe('Mine');
  });

  it('is kept in the version that was accepted, whatever happens to it later', async () => {
    const id = await create({ name: 'V', alias: 'v', subject: 's', text: 'first {{x}}' });
    const soon = new Date(Date.now() + 1_500).toISOString();
    const sent = await send({
      template_id: 'v',
      to: [{ email: 'version@example.org' }],
      subject: 's',
      template_data: { x: 1 },
      scheduled_at: soon,
    });
    await flow.api('PUT', `/templates/${id}`, { text: 'second {{x}}' });
    await flow.api('DELETE', `/templates/${id}`);
    await create({ name: 'W', alias: 'v', subject: 's', text: 'third {{x}}' });
    await flow.final(sent.body.data.message_id);
    expect((await captured('version@example.org')).text.trim()).toBe('first 1');
  });

  it.each([
    ['missing data', { template_data: {} }, 'template_data.name'],
    ['a wrong type', { template_data: { name: 'x', total: 'much' } }, 'template_data.total'],
    ['html beside it', { template_data: { name: 'x' }, html: '<p>' }, 'html'],
    [
      'a subject that renders to nothing',
      { template_data: { name: 'x' }, subject: '{{nothing}} ' },
      'subject',
    ],
    [
      'a subject of invisible characters',
      { template_data: { name: 'x', mark: '\u200b' }, subject: '{{mark}}' },
      'subject',
    ],
    ['a broken subject', { template_data: { name: 'x' }, subject: '{{#if}}' }, 'subject'],
  ])('is refused with %s', async (_what, fields, field) => {
    const answer = await send(fields);
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe('VALIDATION_ERROR');
    expect(answer.body.error.details.map((one: { field: string }) => one.field)).toContain(field);
  });

  it('is sent to one address to be looked at', async () => {
    const test = (fields: object) =>
      flow.api('POST', `/templates/${templateId}/test`, {
        from: from(),
        to: { email: 'me@test.example' },
        ...fields,
      });
    const sent = await test({ data: data(3) });
    expect(sent.status).toBe(201);
    await flow.final(sent.body.data.message_id);
    expect((await captured('me@test.example')).subject).toBe('Order 3 for Ünïcode 3 <&>');
    expect((await test({ data: {} })).body.error.details[0].field).toBe('template_data.name');
  });

  it('that is unknown, deleted or foreign is not found', async () => {
    const deleted = await create(RECEIPT);
    await flow.api('DELETE', `/templates/${deleted}`);
    for (const id of ['tmpl_unknown', deleted, 'x'.repeat(500)]) {
      const answer = await send({ template_id: id, template_data: { name: 'x' } });
      expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND']);
      expect((await batch([{ to: { email: 'a@example.org' } }], { template_id: id })).status).toBe(404);
    }
  });

  it('reaches 1,000 recipients of a batch, each with its own data', async () => {
    const recipients = Array.from({ length: 1000 }, (_, n) => ({
      to: { email: `r${n}@batch.example`, name: `R ${n}` },
      data: data(n),
    }));
    const answer = await batch(recipients);
    expect(answer.status).toBe(201);
    expect(answer.body.data).toMatchObject({ total: 1000, accepted: 1000, rejected: [] });
    const done = await batchDone(answer.body.data.batch_id);
    expect(done).toMatchObject({ total: 1000, counts: { delivered: 1000 } });
    for (const n of [0, 1, 499, 998, 999]) {
      const message = await captured(`r${n}@batch.example`);
      expect(message.subject).toBe(`Order ${n} for Ünïcode ${n} <&>`);
      expect(message.html).toContain(`Thing ${n} #a #t${n}`);
    }
    const list = await flow.api('GET', `/emails?batch_id=${answer.body.data.batch_id}`);
    expect(list.body.pagination.total_count).toBe(1000);
    const detail = (await flow.api('GET', `/templates/${templateId}`)).body.data;
    expect(detail.usage.sends_last_30_days).toBeGreaterThanOrEqual(1000);
  });

  it('rejects recipients of every kind by index, and the others arrive', async () => {
    await flow.api('POST', '/suppressions', { email: 'blocked@example.org', reason: 'manual' });
    const answer = await batch([
      { to: { email: 'fine1@mixed.example' }, data: data(1) },
      { to: { email: 'not an address' }, data: data(2) },
      { to: { email: 'missing@mixed.example' }, data: {} },
      { to: { email: 'Blocked@example.org' }, data: data(3) },
      { to: { email: 'wrong@mixed.example' }, data: { name: 5 } },
      { to: { email: 'control@mixed.example', name: 'a\r\nBcc: x' }, data: data(4) },
      { to: { email: 'fine2@mixed.example' }, data: data(5) },
    ]);
    expect(answer.status).toBe(201);
    const { accepted, rejected, batch_id: id } = answer.body.data;
    expect(accepted).toBe(2);
    expect(rejected.map((one: { index: number }) => one.index)).toEqual([1, 2, 3, 4, 5]);
    const text = Object.fromEntries(
      rejected.map((one: { index: number; error: string }) => [one.index, one.error]),
    );
    expect(text[2]).toContain('data.name');
    expect(text[3]).toContain('suppress');
    expect((await batchDone(id)).counts.delivered).toBe(2);
    expect((await captured('fine2@mixed.example')).html).toContain('Thing 5');
  });

  it('rejects a recipient whose subject would be empty, and makes line ends in one harmless', async () => {
    const answer = await batch(
      [
        { to: { email: 'none@subject.example' }, data: { name: 'x', title: ' \r\n ' } },
        { to: { email: 'lines@subject.example' }, data: { name: 'x', title: 'a\r\nBcc: eve@example.org' } },
      ],
      { subject: '{{title}}' },
    );
    expect(answer.body.data).toMatchObject({
      accepted: 1,
      rejected: [{ index: 0, error: 'subject renders to nothing with this data' }],
    });
    await batchDone(answer.body.data.batch_id);
    expect((await captured('lines@subject.example')).subject).toBe('a Bcc: eve@example.org');
  });

  it('tells everybody in a batch whom to answer, however many those are', async () => {
    const reply_to = [{ email: 'help@example.org', name: 'Hilfe, für alle' }, { email: 'sales@example.org' }];
    const answer = await batch([{ to: { email: 'ada@replies.example' }, data: data(1) }], { reply_to });
    await batchDone(answer.body.data.batch_id);
    expect((await captured('ada@replies.example')).addresses.reply_to).toEqual([
      reply_to[0],
      { email: 'sales@example.org', name: null },
    ]);
  });

  it('refuses a whole batch for what is wrong with all of it', async () => {
    const one = [{ to: { email: 'a@example.org' }, data: data(1) }];
    expect((await batch(one, { from: { email: 'a@unverified.example' } })).body.error.code).toBe(
      'DOMAIN_NOT_VERIFIED',
    );
    expect((await batch([])).status).toBe(400);
    expect((await batch(Array.from({ length: 1001 }, () => one[0] as object))).status).toBe(400);
    expect((await batch([{ to: { email: 5 } }])).body.error.details[0].field).toBe('recipients[0].to.email');
    expect((await batch(one, { subject: '{{#if}}' })).body.error.details[0].field).toBe('subject');
    expect((await flow.api('GET', '/emails/batch/batch_unknown')).status).toBe(404);
  });

  it('that passes the limits by the time it is due fails with a reason, and the worker goes on', async () => {
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const schedule = async (template: object, to: string) => {
      const id = await create(template);
      const sent = await send({
        template_id: id,
        to: [{ email: to }],
        template_data: { a: [1] },
        scheduled_at: later,
      });
      return { id, email: sent.body.data.message_id as string };
    };
    const dear = await schedule(
      { name: 'Dear', subject: 's', html: '{{#each a}}{{#each ../a}}{{this}}{{/each}}{{/each}}' },
      'dear@limits.example',
    );
    const broken = await schedule({ name: 'Broken', subject: 's', text: '{{a}}' }, 'broken@limits.example');
    await flow.db.exec(adHoc('UPDATE email_contents SET template_data = $2 WHERE email_id = $1'), [
      dear.email,
      JSON.stringify({ a: Array.from({ length: 1000 }, () => 1) }),
    ]);
    await flow.db.exec(adHoc("UPDATE template_versions SET text = '{{#if}}' WHERE template_id = $1"), [
      broken.id,
    ]);
    const now = new Date(Date.now() - 1_000).toISOString();
    for (const { email } of [dear, broken]) {
      expect((await flow.api('PATCH', `/emails/${email}`, { scheduled_at: now })).status).toBe(200);
    }
    const good = await send({ template_data: data(9), to: [{ email: 'good@limits.example' }] });
    for (const { email } of [dear, broken]) {
      const seen = await flow.final(email);
      expect([seen.status, seen.recipients[0]?.attempts]).toEqual(['failed', 1]);
      expect(seen.events.at(-1)).toMatchObject({ type: 'failed', reason: 'rendering_failed' });
      const { problem } = (await flow.api('GET', `/emails/${email}/explain`)).body.data.recipients[0];
      expect(problem).toMatchObject({ reason: 'rendering_failed', responsible: 'sender' });
    }
    const content = await flow.api('GET', `/emails/${dear.email}/content`);
    expect([content.status, content.body.error?.code]).toEqual([409, 'CONFLICT']);
    expect((await flow.final(good.body.data.message_id)).status).toBe('delivered');
  });

  it('that was saved under wider limits can be read, not sent, and works again when it is changed', async () => {
    const id = await create({ name: 'Wide', subject: 's', text: '{{a}}' });
    await flow.db.exec(adHoc("UPDATE template_versions SET text = '{{#if}}' WHERE template_id = $1"), [id]);
    const read = await flow.api('GET', `/templates/${id}`);
    expect([read.status, read.body.data.variables]).toEqual([200, null]);
    const refused = await send({ template_id: id });
    expect([refused.status, refused.body.error?.code]).toEqual([409, 'CONFLICT']);
    expect(refused.body.error.message).toContain('text, line 1');
    expect((await flow.api('PUT', `/templates/${id}`, { text: 'fine' })).status).toBe(200);
    expect((await send({ template_id: id, subject: 's' })).status).toBe(201);
  });

  it('refuses a batch that would take too much in all, and says at which recipient', async () => {
    const rows = Array.from({ length: 1000 }, (_, i) => i);
    const id = await create({
      name: 'Dear to all',
      subject: 's',
      text: '{{#each l}}{{#each ../rows}}{{#if (eq this ../../x)}}{{/if}}{{/each}}{{/each}}',
      variable_schema: [
        { name: 'rows', type: 'array', default_value: rows },
        { name: 'l', type: 'array', default_value: rows.slice(0, 9) },
      ],
    });
    const recipients = Array.from({ length: 1000 }, (_, n) => ({ to: { email: `r${n}@dear.example` } }));
    const answer = await batch(recipients, { template_id: id });
    expect([answer.status, answer.body.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.error.details[0].field).toMatch(/^recipients\[\d+\]$/);
    expect(answer.body.error.details[0].message).toContain('send fewer recipients');
    expect((await batch(recipients.slice(0, 20), { template_id: id })).body.data.accepted).toBe(20);
  });

  it('takes a batch as a whole or not at all at the sending limit', async () => {
    const { setDailyLimit } = await import('../../src/organizations/store.ts');
    const used = (await flow.api('GET', '/organization')).body.data.sending_limit.used_today;
    await setDailyLimit(flow.db, flow.organization.id, used + 2);
    const recipients = (n: number) =>
      Array.from({ length: n }, (_, i) => ({ to: { email: `l${i}@limit.example` }, data: data(i) }));
    const over = await batch(recipients(3));
    expect([over.status, over.body.error.code]).toEqual([429, 'LIMIT_EXCEEDED']);
    expect((await batch(recipients(2))).status).toBe(201);
    await setDailyLimit(flow.db, flow.organization.id, 0);
  });
});
