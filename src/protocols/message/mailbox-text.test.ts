import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mailboxText, parseMailbox } from './mailbox-text.ts';
import { readAddressList } from './reading/address-list.ts';
import { isHeaderText } from './unsafe-text.ts';

const email = 'ada@example.org';

it('is the address alone without a name', () => {
  expect(mailboxText({ email, name: null })).toBe(email);
});

it.each([
  ['Ada Lovelace', 'Ada Lovelace <ada@example.org>'],
  ['Zoë', 'Zoë <ada@example.org>'],
  ['Lovelace, Ada', '"Lovelace, Ada" <ada@example.org>'],
  ['Ada "the first" \\o/', '"Ada \\"the first\\" \\\\o/" <ada@example.org>'],
])('can be read back with the name %s', (name, text) => {
  expect(mailboxText({ email, name })).toBe(text);
  expect(readAddressList(text)).toMatchObject([{ name, address: { email } }]);
});

it.each([
  ['ada@example.org', null],
  ['<ada@example.org>', null],
  ['Ada <ada@example.org>', 'Ada'],
  ['Ada<ada@example.org>', 'Ada'],
  ['Dr. Zoë Lovelace <ada@example.org>', 'Dr. Zoë Lovelace'],
  ['"Lovelace, Ada" <ada@example.org>', 'Lovelace, Ada'],
  [String.raw`"Ada \"the first\" \\o/" <ada@example.org>`, String.raw`Ada "the first" \o/`],
])('is read from %s', (text, name) => {
  expect(parseMailbox(text)).toMatchObject({ ok: true, address: { email }, name });
});

it.each([
  ['', /empty/],
  ['Ada', /@/],
  ['Ada <>', /empty/],
  ['Ada <ada@example.org', /./],
  ['Lovelace, Ada <ada@example.org>', /in quotes/],
  ['eve@evil.example, Ada <ada@example.org>', /in quotes/],
  ['<eve@evil.example> <ada@example.org>', /in quotes/],
  ['ada@example.org, grace@example.org', /one address|several|comma/i],
  ['"Ada\r\nBcc: eve@evil.example" <ada@example.org>', /control characters \(U\+000D\)/],
  ['Ada\0 <ada@example.org>', /control characters/],
  [`${'x'.repeat(256)} <ada@example.org>`, /at most 255/],
  [`${'<'.repeat(5_000)}>`, /at most 1100/],
])('is not read from %j', (text, why) => {
  expect(parseMailbox(text)).toEqual({ ok: false, message: expect.stringMatching(why) });
});

it('reads back every mailbox that it writes', () => {
  const names = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((name) => isHeaderText(name));
  const asRead = (name: string) => name.trim() || null;
  fc.assert(
    fc.property(names, (name) => {
      const parsed = parseMailbox(mailboxText({ email, name: asRead(name) }));
      expect(parsed).toMatchObject({ ok: true, address: { email }, name: asRead(name) });
    }),
  );
});
