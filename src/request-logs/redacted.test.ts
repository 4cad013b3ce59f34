import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recipientsIn, redactedExcerpt } from './entry.ts';

describe('the excerpt of a refused body', () => {
  it('shows recipients and subject, and only the type of all other values', () => {
    const body = {
      from: { email: 'a@example.org', name: 'Ann' },
      to: [{ email: 'b@example.org' }],
      subject: 'Hello',
      html: 'x'.repeat(5_000),
      text: 'secret',
      template_data: { email: 'secret', to: 'secret' },
      attachments: [{ filename: 'secret', content: 'secret' }],
      track_opens: false,
      pin: 1234,
    };
    expect(redactedExcerpt(body)).toEqual({
      from: { email: 'a@example.org', name: 'Ann' },
      to: [{ email: 'b@example.org' }],
      subject: 'Hello',
      html: '[5000 characters]',
      text: '[text]',
      template_data: '[object]',
      attachments: '[1 items]',
      track_opens: false,
      pin: '[number]',
    });
  });

  it('is short, can be stored, and says how many fields are omitted', () => {
    const emails = Array.from({ length: 100 }, () => ({
      to: 'a@example.org',
      subject: `\0${'x'.repeat(9_999)}\ud800`,
    }));
    const excerpt = redactedExcerpt(emails);
    expect(excerpt).toMatchObject({ items: expect.arrayContaining(['[97 more]']) });
    expect(JSON.stringify(excerpt).length).toBeLessThan(4_000);
    expect(JSON.stringify(excerpt)).not.toMatch(/\\u0000|\\ud800/);
  });

  it.each([undefined, null, 'text', 7, Buffer.from('mime')])('is null for %s', (body) => {
    expect(redactedExcerpt(body)).toBeNull();
  });

  it('never takes long or fails, whatever the body is', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (body) => {
        expect(JSON.stringify(redactedExcerpt(body)).length).toBeLessThan(10_000);
        expect(recipientsIn(body).length).toBeLessThanOrEqual(1_000);
      }),
    );
  });
});

describe('the recipients of a refused body', () => {
  it.each([
    [
      {
        to: [{ email: 'A@Example.org' }],
        cc: [{ email: 'b@example.org' }],
        bcc: [{ email: 'a@example.org' }],
      },
      ['a@example.org', 'b@example.org'],
    ],
    [
      { To: 'Ann <a@example.org>, b@example.org', Bcc: 'c@example.org' },
      ['a@example.org', 'b@example.org', 'c@example.org'],
    ],
    [
      { recipients: [{ to: { email: 'a@example.org' }, data: { email: 'no@example.org' } }] },
      ['a@example.org'],
    ],
    [{ personalizations: [{ to: [{ email: 'a@example.org', name: 'b@example.org' }] }] }, ['a@example.org']],
    [[{ to: ['a@example.org'] }], ['a@example.org']],
    [{ from: { email: 'no@example.org' }, to: 'nobody', template_data: { to: 'no@example.org' } }, []],
  ])('of %j are %j', (body, expected) => {
    expect(recipientsIn(body)).toEqual(expected);
  });

  it('are limited to a thousand', () => {
    const to = Array.from({ length: 5_000 }, (_, n) => ({ email: `a${n}@example.org` }));
    expect(recipientsIn({ to })).toHaveLength(1_000);
  });
});
