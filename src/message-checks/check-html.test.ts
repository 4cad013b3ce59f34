import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../test/support/cpu-time.ts';
import { atOnce } from '../runtime/sliced-work.ts';
import { checkingHtml, findingUsedFeatures } from './check-html.ts';
import { FEATURES } from './client-support.gen.ts';

const checkHtml = (html: string) => atOnce(checkingHtml(html));
const featuresOf = (html: string) => checkHtml(html).features.map(({ feature }) => feature);

describe('the features of a message', () => {
  it.each([
    ['<div style="display:flex;gap:4px">', ['display:flex', 'gap, column-gap, row-gap']],
    [
      '<style>@media (prefers-color-scheme: dark){p{color:red}}</style>',
      ['@media', '@media (prefers-color-scheme)'],
    ],
    ['<style>a:hover{border-radius:4px}</style>', [':hover', 'border-radius']],
    ['<p style="width:calc(100% - 2rem)">', ['CSS calc() function', 'rem unit']],
    ['<img src="https://example.org/a.webp">', ['webP image format']],
    ['<video src="a.mp4"></video>', ['<video> element']],
    ['<section><article></article></section>', ['HTML5 semantics']],
  ])('is found in %s', (html, expected) => {
    expect(featuresOf(html)).toEqual(expect.arrayContaining(expected));
  });

  it('are empty for plain paragraphs and commented-out markup', () => {
    expect(featuresOf('<p>display:flex</p><!-- <video></video> -->')).toEqual([]);
  });

  it('are counted, with the line of their first use', () => {
    const html = '<p>\n<div style="display:grid"></div>\n<div style="display:grid"></div>';
    const [first] = checkHtml(html).features.filter(({ feature }) => feature === 'display:grid');
    expect(first).toMatchObject({ count: 2, line: 2 });
  });

  it('are found in arbitrary input without an error', () => {
    const unit = fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '=',
      'style',
      'a',
      ':',
      ';',
      '{',
      '}',
      '@',
      '/*',
      '<!--',
      '-->',
      ' ',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 200 }), (pieces) => {
        expect(atOnce(findingUsedFeatures(pieces.join('')))).toBeInstanceOf(Map);
      }),
    );
  });

  it.each([
    ['unclosed tags', '<a '],
    ['unclosed quotes', '<a b="'],
    ['unclosed styles', '<style>a{'],
    ['attributes', '<a style="a:b;c:d"'],
    ['at rules', '<style>@media (a){b{c:d}}</style>'],
  ])('is found in all that is read of %s in bounded time', (_, piece) => {
    const html = piece.repeat(Math.ceil(1_000_000 / piece.length));
    expect(cpuMs(() => checkHtml(html), 10_000)).toBeLessThan(10_000);
  });
});

describe('the check', () => {
  it('lists the clients, and puts the least supported feature first', () => {
    const { features, clients, is_complete } = checkHtml('<div style="display:flex;background:red">');
    expect(is_complete).toBe(true);
    const [flex] = features;
    expect(flex).toMatchObject({
      feature: 'display:flex',
      about: 'https://www.caniemail.com/features/css-display-flex/',
      unsupported: expect.arrayContaining(['Outlook on Windows']),
    });
    const lacking = features.map(({ unsupported }) => unsupported.length);
    expect(lacking).toEqual(lacking.toSorted((a, b) => b - a));
    const outlook = clients.find(({ name }) => name === 'Outlook on Windows');
    expect(outlook?.unsupported).toBe(
      features.filter(({ unsupported }) => unsupported.includes('Outlook on Windows')).length,
    );
  });

  it('reports when it did not check everything', () => {
    expect(checkHtml('x'.repeat(1_000_001)).is_complete).toBe(false);
  });

  it('has a letter for every client in every row of its table', () => {
    for (const [slug, , support] of FEATURES) expect([slug, support.length]).toEqual([slug, 14]);
  });
});
