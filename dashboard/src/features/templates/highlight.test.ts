import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { highlight, offsetOf, placeIn } from './highlight.ts';

describe('highlighting a template', () => {
  it('tells tags, placeholders and comments apart', () => {
    const pieces = highlight('<b>{{name}}</b>{{!-- no --}} x');
    expect(pieces.map(({ kind, text }) => [kind, text])).toEqual([
      ['tag', '<b>'],
      ['hbs', '{{name}}'],
      ['tag', '</b>'],
      ['comment', '{{!-- no --}}'],
      ['text', ' x'],
    ]);
  });

  it('goes on with a tag after a placeholder in one of its attributes', () => {
    const pieces = highlight('<a href="{{url}}?a=1" class=big>x');
    expect(pieces.map(({ kind, text }) => [kind, text])).toEqual([
      ['tag', '<a'],
      ['text', ' '],
      ['attr', 'href'],
      ['value', '="'],
      ['hbs', '{{url}}'],
      ['value', '?a=1"'],
      ['text', ' '],
      ['attr', 'class'],
      ['value', '=big'],
      ['tag', '>'],
      ['text', 'x'],
    ]);
  });

  it('loses no letter of anything', () => {
    const source = fc.string({
      unit: fc.constantFrom('<', '>', '{', '}', '!', '-', '/', 'a', '"', '\n', ' '),
    });
    fc.assert(
      fc.property(source, fc.nat(20), fc.nat(20), (text, line, column) => {
        const pieces = highlight(text, { line: line + 1, column: column + 1 });
        expect(pieces.map((piece) => piece.text).join('')).toBe(text);
      }),
    );
  });

  it('marks the piece that the server names', () => {
    const at = placeIn('line 2, column 1: {{#if}} is never closed: add {{/if}}.');
    const marked = highlight('<p>x</p>\n{{#if a}}', at).filter(({ kind }) => kind === 'problem');
    expect(marked.map(({ text }) => text)).toEqual(['{{#if a}}']);
  });

  it('finds a place by line and column, and the end for one beyond it', () => {
    expect(offsetOf('ab\ncd', { line: 2, column: 2 })).toBe(4);
    expect(offsetOf('ab', { line: 9, column: 9 })).toBe(2);
  });
});
