import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSenderMailbox } from './sender-mailbox.ts';

const read = (value: string) => {
  const mailbox = readSenderMailbox(`From: ${value}`);
  return mailbox.ok ? [mailbox.name, mailbox.address.email] : mailbox.message;
};

describe('the mailbox of a sender', () => {
  it.each([
    ['a@x.test', [null, 'a@x.test']],
    ['<a@x.test>', [null, 'a@x.test']],
    ['Ada B. Lovelace <A@X.test>', ['Ada B. Lovelace', 'A@x.test']],
    ['"Doe, Jane" <a@x.test>', ['Doe, Jane', 'a@x.test']],
    ['"say \\"hi\\"" <a@x.test>', ['say "hi"', 'a@x.test']],
    ['"ada@y.test via Shop" <a@x.test>', ['ada@y.test via Shop', 'a@x.test']],
    ['a@x.test (Old Style)', ['Old Style', 'a@x.test']],
    ['Shop (Support) <a@x.test>', ['Shop', 'a@x.test']],
    ['=?UTF-8?Q?J=C3=B6rg?= =?UTF-8?Q?_M?= <a@x.test>', ['Jörg M', 'a@x.test']],
    ['=?UTF-8?Q?M=C3=BCller=2C_J?= <a@x.test>', ['Müller, J', 'a@x.test']],
    [
      `=?UTF-8?B?${Buffer.from('Jörg (j@y.test)').toString('base64')}?= <a@x.test>`,
      ['Jörg (j@y.test)', 'a@x.test'],
    ],
    ['Jörg <jörg@münchen.test>', ['Jörg', 'jörg@xn--mnchen-3ya.test']],
    ['Ada\r\n\t<a@x.test>', ['Ada', 'a@x.test']],
    ['a@x.test <a@x.test>', ['a@x.test', 'a@x.test']],
  ])('is read from %j', (value, expected) => {
    expect(read(value)).toEqual(expected);
  });

  it.each([
    ['', 'has no address'],
    ['a@x.test, b@x.test', 'must have exactly one address'],
    ['Doe, Jane <a@x.test>', 'put quotes around a name with a comma'],
    ['Team: a@x.test;', 'and no group'],
    ['a@x.test;', 'and no group'],
    ['<@relay.test,@other.test:a@x.test>', 'has a route before its address'],
    ['<a@x.test> <b@y.test>', 'must have exactly one address'],
    ['b@y.test <a@x.test>', 'has a name with an @ in it'],
    ['<a@x.test> b@y.test', 'must have exactly one address'],
    ['a@x.test (b@y.test)', 'has a comment that can be mistaken for an address'],
    ['(<b@y.test>) a@x.test', 'has a comment that can be mistaken for an address'],
    ['a@x.test (one (two))', 'nested or not closed'],
    ['a@x.test (', 'nested or not closed'],
    ['a(c)@x.test', 'must have exactly one address'],
    ['"b@y.test"@x.test', 'must have exactly one address'],
    ['<"b c"@x.test>', 'must not have quotes in its address'],
    ['"Ada <a@x.test>', 'quotation mark that is not closed'],
    ['Ada <a@x.test', 'angle bracket that is not closed'],
    ['[Ada] <a@x.test>', 'put quotes around the name'],
    ['a @ x.test', 'must have exactly one address'],
    ['< a@x.test >', 'Remove the space'],
    ['<a@\r\n x.test>', 'cannot be used'],
    ['<a@[127.0.0.1]>', 'has an IP address in place of a domain'],
    ['<a@ｘ.test>', 'written with other characters'],
    ['a@x.test\u00a0', 'cannot be used'],
    ['Ada\u0001 <a@x.test>', 'must not contain U+0001'],
    ['a@x.test\r\n \r\n b', 'must not have a line of blanks'],
    ['"b@y.test\r\n " <a@x.test>', 'that is folded'],
    ['=?utf-8?Q?b=40y=2Etest?= <a@x.test>', 'can be mistaken for an address'],
    ['=?utf-8?B?PGJAeS50ZXN0Pg==?= <a@x.test>', 'can be mistaken for an address'],
    ['=?utf-8?Q?b=00?= <a@x.test>', 'control character'],
    ['=?utf-8?Q?b=40y.test?=@x.test', 'can be mistaken for an address'],
    ['=?utf-8?Q?b?=@x.test', 'has an encoded word in its address'],
    ['=?utf-8?Q?=22?= "b@y.test" <a@x.test>', 'not closed'],
    ['=?utf-7?Q?b+AEA-y.test?= <a@x.test>', 'cannot be read'],
    ['=?utf-8?Q?a=?utf-8?Q?b?=?= <a@x.test>', 'cannot be read'],
    ['=?utf-8?Q?a <a@x.test>', 'cannot be read'],
    ['a@x.test (=?utf-8?Q?=29.y.test?=)', 'encoded word in a comment'],
  ])('is refused as %j', (value, words) => {
    expect(read(value)).toContain(words);
  });

  it('is refused in a field of more than 1,000 characters', () => {
    expect(read(`${'x'.repeat(1_000)} <a@x.test>`)).toBe('is longer than 1000 characters');
  });

  it('is refused where a blank stands before the colon: other programs do not know such a field', () => {
    expect(readSenderMailbox('From : a@x.test')).toMatchObject({ ok: false });
  });

  it('has the domain that stands in its address, whatever surrounds it', () => {
    const pieces = [...'"\\()<>[]@,;: ab=?.', 'a@x.test', 'b@y.test', '=?utf-8?Q?', '?=', '\r\n '];
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...pieces), maxLength: 40 }), (text) => {
        const mailbox = readSenderMailbox(`From: ${text}`);
        if (!mailbox.ok) return;
        const { address } = mailbox;
        expect(text.toLowerCase()).toContain(`@${address.domain}`);
        expect(`${text.split('"').filter((_, index) => index % 2 === 0)}`.split('@').length).toBeLessThan(4);
      }),
    );
  });
});
