import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mailbox } from '../../../test/support/addresses.ts';
import type { HeaderText } from '../../protocols/message/unsafe-text.ts';
import {
  INDEXED_CHARS,
  type Searchable,
  searchTokens,
  searchTokensOf,
  tokensOfWord,
  type WantedTokens,
} from './search-tokens.ts';

const EMAIL: Searchable = {
  organizationId: 'org_a',
  from: mailbox('Sales@shop.example'),
  addresses: {
    to: [{ ...mailbox('Ada@example.org'), name: 'Ada Lovelace' as HeaderText }],
    cc: [],
    bcc: [mailbox('ümit@xn--mller-kva.example')],
  },
  tags: [{ name: 'kind', value: 'a:b' }],
  metadata: { order: 4711, plan: 'Gold' },
  template: { id: 'tmpl_1' },
  keyId: 'key_1',
  subject: 'Your order 48-1573 is on its way',
};
const NOTHING: WantedTokens = { to: null, from: null, subject: null, tag: null };

function finds(wanted: Partial<WantedTokens>, email: Searchable = EMAIL, organizationId = 'org_a'): boolean {
  const tokens = new Set(searchTokensOf(email));
  const asked = searchTokens(organizationId, { ...NOTHING, ...wanted });
  return asked.length > 0 && asked.every((token) => tokens.has(token));
}

describe('an email is found by', () => {
  it.each<[Partial<WantedTokens>]>([
    [{ from: 'sales@shop.example' }],
    [{ from: '@shop.example' }],
    [{ to: 'ada@EXAMPLE.org' }],
    [{ to: '@example.org' }],
    [{ to: 'ÜMIT@xn--mller-kva.example' }],
    [{ tag: { name: 'kind', value: null } }],
    [{ tag: { name: 'kind', value: 'a:b' } }],
    [{ sentWith: 'key_1' }],
    [{ subject: '48-157' }],
    [{ subject: 'YOUR ORDER' }],
    [{ subject: 'on its way', to: '@example.org', from: 'sales@shop.example' }],
  ])('%j', (wanted) => {
    expect(finds(wanted)).toBe(true);
  });
});

it('an email is found by its stream, and by the tag that names the stream', () => {
  const email = { ...EMAIL, stream: 'news' };
  for (const value of ['news', null])
    expect(finds({ tag: { name: 'message-stream', value } }, email)).toBe(true);
  expect(finds({ stream: 'news' }, email)).toBe(true);
  expect(finds({ tag: { name: 'message-stream', value: 'bulk' } }, email)).toBe(false);
});

describe('an email is not found by', () => {
  it.each<[Partial<WantedTokens>]>([
    [{ from: 'ada@example.org' }],
    [{ to: 'sales@shop.example' }],
    [{ to: '@shop.example' }],
    [{ to: 'ada@example.net' }],
    [{ tag: { name: 'Kind', value: null } }],
    [{ tag: { name: 'kind', value: 'a' } }],
    [{ tag: { name: 'kind:a', value: 'b' } }],
    [{ sentWith: 'key_2' }],
    [{ subject: 'another order' }],
    [{ subject: 'on its way', to: '@example.net' }],
  ])('%j', (wanted) => {
    expect(finds(wanted)).toBe(false);
  });

  it('another organization', () => {
    expect(finds({ from: 'sales@shop.example' }, EMAIL, 'org_b')).toBe(false);
  });
});

function has(text: string, email: Searchable = EMAIL, templateIds: readonly string[] = []): boolean {
  const tokens = new Set(searchTokensOf(email));
  const { parts, wholes } = tokensOfWord('org_a', { text, templateIds });
  return (
    parts.some((spelling) => spelling.every((token) => tokens.has(token))) ||
    wholes.some((token) => tokens.has(token))
  );
}

