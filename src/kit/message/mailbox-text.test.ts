import { expect, it } from 'vitest';
import { mailboxText } from './mailbox-text.ts';
import { readAddressList } from './reading/address-list.ts';

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
