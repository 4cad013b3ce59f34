import { describe, expect, it } from 'vitest';
import { EMPTY_DRAFT, parseMailboxes, toRequest } from './draft.ts';

describe('a draft', () => {
  it('reads addresses as people write them', () => {
    expect(
      parseMailboxes('ada@example.org, "Grace" <grace@example.org>; Alan <alan@example.org>\n,'),
    ).toEqual([
      { email: 'ada@example.org' },
      { email: 'grace@example.org', name: 'Grace' },
      { email: 'alan@example.org', name: 'Alan' },
    ]);
  });

  it('becomes a request without what was left empty', () => {
    const draft = {
      ...EMPTY_DRAFT,
      fromDomain: 'example.org',
      to: 'ada@example.org',
      subject: 'Hi',
      text: 'x',
    };
    expect(toRequest(draft)).toEqual({
      from: { email: 'hello@example.org' },
      to: [{ email: 'ada@example.org' }],
      subject: 'Hi',
      text: 'x',
    });
  });

  it('takes files along, without what only we need', () => {
    const file = { filename: 'a.txt', content_type: 'text/plain', content: 'eA==', size: 1 };
    expect(toRequest(EMPTY_DRAFT, [file]).attachments).toEqual([
      { filename: 'a.txt', content_type: 'text/plain', content: 'eA==' },
    ]);
  });

  it('takes the content from a template, with its data', () => {
    const draft = {
      ...EMPTY_DRAFT,
      by: 'template' as const,
      templateId: 'tmpl_1',
      templateData: '{"name":"Ada"}',
    };
    expect(toRequest(draft)).toMatchObject({ template_id: 'tmpl_1', template_data: { name: 'Ada' } });
    expect(() => toRequest({ ...draft, templateData: '[1]' })).toThrow(/JSON object/);
  });
});
