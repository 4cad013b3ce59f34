import { describe, expect, it } from 'vitest';
import { said } from './said.ts';

describe('what a server said', () => {
  it.each([
    [550, '5.1.1 no such user', '550 5.1.1 no such user'],
    [550, '550 5.1.1 no such user', '550 5.1.1 no such user'],
    [550, '550-5.1.1 no such user', '550-5.1.1 no such user'],
    [550, '5501 apples', '550 5501 apples'],
    [null, 'The mailbox is gone', 'The mailbox is gone'],
  ])('with the code %j and the words %j reads %j', (code, message, whole) => {
    expect(said(code, message)).toBe(whole);
  });
});
