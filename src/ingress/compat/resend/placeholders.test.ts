import { describe, expect, it } from 'vitest';
import { fromResend, toResend } from './placeholders.ts';

describe('placeholders of Resend', () => {
  it.each([
    ['Hello {{{NAME}}}', 'Hello {{{NAME}}}'],
    [
      'Hello {{{NAME|there}}}, {{{ CITY | New York }}}',
      'Hello {{{default NAME "there"}}}, {{{default CITY "New York"}}}',
    ],
    ['{{{NAME|}}}', '{{{default NAME ""}}}'],
    ['{{#each ITEMS}}{{{this.NAME}}}{{/each}} {{NAME}}', '{{#each ITEMS}}{{{this.NAME}}}{{/each}} {{NAME}}'],
  ])('become our own: %s', (theirs, ours) => {
    expect(fromResend(theirs)).toBe(ours);
  });

  it('are returned unchanged', () => {
    const text = '<p>{{{NAME|there}}} {{{COUNT|0}}} {{{CITY}}}</p>';
    expect(toResend(fromResend(text))).toBe(text);
  });

  it('with a fallback that cannot be written are refused by the template language', () => {
    expect(fromResend('{{{NAME|"there"}}}')).toBe('{{{NAME|"there"}}}');
  });
});
