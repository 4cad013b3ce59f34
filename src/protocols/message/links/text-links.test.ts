import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atOnce } from '../../../runtime/sliced-work.ts';
import { redirectingTextLinks } from './text-links.ts';

const redirectTextLinks = (...args: Parameters<typeof redirectingTextLinks>) =>
  atOnce(redirectingTextLinks(...args));

const redirect = (url: string) => `[${url}]`;

describe('a link in plain text', () => {
  it.each([
    ['See https://a.example/x?y=1#z now', 'See [https://a.example/x?y=1#z] now'],
    ['See https://a.example/x.', 'See [https://a.example/x].'],
    ['(https://a.example/x), and', '([https://a.example/x]), and'],
    ['https://a.example/wiki/A_(b) c', '[https://a.example/wiki/A_(b)] c'],
    ['<https://a.example/>', '<[https://a.example/]>'],
    ['[https://a.example/]', '[[https://a.example/]]'],
    ['HTTP://A.example\r\nx', '[HTTP://A.example]\r\nx'],
    ['https://a.example/_x_', '[https://a.example/_x_]'],
    [
      'mailto:a@b.example ftp://a.example https:// https://müller.example/',
      'mailto:a@b.example ftp://a.example https:// https://müller.example/',
    ],
  ])('of %j makes it %j', (text, expected) => {
    expect(redirectTextLinks(text, redirect)).toBe(expected);
  });

  it('changes nothing else of any text', () => {
    const text = fc
      .array(fc.oneof(fc.constantFrom('https://', 'a.example', '.', ')', ' ', '\n'), fc.string()))
      .map((all) => all.join(''));
    fc.assert(fc.property(text, (one) => redirectTextLinks(one, (url) => url) === one));
  });
});
