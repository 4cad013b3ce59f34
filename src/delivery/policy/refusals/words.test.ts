import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_REPLY_TEXT_CHARS } from '../../../protocols/smtp/reply-parser.ts';
import { allEntries, readRefusal } from './read.ts';
import { phrase, readWords, says } from './words.ts';

const found = (written: string, text: string): boolean => says(readWords(text), phrase(written));
const phrases = allEntries().flatMap(({ words, also, unless }) => [
  ...(words ?? []),
  ...(also ?? []),
  ...(unless ?? []),
]);

describe('a phrase', () => {
  it.each([
    ['mailbox full', 'The mailbox is full'],
    ['user not exist', "This user doesn't exist"],
    ['user not exist', 'user does not exist.'],
    ['not find ~ hostname', 'cannot find your reverse hostname, [192.0.2.1]'],
    ['relay not permit', 'relaying not permitted'],
    ['mail content', 'E-mail content'],
    ['empfanger ~ unbekannt', 'Der Empfänger ist unbekannt'],
    ['用户不存在', '该用户不存在，请检查'],
    ['ip ~ block', 'your IP [192.0.2.1] has been blocked'],
    ['@ ~ not found', '<ada@example.net> was not found'],
    ['authrequired', 'RESOLVER.RST.AuthRequired; no'],
    ['user no longer system', 'user no longer on system:ann@example.net'],
    ['mailbox not found', 'mail-box was not found'],
    ['@ ~ unknown', 'user &lt;ann@example.net&gt; unknown'],
    ['user not have ~ account', 'This user doesn&#39;t have an account'],
    ['i not deliver', "I can't deliver mail"],
    ['antivirus', 'the anti-virus engine'],
  ])('%j is found in %j', (written, text) => {
    expect(found(written, text)).toBe(true);
  });

  it.each([
    ['mailbox full', 'The mailbox is not full'],
    ['mailbox ~ full', 'The mailbox is not full'],
    ['spam', '<spam@example.net>: user unknown'],
    ['spam', 'see https://example.net/spam'],
    ['blocked', 'mx.blocked.example.net said so'],
    ['user ~ not exist', 'The user is known. The domain does not exist'],
    ['user ~ unknown', 'user one two three four five six unknown'],
    ['not accept', 'not accepting'],
  ])('%j is not found in %j', (written, text) => {
    expect(found(written, text)).toBe(false);
  });

  it('of the tables has words beside its gaps, and keeps at least two words if it has two', () => {
    const empty = phrases.filter((written) => {
      const { parts } = phrase(written);
      const fewest = written.includes(' ') ? 2 : 1;
      return parts.some((part) => part.length === 0) || parts.flat().length < fewest;
    });
    expect(empty).toEqual([]);
  });
});

describe('the work of reading a reply', () => {
  /** Comparisons of words: at most about 20 ms, for a text that consists of the table's own words. */
  const MOST = 2_000_000;
  const vocabulary = [...new Set(phrases.flatMap((one) => phrase(one).parts.flat()))];

  it('is bounded for any reply', () => {
    const word = fc.constantFrom(...vocabulary, '.', 'x', '192.0.2.1', 'a@b.example', 'https://x.example/y');
    const text = fc.oneof(
      fc.array(word, { minLength: 100, maxLength: 500 }).map((words) => words.join(' ')),
      fc.tuple(word, word).map(([one, two]) => `${one} ${two} `.repeat(300)),
      fc.string({ minLength: 500, maxLength: 1_000, unit: 'binary' }),
      fc.constantFrom('a.', '@', 'a@', ':', '1.', "n't", '/', 'http://').map((one) => one.repeat(1_000)),
    );
    fc.assert(
      fc.property(text, fc.constantFrom(450, 550), (written, code) => {
        const reply = { code, enhanced: null, text: written.slice(0, MAX_REPLY_TEXT_CHARS) };
        expect(readRefusal({ phase: 'dot', reply, host: null }).steps).toBeLessThan(MOST);
      }),
      { numRuns: 300 },
    );
  });
});
