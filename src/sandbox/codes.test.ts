import { expect, it } from 'vitest';
import { codesIn } from './codes.ts';

it.each([
  ['six digits', 'Your sign-in code is 482913.', ['482913']],
  ['four digits', 'PIN: 0417', ['0417']],
  ['digits right after a colon', 'PIN:0417', ['0417']],
  ['eight digits', 'Enter 12345678 to go on.', ['12345678']],
  ['two groups with a space', 'Your code: 482 913', ['482913']],
  ['two groups with a hyphen', 'Use 482-913 as your verification code', ['482913']],
  ['three groups', 'Code 48-29-13', ['482913']],
  ['letters and digits', 'Your confirmation code is 7H3K9Q', ['7H3K9Q']],
  ['groups of letters and digits', 'Coupon: SAVE-2026-XYZ9', ['SAVE-2026-XYZ9']],
  ['a year only where it is called a code', 'Your code is 2026. © 2026', ['2026']],
  [
    'the one that is called a code first',
    'Order 5512 was paid.\n\n\nThank you for shopping with us, it was a pleasure.\nYour code: 998877',
    ['998877', '5512'],
  ],
  ['each once', 'Code 482913. Again: 482913.', ['482913']],
  ['on a line of its own', 'Sign in with this code:\n\n    482913\n\nIt expires in 10 minutes.', ['482913']],
] as const)('finds %s', (_, text, codes) => {
  expect(codesIn('', text)).toEqual(codes);
});

it.each([
  ['an amount', 'Total: 1234.50 EUR, 12,345.00'],
  ['an amount with its currency', 'You paid 4900 EUR and $4900 and €4900'],
  ['a phone number', 'Call +4930123456 or 030/1234567'],
  ['a date', 'On 2026-11-17 or 17.11.2026 at 12:30'],
  ['a year', '© 2026 Example'],
  ['what is part of a link', 'https://example.org/verify/482913?code=123456'],
  ['what is part of an address', 'ada123456@example.org'],
  ['words in capitals', 'HELLO WORLD IMPORTANT'],
  ['a colour', 'color #123456'],
  ['a number that is too long', 'Invoice 123456789012'],
  ['a percentage', '5000% more'],
] as const)('does not take %s for a code', (_, text) => {
  expect(codesIn('', text)).toEqual([]);
});

it('reads the subject first', () => {
  expect(codesIn('482913 is your code', 'Hello')).toEqual(['482913']);
});

it('handles hostile text in bounded time', () => {
  const started = process.cpuUsage().user;
  for (const text of ['1-'.repeat(50_000), 'A1-'.repeat(33_000), '1 '.repeat(50_000), 'A'.repeat(100_000)])
    codesIn('', text);
  expect((process.cpuUsage().user - started) / 1_000).toBeLessThan(2_000);
});
