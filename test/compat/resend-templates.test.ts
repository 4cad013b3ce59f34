/** Templates through Resend's own client, from the first draft to the inbox. */
import type { Resend } from 'resend';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi, TestOrganization } from '../support/api.ts';
import { inboxOf } from '../support/inbox.ts';
import { type ResendFixture, startResend } from '../support/resend.ts';

let fixture: ResendFixture;
let server: TestApi;
let org: TestOrganization;
let resend: Resend;

beforeAll(async () => {
  fixture = await startResend();
  ({ server, org, resend } = fixture);
});
afterAll(() => fixture.stop());

describe('a template', () => {
  it('is created, published, and sent by its alias, with its own subject', async () => {
    const made = await resend.templates
      .create({
        name: 'Welcome',
        alias: 'welcome',
        subject: 'Welcome, {{{NAME|friend}}}',
        html: '<p>Hello {{{NAME|friend}}}, {{{PLAN}}} costs {{{PRICE}}}.</p>',
        variables: [
          { key: 'PLAN', type: 'string' },
          { key: 'PRICE', type: 'number', fallbackValue: 5 },
        ],
      })
      .publish();
    expect(made.error).toBeNull();
    const from = `hello@${org.domain}`;
    const variables = { PLAN: '<b>Pro</b>' };
    const sent = await resend.emails.send({
      from,
      to: 'tmpl@example.org',
      template: { id: 'welcome', variables },
    });
    expect(sent.error).toBeNull();
    const message = await inboxOf(server, org.key, 'tmpl@example.org');
    expect(message.subject).toBe('Welcome, friend');
    expect(message.html).toContain('<p>Hello friend, <b>Pro</b> costs 5.</p>');
    const missing = await resend.emails.send({
      from,
      to: 'a@example.org',
      template: { id: 'welcome', variables: {} },
    });
    expect(missing.error).toMatchObject({
      statusCode: 422,
      message: expect.stringContaining('template.variables.PLAN'),
    });
  });

  it('is read as it was written, changed, duplicated and removed', async () => {
    const html = '<p>{{{NAME|you}}} and {{{OTHER}}}</p>';
    const { data: created } = await resend.templates.create({ name: 'Pair', alias: 'pair', html });
    const id = created?.id ?? '';
    const read = await resend.templates.get('pair');
    expect(read.data).toMatchObject({
      object: 'template',
      id,
      name: 'Pair',
      alias: 'pair',
      status: 'published',
      subject: 'Pair',
      html,
      text: null,
      variables: [],
      has_unpublished_versions: false,
    });
    const change = {
      subject: 'New',
      text: 'In text',
      variables: [{ key: 'OTHER', type: 'string' as const, fallbackValue: 'me' }],
    };
    expect((await resend.templates.update('pair', change)).data).toEqual({ object: 'template', id });
    expect((await resend.templates.update(id, { from: 'a@example.org' })).data).toEqual({
      object: 'template',
      id,
    });
    const changed = await resend.templates.get(id);
    expect(changed.data).toMatchObject({
      html,
      subject: 'New',
      text: 'In text',
      variables: [{ key: 'OTHER', type: 'string', fallback_value: 'me' }],
    });
    const { data: copy } = await resend.templates.duplicate(id);
    const copied = await resend.templates.get(copy?.id ?? '');
    expect(copied.data).toMatchObject({ name: 'Copy of Pair', alias: null, html, subject: 'New' });
    expect((await resend.templates.remove(copy?.id ?? '')).data).toMatchObject({
      id: copy?.id,
      deleted: true,
    });
    expect((await resend.templates.get(copy?.id ?? '')).error).toMatchObject({
      statusCode: 404,
      name: 'not_found',
    });
    expect((await resend.templates.publish('none')).error).toMatchObject({
      statusCode: 404,
      name: 'not_found',
    });
  });

  it('is listed in pages', async () => {
    for (const name of ['One', 'Two', 'Three']) await resend.templates.create({ name, html: '<p>x</p>' });
    const { data: first } = await resend.templates.list({ limit: 2 });
    expect([first?.data.map(({ name }) => name), first?.has_more]).toEqual([['Three', 'Two'], true]);
    const { data: next } = await resend.templates.list({ limit: 1, after: first?.data[1]?.id ?? '' });
    expect(next?.data).toMatchObject([{ name: 'One', alias: null, status: 'published' }]);
    const { data: back } = await resend.templates.list({ before: next?.data[0]?.id ?? '' });
    expect([back?.data.map(({ name }) => name), back?.has_more]).toEqual([['Three', 'Two'], false]);
  });

  it('is refused where it cannot be read, with the place', async () => {
    const { error } = await resend.templates.create({ name: 'Broken', html: '<p>{{{NAME|"x"}}}</p>' });
    expect(error).toMatchObject({
      statusCode: 422,
      name: 'validation_error',
      message: expect.stringMatching(/`html` field: line 1/),
    });
    const unnamed = await resend.templates.create({ html: '<p>x</p>' } as never);
    expect(unnamed.error).toMatchObject({ statusCode: 422, name: 'missing_required_field' });
    const variables = [{ key: 'a b', type: 'string' as const }];
    const wrong = await resend.templates.create({ name: 'Wrong', html: 'x', variables });
    expect(wrong.error?.message).toContain('`variables[0].key`');
    const taken = await resend.templates.create({ name: 'Taken', alias: 'pair', html: 'x' });
    expect(taken.error).toMatchObject({ statusCode: 422, name: 'validation_error' });
  });
});