describe('an email has the word', () => {
  it.each([
    ['ada'],
    ['ADA@ex'],
    ['a@example.org'],
    ['example.org'],
    ['lovel'],
    ['da Lovelac'],
    ['xn--mller'],
    ['ord'],
    ['48-157'],
    ['kind'],
    ['kind:a:b'],
    ['A:B'],
    ['4711'],
    ['gold'],
    ['tmpl_1'],
    ['key_1'],
    ['sales@shop.example'],
  ])('%s', (text) => {
    expect(has(text)).toBe(true);
  });

  it("of its template's name", () => {
    expect(has('welcome')).toBe(false);
    expect(has('welcome', EMAIL, ['tmpl_0', 'tmpl_1'])).toBe(true);
  });

  it.each([['da'], ['ovel'], ['shop.example'], ['kind:a'], ['47'], ['4712'], ['nobody']])(
    'but not %s',
    (text) => {
      expect(has(text)).toBe(false);
    },
  );

  it.each([
    ['Thomas Müller', 'mueller'],
    ['Thomas Müller', 'muller'],
    ['Thomas Müller', 'Mu\u0308ll'],
    ['Thomas Mueller', 'müller'],
    ['Thomas Muller', 'Müller'],
    ['Weiß', 'weiss'],
    ['Łukasz Nowak', 'lukasz'],
  ])('in another spelling: %s has %s', (name, word) => {
    const to = [{ ...mailbox('t.m@example.org'), name: name as HeaderText }];
    expect(has(word, { ...EMAIL, addresses: { to, cc: [], bcc: [] } })).toBe(true);
  });

  it('of its first ten recipients by parts, and of the others by the whole address', () => {
    const to = Array.from({ length: 11 }, (_, n) => mailbox(`person-${n}x@example.org`));
    const email = { ...EMAIL, addresses: { to, cc: [], bcc: [] } };
    expect(has('person-9x', email)).toBe(true);
    expect(has('person-10x', email)).toBe(false);
    expect(finds({ to: 'person-10x@example.org' }, email)).toBe(true);
  });
});

describe('any part of a subject', () => {
  const text = fc.string({ unit: 'binary', minLength: INDEXED_CHARS, maxLength: 60 });

  it('of six characters or more finds the whole subject, in any case', () => {
    fc.assert(
      fc.property(text, text, text, fc.integer(), (before, part, after, at) => {
        const chars = Array.from(part);
        fc.pre(chars.length >= INDEXED_CHARS);
        const from = Math.abs(at) % (chars.length - INDEXED_CHARS + 1);
        const subject = chars.slice(from).join('');
        expect(finds({ subject }, { ...EMAIL, subject: before + part + after })).toBe(true);
      }),
    );
  });

  it.each([
    ['ΟΔΟΣ ΑΘΗΝΑ', 'οδος αθηνα'],
    ['ΟΔΟΣ ΑΘΗΝΑ', 'οδοσ αθηνα'],
    ['İSTANBUL', 'istanbul'],
    ['ISTANBUL', 'ıstanbul'],
    ['300 \u212Aelvin', '300 kelvin'],
    ['Счёт за ноябрь', 'СЧЁТ ЗА'],
    ['ご注文の確認です', '注文の確認で'],
  ])('is found whatever a database takes for the same letter: %s, %s', (subject, wanted) => {
    expect(finds({ subject: wanted }, { ...EMAIL, subject })).toBe(true);
  });

  it('that is shorter yields no tokens', () => {
    expect(searchTokens('org_a', { ...NOTHING, subject: 'order' })).toEqual([]);
  });
});

describe('search tokens', () => {
  it('are distinct and fit a four-byte integer of PostgreSQL', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (subject) => {
        const tokens = searchTokensOf({ ...EMAIL, subject });
        expect(new Set(tokens).size).toBe(tokens.length);
        for (const token of tokens) expect(token).toBe(token | 0);
      }),
    );
  });

  it('cover half of the pieces of a subject', () => {
    const subject = 'abcdefghijklmnopqrstuvwxyz0123456789 !"$%&/()=?#+*<>,;.:-_'.repeat(2);
    const others = searchTokensOf({ ...EMAIL, subject: '' }).length;
    const pieces = searchTokensOf({ ...EMAIL, subject }).length - others;
    expect(pieces).toBeLessThan(subject.length * 0.6);
  });
});
